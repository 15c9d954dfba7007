import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from '../driver/load-order.ts';
import { startProgram } from './start-program.ts';

/**
 * Starts a service over a cluster of ClickHouse with two shards, and loads it: the program of the tests, which says how the
 * service differs from `locmetrics serve`.
 */
export async function startOverCluster({
  packages,
  dataDirectory,
  folder,
  headers,
}: {
  /** The folder of Debian's unpacked packages. */
  readonly packages: string;
  /** It has the column files of its versions, and nothing else serves it. */
  readonly dataDirectory: string;
  /** The folder of the files of the cluster. It must not exist. */
  readonly folder: string;
  readonly headers: Target['headers'];
}): Promise<AsyncDisposable & { readonly target: Target; readonly version: string }> {
  await mkdir(folder);
  const program = startProgram({
    command: process.execPath,
    parameters: [PROGRAM, packages, dataDirectory, join(folder, 'servers')],
    logFile: join(folder, 'serve.log'),
    startTimeoutMs: LOAD_TIMEOUT_MS,
  });
  try {
    const [, host = '', port, version = ''] = await program.untilItLogs(
      /listening ([^:]+):(\d+) ClickHouse (\S+)/,
    );
    return {
      target: { host, port: Number(port), headers },
      version,
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

const PROGRAM = fileURLToPath(
  new URL('../../../packages/locmetrics/test/cluster/serve-over-cluster.ts', import.meta.url),
);

/** It loads all tables before it listens. */
const LOAD_TIMEOUT_MS = 30 * 60_000;
