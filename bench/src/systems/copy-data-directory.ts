import { cp, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Locmetrics } from './locmetrics.ts';

/** A file of a version: of the column store, or of the row store. */
export type VersionFile = 'records.duckdb' | 'rows.sqlite';

/** Copies a data directory, also one that is served, as for another machine: without some files of its versions. */
export async function copyDataDirectory(
  locmetrics: Pick<Locmetrics, 'directory' | 'backUp'>,
  target: string,
  { without }: { readonly without: readonly VersionFile[] },
): Promise<void> {
  const left: readonly string[] = without;
  await mkdir(target, { mode: 0o700 });
  for (const name of ['versions', 'current.json']) {
    await cp(join(locmetrics.directory, name), join(target, name), {
      recursive: true,
      filter: (path) => !left.includes(basename(path)),
    });
  }
  // Its stores of SQLite cannot be copied as files while it is served.
  await locmetrics.backUp(target);
}
