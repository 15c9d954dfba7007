import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const ENTRY_POINT = join(import.meta.dirname, '..', 'bin', 'locmetrics.js');

const START_TIMEOUT_MS = 60_000;

export type Demo = {
  readonly process: ChildProcess;
  /** The variables that the demo leaves for `source`. */
  readonly environment: Readonly<Record<string, string>>;
};

/**
 * Starts the sample on free ports, over TLS and in plaintext.
 *
 * - `dataDirectory`: where it publishes the sample.
 * - `logFile`: what it writes to its outputs.
 */
export async function startDemo({
  dataDirectory,
  logFile,
}: {
  readonly dataDirectory: string;
  readonly logFile: string;
}): Promise<Demo> {
  const environmentFile = join(dataDirectory, 'demo.env');
  const log = openSync(logFile, 'w');
  const server = spawn(process.execPath, [ENTRY_POINT, 'demo', '--data', dataDirectory], {
    env: {
      ...process.env,
      LOCMETRICS_HTTP: '127.0.0.1:0',
      LOCMETRICS_GRPC: '127.0.0.1:0',
      LOCMETRICS_GRPC_PLAINTEXT: '127.0.0.1:0',
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  process.once('exit', () => server.kill('SIGKILL'));
  const giveUpMs = Date.now() + START_TIMEOUT_MS;
  while (!existsSync(environmentFile)) {
    if (server.exitCode !== null || Date.now() > giveUpMs) {
      throw new Error(`No server started:\n${readFileSync(logFile, 'utf8')}`);
    }
    await sleep(100);
  }
  const lines = readFileSync(environmentFile, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
  const environment = Object.fromEntries(
    [...lines].map(([, name = '', value = '']) => [name, value]),
  );
  return { process: server, environment };
}
