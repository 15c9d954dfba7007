import { fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { templatesFolder } from '../support/run-folder.ts';
import { CHDB_FOLDER } from './open-chdb.ts';

/** A server that is started for a test. */
export type ChdbServer = {
  /** For example `http://127.0.0.1:12345`. A database of it is named by the path: `${url}/places`. */
  readonly url: string;
  readonly pid: number;
  /** Ends the process and removes its data. */
  readonly stop: () => Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('./chdb-server.ts', import.meta.url));

/**
 * Starts a ClickHouse on a free port of this machine: chDB, a current ClickHouse as a library, in a process of its own
 * behind the HTTP interface that `@clickhouse/client` uses. Several clients can use it at once.
 *
 * Real: all that is inside the database (tables, parts, types, formats, settings, errors and their numbers, limits,
 * deduplicated inserts, killed queries), and bound values, which chDB parses as a server does.
 *
 * Not real: the HTTP layer, which is `chdb-server.ts`. There is no TLS, no user, no password and no compression. Queries
 * with bound values run one after the other, because chDB cannot run them at once. An answer is sent when it is
 * complete, as with `wait_end_of_query`. The body of an insert is written to a file first, and an insert whose body
 * breaks off inserts nothing. There are no replicas, shards or Keeper.
 */
export async function startChdbServer(): Promise<ChdbServer> {
  if (CHDB_FOLDER === undefined) throw new Error('chDB is installed by npm run test:clickhouse.');
  const folder = mkdtempSync(join(templatesFolder(), 'chdb-server-'));
  const server = fork(PROGRAM, [CHDB_FOLDER, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const port = await new Promise<unknown>((resolve, reject) => {
    server.once('message', resolve);
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`The server of chDB ended with ${code}.`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
