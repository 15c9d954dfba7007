import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** A PostgreSQL of its own, on a free port of this machine. */
export type RunningPostgres = {
  /** The URL of a new, empty database. */
  readonly createDatabase: () => Promise<string>;
  /** Ends it as a shutdown does (`fast`), or as a crash does (`immediate`). */
  readonly stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Stops all its processes where they are (SIGSTOP), until `resume`: it accepts connections and answers nothing. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Starts it again on the same port, with its data. */
  readonly start: () => Promise<void>;
  /** Stops it and removes its data. */
  readonly end: () => Promise<void>;
};

/** Whether Debian's PostgreSQL is installed. */
export function hasPostgres(): boolean {
  return findPrograms() !== undefined;
}

export async function startPostgres(): Promise<RunningPostgres> {
  const programs = findPrograms();
  if (programs === undefined) {
    throw new Error('There is no PostgreSQL. Install it: apt-get install postgresql');
  }
  const user = postgresUser();
  const folder = mkdtempSync(join(tmpdir(), 'locmetrics-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (user !== undefined) {
    for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
    // Its user must be able to enter the folders above its own, but not to list them.
    for (const path of [tmpdir(), folder]) chmodSync(path, (statSync(path).mode & 0o7777) | 0o011);
  }
  const port = await freePort();
  const options = { ...user, stdio: 'ignore' as const, cwd: folder };
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '--username=tests', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '-N'],
    options,
  );
  let server: ChildProcess | undefined;
  const url = (database: string): string => `postgres://tests@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<void> => {
    // The machine itself does not crash, so nothing needs to reach the disk.
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      fsync: 'off',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    server = spawn(join(programs, 'postgres'), ['-D', data, ...flags], options);
    for (let waited = 0; waited < 300 && server.exitCode === null; waited += 1) {
      if (await answers(url('postgres'))) return;
      await sleep(100);
    }
    throw new Error('PostgreSQL did not start within 30 s.');
  };
  const stop = async (mode: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
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
  let databases = 0;
  await start();
  return {
    createDatabase: async () => {
      databases += 1;
      const name = `database_${databases}`;
      const client = new Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return url(name);
    },
    stop,
    start,
    pause,
    resume,
    end: async () => {
      resume();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      server.close(() => resolve(port));
    });
  });
}
