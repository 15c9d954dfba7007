// @module-tag slow

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import { expect, test } from 'vitest';
import { serveLocally } from '../support/listen-locally.ts';
import { ROOT, readRepositoryFile } from './deploy-files.ts';

const dockerfile = readRepositoryFile('deploy/docker/Dockerfile');
const { workspaces, devDependencies } = JSON.parse(readRepositoryFile('package.json'));

test('the image has the Node of package.json', () => {
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-\w+-slim$/m.exec(dockerfile) ?? [];
  expect(version).toBe(devDependencies.node);
});

test('the image is built with the package.json of every workspace, which npm ci needs', () => {
  const copied = [...dockerfile.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(
    ([, folder]) => folder,
  );
  expect(copied.sort()).toEqual([...workspaces].sort());
});

test('the image runs as a user of its own, and is stopped by the signal that drains', () => {
  const [last = ''] = dockerfile.split(/^FROM /m).slice(-1);
  expect(last).toMatch(/^USER (?!0)\d+:\d+$/m);
  expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
  // The first process of a container gets no signal that it has no listener for.
  expect(last).toMatch(/^ENTRYPOINT \["tini", "--", "locmetrics"\]$/m);
  expect(last).not.toContain('LOCMETRICS_HTTP=');
});

test('the health check succeeds if /livez answers 200', async () => {
  const { port } = await serveLocally(({ url }, response) =>
    response.writeHead(url === '/livez' ? 200 : 500).end(),
  );
  expect(await checkHealth({ LOCMETRICS_HTTP: `0.0.0.0:${port}` })).toBe(0);
});

test('the health check fails if /livez answers otherwise, or nobody listens', async () => {
  const { port, close } = await serveLocally((_, response) => response.writeHead(503).end());
  expect(await checkHealth({ LOCMETRICS_HTTP: `0.0.0.0:${port}` })).toBe(1);
  await close();
  expect(await checkHealth({ LOCMETRICS_HTTP: `0.0.0.0:${port}` })).toBe(1);
});

test('the health check asks over TLS where the service has no plaintext, whatever the certificate', async () => {
  const { certificate, key } = await issueCertificates({
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  const { port } = await serveLocally((_, response) => response.writeHead(200).end(), {
    cert: certificate,
    key,
  });
  const settings = { LOCMETRICS_HTTP: 'off', LOCMETRICS_HTTPS: `0.0.0.0:${port}` };
  expect(await checkHealth(settings)).toBe(0);
});

async function checkHealth(settings: NodeJS.ProcessEnv): Promise<number> {
  const script = join(ROOT, 'deploy', 'docker', 'check-health.mjs');
  const check: ChildProcess = spawn(process.execPath, [script], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
  });
  const [code] = await once(check, 'exit');
  return code;
}
