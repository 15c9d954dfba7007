import { existsSync } from 'node:fs';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import type { DataDirectory } from './data-directory.ts';

/**
 * Refuses a data directory that mirrors a shared store: a change in it alone would be undone by the next change of that
 * store, or would make answers of this node differ. `refused` completes the sentence: `so nothing can be switched in it`.
 */
export function refuseMirror({ root, mirror }: DataDirectory, refused: string): void {
  if (!existsSync(mirror)) return;
  throw new DataDirectoryError(
    `${root} is a mirror of a PostgreSQL that several nodes share, so ${refused} alone.`,
    'Name that PostgreSQL and the ClickHouse of the nodes with --control and --clickhouse, or another directory with --data.',
  );
}
