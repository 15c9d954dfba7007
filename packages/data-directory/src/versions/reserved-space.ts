import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.ts';

/** Larger than `current.json` can grow. */
const RESERVED_BYTES = 2 ** 19;

/**
 * Writes a small file, using space that is reserved for the case of a full disk: a rollback to an earlier
 * version, and dropping old ones, must be possible then.
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
  // If there is no space for it now, the next switch reserves it.
  await writeFile(path, Buffer.alloc(RESERVED_BYTES)).catch(() => rm(path, { force: true }));
}
