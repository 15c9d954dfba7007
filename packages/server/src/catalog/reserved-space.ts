import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';

/** More than `current.json` grows to. */
const RESERVED_BYTES = 2 ** 19;

/**
 * Writes a small file with room that is kept for the time when the disk is full: to go back to an
 * earlier version, and to give up old ones, must be possible then.
 */
export async function withReservedSpace(
  { root }: Pick<DataDirectory, 'root'>,
  write: () => Promise<void>,
): Promise<void> {
  const path = join(root, 'reserve');
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    await rm(path, { force: true });
    await write();
  }
  const size = (await stat(path).catch(() => undefined))?.size;
  if (size === RESERVED_BYTES) return;
  // Where there is no room for it now, the next switch takes it.
  await writeFile(path, Buffer.alloc(RESERVED_BYTES)).catch(() => rm(path, { force: true }));
}
