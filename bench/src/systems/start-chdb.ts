import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A ClickHouse with an empty database. */
export type RunningChdb = AsyncDisposable & {
  readonly version: string;
  /** The database, as the value of `--clickhouse`. */
  readonly address: string;
  /** Merges the parts of each table into one, as a server does in the course of time. */
  readonly mergeTables: () => Promise<void>;
};

/**
 * Starts chDB, a ClickHouse as a library, behind HTTP: the process of the tests, which says what of it is not that of a
 * server. Above all, queries with bound values run one after the other.
 */
export async function startChdb({
  installed,
  folder,
}: {
  /** The folder in whose `node_modules` chDB is. */
  readonly installed: string;
  /** The folder of its data. It must not exist. */
  readonly folder: string;
}): Promise<RunningChdb> {
  await mkdir(folder);
  const child = fork(PROGRAM, [installed, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    // It has nothing to finish: its data are removed after the run.
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const port = await Promise.race([
      once(child, 'message').then(([message]) => Number(message)),
      ended.then(([code]) => Promise.reject(new Error(`chDB in ${installed} ended with ${code}.`))),
    ]);
    const ask = (query: string): Promise<string> => askDatabase(`http://127.0.0.1:${port}`, query);
    await ask(`CREATE DATABASE ${DATABASE}`);
    return {
      version: (await ask('SELECT version()')).trim(),
      address: `http://default@127.0.0.1:${port}/${DATABASE}`,
      mergeTables: async () => {
        const tables = await ask(`SELECT name FROM system.tables WHERE database = '${DATABASE}'`);
        for (const name of tables.split('\n').filter((line) => line !== '')) {
          await ask(`OPTIMIZE TABLE ${DATABASE}."${name}" FINAL`);
        }
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const PROGRAM = fileURLToPath(
  new URL('../../../packages/locmetrics/test/clickhouse/chdb-server.ts', import.meta.url),
);
const DATABASE = 'bench';

async function askDatabase(url: string, query: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: query });
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(`ClickHouse refused ${query}: ${text}`);
}
