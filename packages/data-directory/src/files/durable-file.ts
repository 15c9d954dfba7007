import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file and syncs it to the disk. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a file by renaming a draft, so that a reader sees either the old or the new content. */
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

/** Syncs the entries of a folder to the disk. */
export function syncDirectory(path: string): Promise<void> {
  return sync(path, 'r');
}

/** Syncs the content of a file to the disk. */
export function syncFile(path: string): Promise<void> {
  return sync(path, 'r+');
}

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Changes when a rename replaces the file. A stat takes microseconds, so each request can check it. */
export function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
}
