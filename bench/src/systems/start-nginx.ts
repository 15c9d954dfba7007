import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Target } from '../driver/load-order.ts';
import { findFreePort } from './find-free-port.ts';
import { startProgram } from './start-program.ts';

/** The nginx of the machine. Undefined if there is none. */
export function findNginx(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find(existsSync);
}

/** Starts an nginx that compresses the answers of the server behind it. */
export async function startNginx({
  command,
  behind,
  folder,
}: {
  readonly command: string;
  readonly behind: Target;
  /** The folder of its files. It must not exist. */
  readonly folder: string;
}): Promise<AsyncDisposable & { readonly target: Target; readonly version: string }> {
  const port = await findFreePort();
  await mkdir(folder);
  const configuration = join(folder, 'nginx.conf');
  await writeFile(configuration, configurationOf({ port, behind, folder }));
  const program = startProgram({
    command,
    parameters: ['-c', configuration, '-p', folder, '-e', 'stderr'],
    logFile: join(folder, 'nginx.log'),
  });
  try {
    const [, version = ''] = await program.untilItLogs(/nginx\/(\S+).*start worker process/s);
    return {
      target: { host: '127.0.0.1', port, headers: behind.headers },
      version,
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * The defaults, but: a worker for each core, as Debian's package has it; connections that stay open on both
 * sides; buffers for a whole answer; no log of requests, which PostgREST does not write either. The level of
 * gzip is the default, 1, which is the fastest.
 */
function configurationOf({
  port,
  behind,
  folder,
}: {
  readonly port: number;
  readonly behind: Target;
  readonly folder: string;
}): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path "${join(folder, name)}";`,
  );
  return `daemon off;
pid "${join(folder, 'nginx.pid')}";
error_log stderr notice;
worker_processes auto;
events { worker_connections 2048; }
http {
${temporary.join('\n')}
  access_log off;
  gzip on;
  gzip_types application/json;
  keepalive_requests ${ENDLESS};
  upstream behind {
    server ${behind.host}:${behind.port};
    keepalive 64;
    keepalive_requests ${ENDLESS};
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://behind;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffers 32 8k;
    }
  }
}
`;
}

/** The driver keeps its connections for the whole round. */
const ENDLESS = 1_000_000_000;
