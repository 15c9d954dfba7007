import { existsSync, globSync } from 'node:fs';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { runProgram } from './run-program.ts';
import { startProgram } from './start-program.ts';

export type Postgresql = AsyncDisposable & {
  readonly uri: string;
  /** Runs statements or psql commands, and returns their output. */
  readonly run: (statements: string) => Promise<string>;
};

/**
 * A PostgreSQL to compare with: the one of DATABASE_URL, or a new cluster of the machine's PostgreSQL, which
 * listens only on a socket in the work folder.
 */
export async function openPostgresql({
  folder,
  work,
}: {
  /** The folder that keeps the cluster for later runs. */
  readonly folder: string;
  readonly work: string;
}): Promise<Postgresql> {
  const given = process.env['DATABASE_URL'];
  const programs = findPrograms();
  if (given !== undefined)
    return { uri: given, run: psql(programs, given), [Symbol.asyncDispose]: async () => {} };
  const user = await findUser();
  const socketFolder = join(work, 'socket');
  await mkdir(socketFolder, { mode: 0o700 });
  if (user !== undefined) {
    await chown(socketFolder, user.uid, user.gid);
    // PostgreSQL must be able to enter the folder to reach its socket and files, but not to list it.
    await chmod(work, 0o711);
  }
  const data = join(folder, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (user !== undefined) await chown(folder, user.uid, user.gid);
    const settings = ['--username=bench', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
    await runProgram(join(programs, 'initdb'), ['-D', data, ...settings], {
      ...user,
      directory: folder,
    });
  }
  const program = startProgram({
    command: join(programs, 'postgres'),
    parameters: ['-D', data, '-k', socketFolder, ...settingsOf(totalmem())],
    logFile: join(work, 'postgresql.log'),
    // A fast shutdown disconnects clients instead of waiting for them.
    stopSignal: 'SIGINT',
    ...user,
  });
  try {
    await program.untilItLogs(/ready to accept connections/);
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
  const uri = `postgresql:///postgres?user=bench&host=${encodeURIComponent(socketFolder)}`;
  return {
    uri,
    run: psql(programs, uri),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

function psql(programs: string, uri: string): Postgresql['run'] {
  const { address, password } = splitPassword(uri);
  return (statements) =>
    runProgram(
      join(programs, 'psql'),
      ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', address],
      {
        input: statements,
        environment: { ...process.env, ...password },
      },
    );
}

/** Other users of the machine can see the arguments of a program, but not its environment. */
function splitPassword(uri: string): {
  readonly address: string;
  readonly password: { readonly PGPASSWORD?: string };
} {
  const url = URL.parse(uri);
  if (url === null || url.password === '') return { address: uri, password: {} };
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { address: url.href, password: { PGPASSWORD: password } };
}

/** The newest PostgreSQL of Debian, or the one in PATH. */
function findPrograms(): string {
  const found = [
    ...globSync('/usr/lib/postgresql/*/bin/psql').sort((a, b) => versionIn(b) - versionIn(a)),
    ...(process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'psql')),
  ].find(existsSync);
  if (found === undefined) {
    throw new Error(
      'There is no PostgreSQL on this machine, which the peers run on. Install it: apt-get install postgresql',
    );
  }
  return dirname(found);
}

function versionIn(path: string): number {
  return Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0);
}

/** PostgreSQL refuses to run as root. Then its own user runs it. */
async function findUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string): Promise<number> =>
    Number(await runProgram('id', [flag, 'postgres']));
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** The settings that its manual recommends for a dedicated machine with a solid-state disk. */
function settingsOf(memoryBytes: number): readonly string[] {
  const megabytes = Math.floor(memoryBytes / 2 ** 20);
  const settings = {
    listen_addresses: '',
    shared_buffers: `${Math.min(8192, Math.floor(megabytes / 4))}MB`,
    effective_cache_size: `${Math.floor(megabytes / 2)}MB`,
    work_mem: '32MB',
    maintenance_work_mem: '512MB',
    max_wal_size: '4GB',
    random_page_cost: '1.1',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
