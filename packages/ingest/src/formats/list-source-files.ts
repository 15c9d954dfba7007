import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAddress } from '../manifest/source-address.ts';

/**
 * The files of a manifest. In the name of a file, `*` stands for any characters; the files that match it follow in the
 * order of their names. Addresses stay as they are. A file whose own name has the `*` is meant itself. A pattern that nothing matches stays as it is.
 */
export async function listSourceFiles(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) files.push(...(isPattern(path) ? await listMatches(path) : [path]));
  return [...new Set(files)];
}

/** Whether the name has a `*`. Those in the names of folders mean themselves. */
export function isPattern(path: string): boolean {
  return !isAddress(path) && basename(path).includes('*');
}

async function listMatches(path: string): Promise<readonly string[]> {
  if (await stat(path).catch(() => undefined)) return [path];
  const folder = dirname(path);
  const parts = basename(path).split('*').map(RegExp.escape);
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'su');
  const entries = await readdir(folder).catch(() => []);
  const names = entries.filter((name) => !name.startsWith('.') && pattern.test(name));
  return names.length === 0 ? [path] : names.toSorted().map((name) => join(folder, name));
}
