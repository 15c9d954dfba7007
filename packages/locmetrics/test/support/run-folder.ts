import { mkdir, mkdtemp, readdir, readFile, rm, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { endServers } from '../postgres/end-servers.ts';

const TEMPLATES = 'templates';

/** The folder of the data that the tests of a run share. */
export function templatesFolder(): string {
  return join(tmpdir(), TEMPLATES);
}

/** The command as an installation has it: a link in a folder of the PATH. */
export function installedCommandOf(runFolder: string): string {
  return join(runFolder, TEMPLATES, 'locmetrics');
}

const ENTRY_POINT = fileURLToPath(new URL('../../bin/locmetrics.js', import.meta.url));

/** Compiled code of the processes that tests start, kept for the next run. */
const COMPILED = fileURLToPath(
  new URL('../../../../node_modules/.cache/compiled', import.meta.url),
);

/**
 * Run by vitest before all tests of a run: gives them a temporary folder of their own, and fails after them
 * if they left something in it. A run that has failed does not say so, because a failed test may leave something.
 */
export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const parent = await findFastFolder();
  await removeLeftFolders(parent);
  const folder = await mkdtemp(join(parent, `locmetrics-tests-${process.pid}-`));
  await mkdir(join(folder, TEMPLATES));
  await symlink(ENTRY_POINT, installedCommandOf(folder));
  process.env['TMPDIR'] = folder;
  // Most of the processor time of a short process is otherwise spent on compiling the same modules.
  process.env['NODE_COMPILE_CACHE'] = COMPILED;
  return async () => {
    await endServers(join(folder, TEMPLATES));
    const left = (await readdir(folder)).filter((name) => name !== TEMPLATES);
    const files = await Promise.all(left.map((name) => listWithFiles(folder, name)));
    await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
    if (left.length === 0 || vitest.state.getFailedFilepaths().length > 0) return;
    throw new Error(`The tests left files behind: ${files.join('; ')}`);
  };
}

/** Removes the folders of runs that were killed, which would take memory. */
async function removeLeftFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid] = /^locmetrics-tests-([0-9]+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user may not be asked.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * A folder in memory, if it has room for a run: nothing there waits for a disk, and small files take a quarter less of the
 * processor. A folder in the TMPDIR is used instead if that variable is set.
 */
async function findFastFolder(): Promise<string> {
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  const memory = await statfs(IN_MEMORY).catch(() => undefined);
  const isLarge = memory !== undefined && memory.bavail * memory.bsize > RUN_BYTES_MAX;
  const hasRoom = isLarge && process.availableMemory() > RUN_BYTES_MAX;
  return hasRoom && (await canRunPrograms()) ? IN_MEMORY : tmpdir();
}

/** Tests write programs and run them, which the mount of a container may not allow. */
async function canRunPrograms(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8');
  return !mounts
    .split('\n')
    .some((mount) => mount.includes(` ${IN_MEMORY} `) && /\bnoexec\b/.test(mount));
}

const IN_MEMORY = '/dev/shm';
const RUN_BYTES_MAX = 4 * 2 ** 30;

/** A name, with those of the files in it, which tell what wrote them. */
async function listWithFiles(folder: string, name: string): Promise<string> {
  const files = await readdir(join(folder, name)).catch(() => []);
  return files.length === 0 ? name : `${name} with ${files.join(', ')}`;
}
