import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { isNoSpace } from '@locmetrics/data-directory/sqlite/disk-full';
import type { UsageFiles } from './usage-files.ts';

/**
 * A file among the segments that says in which PostgreSQL their records are. A command without its address must not
 * merge them into the file of the data directory, where nobody would look for them.
 */
const MARK = 'merged-into-postgres';

/** `address`: without user and password. */
export function markMergedIntoPostgres(files: UsageFiles, address: string): void {
  if (readMark(files) === address) return;
  try {
    mkdirSync(files.segments, { recursive: true, mode: 0o700 });
    writeFileSync(pathOf(files), `${address}\n`, { mode: 0o600 });
  } catch (error) {
    // Merging frees space, so it must go on without the mark.
    if (!isNoSpace(error)) throw error;
  }
}

/** From now on the segments are merged into the file of the data directory. */
export function markMergedIntoFile(files: UsageFiles): void {
  rmSync(pathOf(files), { force: true });
}

/** Throws a ControlError if the segments are merged into PostgreSQL. */
export function expectMergedIntoFile(files: UsageFiles): void {
  const address = readMark(files);
  if (address === undefined) return;
  throw new ControlError(
    `The usage of this data directory is merged into PostgreSQL at ${address}, not into ${files.store}.`,
    'Name that PostgreSQL with --control.',
    {
      forCallers: {
        message: 'The usage store of this node is not set up.',
        hint: 'Report it to the operator of the service.',
      },
    },
  );
}

function readMark(files: UsageFiles): string | undefined {
  try {
    return readFileSync(pathOf(files), 'utf8').trim();
  } catch {
    return undefined;
  }
}

function pathOf({ segments }: UsageFiles): string {
  return join(segments, MARK);
}
