import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCHEMA } from '@locmetrics/cluster/postgres/open-postgres';
import { Client } from 'pg';
import { onTestFinished, TestRunner } from 'vitest';
import { freePort } from '../support/listen-locally.ts';
import { templatesFolder } from '../support/run-folder.ts';
import { until } from '../support/until.ts';
import { SERVER_PREFIX } from './end-servers.ts';

/** The PostgreSQL of this process of tests, on a free port of this machine. */
export type RunningPostgres = {
  /**
   * The URL of an empty database, which the next test may get too, without its tables. With the name of a kind it may have
   * the tables of an earlier test that gave the same name, without their rows: then a test that migrates is faster. A test that
   * changes the tables themselves gives no kind.
   */
  readonly createDatabase: (kind?: string) => Promise<string>;
  /** Ends it as a shutdown does (`fast`), or as a crash does (`immediate`). */
  readonly stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Stops all its processes where they are (SIGSTOP), until `resume`: it accepts connections and answers nothing. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Starts it again on the same port, with its data. */
  readonly start: () => Promise<void>;
  /** Leaves it, running and with free databases, to the next test file. */
  readonly end: () => Promise<void>;
};

/** Whether Debian's PostgreSQL is installed. */
export function hasPostgres(): boolean {
  return findPrograms() !== undefined;
}

let running: Promise<RunningPostgres> | undefined;

/** Starts it with the first call in this process of tests; it ends with the run. */
export async function startPostgres(): Promise<RunningPostgres> {
  running ??= startServer();
  const server = await running;
  await server.start();
  return server;
}

async function startServer(): Promise<RunningPostgres> {
  const programs = findPrograms();
  if (programs === undefined) {
    throw new Error('There is no PostgreSQL. Install it: apt-get install postgresql');
  }
  const user = postgresUser();
  const data = mkdtempSync(join(templatesFolder(), SERVER_PREFIX));
  if (user !== undefined) {
    chownSync(data, user.uid, user.gid);
    // Its user must be able to enter the folders above its own, but not to list them.
    for (const path of [tmpdir(), templatesFolder()]) {
      chmodSync(path, (statSync(path).mode & 0o7777) | 0o011);
    }
  }
  const port = await freePort();
  const options = { ...user, stdio: 'ignore' as const, cwd: data };
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '--username=tests', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '-N'],
    options,
  );
  let server: ChildProcess | undefined;
  const isRunning = (): boolean => server?.exitCode === null && server.signalCode === null;
  process.once('exit', () => server?.kill('SIGQUIT'));
  const url = (database: string): string => `postgres://tests@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<void> => {
    if (isRunning()) return;
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      // The machine itself does not crash, so nothing needs to reach the disk.
      fsync: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(programs, 'postgres'), ['-D', data, ...flags], options);
    server.unref();
    await until(() => {
      if (!isRunning()) throw new Error('PostgreSQL ended as it started.');
      return answers(url('postgres'));
    });
  };
  const stop = async (mode: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    if (!isRunning()) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server?.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  };
  let paused: readonly number[] = [];
  const pause = (): void => {
    const postmaster = server?.pid;
    if (postmaster === undefined) throw new Error('PostgreSQL does not run.');
    process.kill(postmaster, 'SIGSTOP');
    // Its children are processes of their own, and it starts no more of them now.
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    paused = [postmaster, ...(children.match(/\d+/g) ?? []).map(Number)];
    for (const pid of paused) signal(pid, 'SIGSTOP');
  };
  const resume = (): void => {
    for (const pid of paused) signal(pid, 'SIGCONT');
    paused = [];
  };
  const databases = reusedDatabases(url);
  return {
    createDatabase: databases.take,
    stop,
    start,
    pause,
    resume,
    end: async () => {
      resume();
      databases.giveBackAll();
    },
  };
}

/** A database takes ten times as long to create as to empty, so a test gives its own back to the tests after it. */
function reusedDatabases(url: (database: string) => string): {
  readonly take: (kind?: string) => Promise<string>;
  readonly giveBackAll: () => void;
} {
  /** The free ones, with the kind of their tables. */
  const free: { readonly name: string; readonly kind: string | undefined }[] = [];
  const taken = new Map<string, string | undefined>();
  let created = 0;
  const run = async (database: string, ...statements: readonly string[]): Promise<void> => {
    const client = new Client({ connectionString: url(database) });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const giveBack = (name: string): void => {
    if (taken.has(name)) free.push({ name, kind: taken.get(name) });
    taken.delete(name);
  };
  const takeFree = async (kind: string | undefined): Promise<string | undefined> => {
    const index = free.findLastIndex((one) => one.kind === kind);
    const [found] = index === -1 ? free.splice(-1) : free.splice(index, 1);
    if (found === undefined) return undefined;
    const isEmptied = kind !== undefined && found.kind === kind;
    await run(found.name, END_OTHER_CONNECTIONS, isEmptied ? EMPTY_TABLES : DROP_TABLES);
    return found.name;
  };
  return {
    take: async (kind) => {
      let name = await takeFree(kind);
      if (name === undefined) {
        created += 1;
        name = `database_${created}`;
        await run('postgres', `CREATE DATABASE ${name}`);
      }
      const own = name;
      taken.set(own, kind);
      // One that is not of a single test is given back at the end of the file.
      if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => giveBack(own));
      return url(own);
    },
    giveBackAll: () => {
      for (const name of [...taken.keys()]) giveBack(name);
    },
  };
}

const END_OTHER_CONNECTIONS = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const DROP_TABLES = `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`;

/** Without triggers, which refuse some of it; then with the rows that migrations add. */
const EMPTY_TABLES = `SET session_replication_role = replica;
  DO $$ DECLARE one text; BEGIN
    FOR one IN SELECT tablename FROM pg_tables
      WHERE schemaname = '${SCHEMA}' AND tablename <> 'schema_version'
    LOOP
      EXECUTE format('DELETE FROM ${SCHEMA}.%I', one);
      IF one IN ('store', 'current_versions') THEN
        EXECUTE format('INSERT INTO ${SCHEMA}.%I DEFAULT VALUES', one);
      END IF;
    END LOOP;
  END $$`;

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // A child may have ended by itself.
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function findPrograms(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin').sort().at(-1);
}

/** PostgreSQL refuses to run as root. Then its own user runs it. */
function postgresUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
