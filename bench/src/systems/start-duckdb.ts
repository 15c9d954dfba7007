import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Target } from '../driver/load-order.ts';
import { startProgram } from './start-program.ts';

/** Starts DuckDB on the published column files of the visits and the places. */
export async function startDuckdb({
  dataDirectory,
  logFile,
}: {
  readonly dataDirectory: string;
  readonly logFile: string;
}): Promise<AsyncDisposable & { readonly target: Target }> {
  const files = ['visits', 'places'].map((name) => {
    const pattern = join(dataDirectory, 'versions', `bench.${name}`, '*', 'records.duckdb');
    return `${name}=${globSync(pattern)[0]}`;
  });
  const program = startProgram({
    command: process.execPath,
    parameters: [ENTRY_POINT, ...files],
    logFile,
  });
  try {
    const [, host = '', port] = await program.untilItLogs(/listening ([^:]+):(\d+)/);
    return {
      target: { host, port: Number(port), headers: {} },
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

const ENTRY_POINT = fileURLToPath(new URL('duckdb-process.ts', import.meta.url));
