import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file and waits until it is on the disk. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a file by one rename of a draft, so that a reader sees what was before or what is after. */
export async function replaceDurably(
  path: string,
  text: string,
  draft = `${path}.tmp`,
): Promise<void> {
  try {
    await writeDurably(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Waits until the names in a folder are on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Names what a rename replaces: a stat costs a few microseconds, so each request sees a publish. */
export function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}
