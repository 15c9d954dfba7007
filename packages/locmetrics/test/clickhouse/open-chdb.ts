import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type BoundValue, boundValues } from '@locmetrics/cluster/clickhouse/bound-values';
import {
  type ClickhouseDriver,
  ClickhouseError,
  type ClickhouseSettings,
} from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { parseRows, ROWS_FORMAT } from '@locmetrics/cluster/clickhouse/parse-rows';
import { quoteText } from '@locmetrics/cluster/clickhouse/quote-text';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { templatesFolder } from '../support/run-folder.ts';

/** The folder in which `npm run test:clickhouse` has installed chDB; undefined in other runs. */
export const CHDB_FOLDER = process.env['LOCMETRICS_TEST_CHDB'];

/**
 * A ClickHouse in this process, behind the interface of the driver. chDB has one folder of data in a process, so all
 * drivers share it; each test has a database of its own.
 */
export function openChdbDriver(): ClickhouseDriver {
  opened ??= openSessions();
  const sessions = opened;
  const run = async (sql: string): Promise<void> => {
    await told(sessions, (work) => work.queryAsync(sql));
  };
  return {
    query: async ({ text, parameters }, { settings, signal }) => {
      signal.throwIfAborted();
      const mark = randomUUID();
      const sql = `${text} ${settingsSql(settings)}, log_comment = '${mark}'`;
      const bound = Object.entries(boundValues(parameters)).map(
        ([name, value]) => [name, toChdb(value)] as const,
      );
      const running = told(sessions, (work) =>
        work.queryBindAsync(sql, Object.fromEntries(bound), { format: ROWS_FORMAT }),
      );
      const result = await killedBy(signal, mark, sessions.control, running);
      return parseRows(result.text());
    },
    insertFile: async ({ table, columns }, path, { settings }) => {
      const names = columns.map((name) => `"${name}"`).join(', ');
      await run(
        `INSERT INTO ${table} (${names}) ${settingsSql(settings)} SELECT ${names} FROM file('${path}', Parquet)`,
      );
    },
    writeFile: async (text, path, { settings }) => {
      await run(`${text} INTO OUTFILE '${path}' FORMAT Parquet ${settingsSql(settings)}`);
    },
    command: run,
    close: async () => {},
  };
}

/** The part of chDB that is used here. It has no types where it is not installed. */
type Chdb = { readonly Session: new (path: string) => ChdbSession };
type ChdbSession = {
  readonly queryAsync: (sql: string, options?: ChdbOptions) => Promise<ChdbResult>;
  readonly queryBindAsync: (
    sql: string,
    parameters: Readonly<Record<string, BoundValue>>,
    options?: ChdbOptions,
  ) => Promise<ChdbResult>;
  readonly close: () => void;
};
type ChdbOptions = { readonly format: string };
type ChdbResult = { readonly text: () => string };

type Sessions = {
  readonly open: () => ChdbSession;
  readonly control: ChdbSession;
  work: ChdbSession;
};
let opened: Sessions | undefined;

/** A cluster whose two shards never answer, because nothing listens to the port. */
export const UNREACHABLE_CLUSTER = 'unreachable';
const SHARD = '<shard><replica><host>127.0.0.1</host><port>1</port></replica></shard>';
const CONFIGURATION = `<clickhouse>
  <remote_servers><${UNREACHABLE_CLUSTER}>${SHARD}${SHARD}</${UNREACHABLE_CLUSTER}></remote_servers>
</clickhouse>`;

function openSessions(): Sessions {
  if (CHDB_FOLDER === undefined) throw new Error('chDB is installed by npm run test:clickhouse.');
  // Its types are those of the package, which is not installed with the others.
  const { Session } = createRequire(join(CHDB_FOLDER, 'package.json'))('chdb') as Chdb;
  const folder = mkdtempSync(join(templatesFolder(), 'chdb-'));
  const open = () => new Session(join(folder, 'data'));
  // It reads its configuration from the working directory when it is opened first.
  writeFileSync(join(folder, 'config.xml'), CONFIGURATION);
  const before = process.cwd();
  process.chdir(folder);
  try {
    return { open, work: open(), control: open() };
  } finally {
    process.chdir(before);
  }
}

/** The interval of repeated attempts to stop a query, for one that came before it started. */
const KILL_AGAIN_MS = 20;

/** The result, or the reason of the signal once the query has ended. */
async function killedBy<Result>(
  signal: StopSignal,
  mark: string,
  control: ChdbSession,
  running: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const kill = (): void => {
    // chDB gives queries ids of its own.
    const isMarked = `Settings['log_comment'] = '${mark}'`;
    control.queryAsync(`KILL QUERY WHERE ${isMarked} ASYNC`).catch(() => {});
    timer = setTimeout(kill, KILL_AGAIN_MS);
  };
  signal.addEventListener('abort', kill, { once: true });
  try {
    const result = await running;
    signal.throwIfAborted();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

/** Random statements are not worth machine code, which ClickHouse would make of each that has run three times. */
const INTERPRETED: ClickhouseSettings = {
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
};

function settingsSql(settings: ClickhouseSettings): string {
  const pairs = Object.entries({ ...INTERPRETED, ...settings }).map(
    ([name, value]) => `${name} = ${typeof value === 'string' ? quoteText(value) : value}`,
  );
  return `SETTINGS ${pairs.join(', ')}`;
}

/** chDB refuses numbers that JavaScript may have rounded, and those that are not finite, but not their text. */
function toChdb(value: BoundValue): BoundValue {
  if (typeof value === 'number') return value === Number.POSITIVE_INFINITY ? 'inf' : String(value);
  if (typeof value !== 'object') return value;
  return value.map((one) => (Number.isInteger(one) ? BigInt(one) : one));
}

/**
 * The result, or the error of the database with its number. What chDB had written of an answer before an error comes
 * before the next answer of the session, so each session ends with its first error.
 */
async function told<Result>(
  sessions: Sessions,
  run: (work: ChdbSession) => Promise<Result>,
): Promise<Result> {
  const { work } = sessions;
  try {
    return await run(work);
  } catch (error) {
    if (sessions.work === work) {
      sessions.work = sessions.open();
      work.close();
    }
    const code =
      error instanceof Error && 'clickhouseCode' in error ? Number(error.clickhouseCode) : 0;
    throw new ClickhouseError(code, error instanceof Error ? error.message : String(error), error);
  }
}
