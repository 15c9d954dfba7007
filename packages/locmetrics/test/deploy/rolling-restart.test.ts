import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startService } from '../commands/start-service.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, ORGANISATION_ID, type TestData } from '../edge/test-data.ts';
import { freePort } from '../support/listen-locally.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ask, openCallers } from './open-callers.ts';
import {
  checkConfiguration,
  makeCertificates,
  NO_NGINX,
  type NodePorts,
  nodeFlags,
  type RunningNginx,
  startNginx,
  writeConfiguration,
} from './start-nginx.ts';

let folder = '';
let data: TestData | undefined;
let nginx: RunningNginx | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await nginx?.stop();
  nginx = undefined;
  await data?.remove();
  data = undefined;
});

test('nginx accepts its configuration', async ({ skip }) => {
  if (NO_NGINX !== undefined) return skip(NO_NGINX);
  makeCertificates(folder);
  const { file } = await writeConfiguration(folder, await portsOfNodes());
  expect(checkConfiguration(file)).toEqual({ status: 0, output: '' });
});

test('callers behind nginx see no failure while the nodes are restarted one after the other', {
  tags: 'slow',
  timeout: 600_000,
}, async ({ skip }) => {
  if (NO_NGINX !== undefined) return skip(NO_NGINX);
  makeCertificates(folder);
  data = await createTestData();
  await data.publishFiles(SHOPS);
  // Each node has a data directory of its own.
  const directories = ['first', 'second'].map((name) => join(folder, name));
  for (const directory of directories) cpSync(data.directory.root, directory, { recursive: true });
  const ports = await portsOfNodes();
  const startNode = (index: 0 | 1) =>
    startService(directories[index] ?? '', [
      ...nodeFlags(folder, ports[index]),
      ...['--drain-delay', '500ms'],
    ]);
  const nodes = await Promise.all([startNode(0), startNode(1)]);
  nginx = await startNginx(folder, ports);
  const callers = openCallers(nginx, {
    token: data.token,
    organisationId: ORGANISATION_ID,
    certificates: folder,
  });

  await callers.untilAnswered(200);
  for (const index of [0, 1] as const) {
    nodes[index]?.kill('SIGTERM');
    expect((await nodes[index]?.ended)?.code).toBe(0);
    // The other node answers alone.
    await callers.untilAnswered(100);
    nodes[index] = await startNode(index);
    await callers.untilAnswered(100);
  }
  const { answered, failures } = await callers.stop();
  expect(failures).toEqual([]);
  expect(Math.min(...Object.values(answered))).toBeGreaterThan(20);
  const log = nginx.readLog();
  // Both have answered, and requests went to the second node when the first one had stopped.
  for (const { https } of ports) {
    expect(log.some(({ node }) => node === `127.0.0.1:${https}`)).toBe(true);
  }
  expect(log.some(({ node }) => node.includes(', '))).toBe(true);
});

test('if no node answers, callers get an error of the service', async ({ skip }) => {
  if (NO_NGINX !== undefined) return skip(NO_NGINX);
  makeCertificates(folder);
  nginx = await startNginx(folder, await portsOfNodes());
  const answer = await ask(`${nginx.url}/v1/catalogs`, {
    ca: readFileSync(join(folder, 'public.pem')),
  });
  expect(answer.status).toBe(503);
  expect(JSON.parse(answer.text)).toMatchObject({ status: 503, reason: 'NOT_READY' });
});

async function portsOfNodes(): Promise<readonly [NodePorts, NodePorts]> {
  const portsOfNode = async () => ({ https: await freePort(), grpc: await freePort() });
  return [await portsOfNode(), await portsOfNode()];
}
