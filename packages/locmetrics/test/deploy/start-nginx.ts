import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../support/listen-locally.ts';
import { until } from '../support/until.ts';
import { ROOT, run, whyMissing } from './deploy-files.ts';

/** On the PATH, or an unpacked one: Debian's package runs without being installed. */
const NGINX = process.env['LOCMETRICS_TEST_NGINX'] ?? 'nginx';

/** Why nothing can be tested with nginx; undefined if it can. */
export const NO_NGINX = whyMissing(NGINX, '-v') ?? whyMissing('openssl', 'version');

/** Ports on 127.0.0.1 that replace those of the names `node-1` and `node-2`. */
export type NodePorts = { readonly https: number; readonly grpc: number };

/** The flags of a node with the certificate that nginx expects, which is in a folder. */
export function nodeFlags(certificates: string, { https, grpc }: NodePorts): readonly string[] {
  return [
    ...['--http', 'off', '--https', `127.0.0.1:${https}`, '--grpc', `127.0.0.1:${grpc}`],
    ...['--tls-certificate', join(certificates, 'node.pem')],
    ...['--tls-key', join(certificates, 'node.key'), '--trusted-proxies', '127.0.0.1'],
  ];
}

export type RunningNginx = {
  readonly url: string;
  readonly grpcAddress: string;
  /** The addresses of the nodes that each request was sent to, and its status. */
  readonly readLog: () => readonly { readonly node: string; readonly status: string }[];
  readonly stop: () => Promise<void>;
};

/** Makes the certificates of nginx and of the nodes in a folder, as operators do. */
export function makeCertificates(folder: string): void {
  const { status, output } = run('bash', ['deploy/docker/make-certificates.sh', folder]);
  if (status !== 0) throw new Error(output);
}

/**
 * Writes `deploy/nginx/nginx.conf` for this machine into a folder that has the certificates: other ports and paths,
 * nothing else. Returns its path.
 */
export async function writeConfiguration(
  folder: string,
  nodes: readonly NodePorts[],
): Promise<{ readonly file: string; readonly https: number; readonly grpc: number }> {
  const [https, grpc] = [await freePort(), await freePort()];
  let text = readFileSync(join(ROOT, 'deploy', 'nginx', 'nginx.conf'), 'utf8');
  const replace = (from: string | RegExp, to: string): void => {
    const replaced = text.replaceAll(from, to);
    if (replaced === text) throw new Error(`nginx.conf has no ${from}.`);
    text = replaced;
  };
  for (const [index, node] of nodes.entries()) {
    replace(`server node-${index + 1}:8080`, `server 127.0.0.1:${node.https}`);
    replace(`server node-${index + 1}:8443`, `server 127.0.0.1:${node.grpc}`);
  }
  replace('listen 443 ', `listen 127.0.0.1:${https} `);
  replace('listen 8443 ', `listen 127.0.0.1:${grpc} `);
  replace('/etc/nginx/tls/nodes-ca.pem', join(folder, 'node.pem'));
  replace('/etc/nginx/tls/', `${folder}/`);
  replace('/var/run/nginx.pid', join(folder, 'nginx.pid'));
  replace('/dev/stdout', join(folder, 'access.log'));
  replace('/dev/stderr', join(folder, 'error.log'));
  replace('\nhttp {\n', `\nhttp {\n${temporaryPaths(folder)}`);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, text);
  return { file, https, grpc };
}

function temporaryPaths(folder: string): string {
  return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${join(folder, name)};\n`)
    .join('');
}

export function checkConfiguration(file: string): { status: number | null; output: string } {
  return run(NGINX, ['-t', '-q', '-c', file]);
}

/** Starts nginx in front of nodes, in a folder that has the certificates. */
export async function startNginx(
  folder: string,
  nodes: readonly NodePorts[],
): Promise<RunningNginx> {
  mkdirSync(folder, { recursive: true });
  const { file, https, grpc } = await writeConfiguration(folder, nodes);
  const stop = await runNginx(folder, { file, port: https });
  return {
    url: `https://localhost:${https}`,
    grpcAddress: `localhost:${grpc}`,
    readLog: () =>
      readFileSync(join(folder, 'access.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    stop,
  };
}

/** Starts nginx with a block `location` of the documentation, in plaintext. */
export async function startDocumentedNginx(
  folder: string,
  location: string,
): Promise<Pick<RunningNginx, 'url' | 'stop'>> {
  const port = await freePort();
  const file = join(folder, 'documented.conf');
  const text = `worker_processes 1;
pid ${join(folder, 'documented.pid')};
error_log ${join(folder, 'error.log')};
events {}
http {
  access_log off;
${temporaryPaths(folder)}  server {
    listen 127.0.0.1:${port};
    ${location}
  }
}
`;
  writeFileSync(file, text);
  const stop = await runNginx(folder, { file, port });
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Starts nginx and waits for its port. Returns how to stop it. */
async function runNginx(
  folder: string,
  { file, port }: { readonly file: string; readonly port: number },
): Promise<() => Promise<void>> {
  const nginx = spawn(NGINX, ['-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  await until(() => {
    if (nginx.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'));
    return accepts(port);
  });
  return async () => {
    nginx.kill('SIGTERM');
    await ended;
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
