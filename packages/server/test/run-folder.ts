import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endServers } from './postgres/end-servers.ts';

const TEMPLATES = 'templates';

/** The folder of the data that the tests of a run share. */
export function templatesFolder(): string {
  return join(tmpdir(), TEMPLATES);
}

/** The command as an installation has it: a link in a folder of the PATH. */
export function installedCommandOf(runFolder: string): string {
  return join(runFolder, TEMPLATES, 'locmetrics');
}

const ENTRY_POINT = fileURLToPath(new URL('../bin/locmetrics.js', import.meta.url));

/** Compiled code of the processes that tests start, kept for the next run. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/**
 * Run by vitest before all tests of a run: gives them a temporary folder of their own, and fails after them
 * if they left something in it.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'locmetrics-tests-'));
  await mkdir(join(folder, TEMPLATES));
  await symlink(ENTRY_POINT, installedCommandOf(folder));
  process.env['TMPDIR'] = folder;
  // Most of the processor time of a short process is otherwise spent on compiling the same modules.
  process.env['NODE_COMPILE_CACHE'] = COMPILED;
  return async () => {
    await endServers(join(folder, TEMPLATES));
    const left = (await readdir(folder)).filter((name) => name !== TEMPLATES);
    await rm(folder, { recursive: true });
    if (left.length > 0) throw new Error(`The tests left files behind: ${left.join(', ')}`);
  };
}
