import { existsSync } from 'node:fs';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { replaceDurably } from '@locmetrics/data-directory/files/durable-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { listVersionFolders } from '@locmetrics/data-directory/versions/list-version-folders';
import { readIfPresent } from '@locmetrics/data-directory/versions/version-file';
import type { SeenState } from '../postgres/change-log.ts';

/** `mirror.json`: which state of the shared store the files are. */
type MirrorMark = {
  readonly format: 1;
  readonly storeId: string;
  /** The number of the last change; null while the mirror is made for the first time. */
  readonly number: number | null;
  /** Whether anything was published, so that there must be a `current.json`. */
  readonly hasCurrent: boolean;
};

/**
 * The state that the files are; undefined if that is not known, so that all must be copied. A damaged mark, and a lost
 * `current.json`, are such cases.
 */
export function readMirrorMark({ mirror, current }: DataDirectory): SeenState | undefined {
  const text = readIfPresent(mirror);
  if (text === undefined) return undefined;
  try {
    const mark: { readonly [Key in keyof MirrorMark]?: unknown } = Object(JSON.parse(text));
    const { storeId, number, hasCurrent } = mark;
    if (typeof storeId !== 'string' || typeof number !== 'number') return undefined;
    return hasCurrent === existsSync(current) ? { storeId, number } : undefined;
  } catch {
    return undefined;
  }
}

export async function writeMirrorMark(
  { mirror, current }: DataDirectory,
  state: Pick<MirrorMark, 'storeId' | 'number'>,
): Promise<void> {
  const { storeId, number } = state;
  const mark: MirrorMark = { format: 1, storeId, number, hasCurrent: existsSync(current) };
  await replaceDurably(mirror, `${JSON.stringify(mark)}\n`);
}

/** Whether it has versions that no shared store knows of: it is no mirror, and something was published in it. */
export function hasOwnVersions(directory: DataDirectory): boolean {
  if (existsSync(directory.mirror)) return false;
  return existsSync(directory.current) || listVersionFolders(directory).length > 0;
}

/** Refuses a data directory with versions of its own: a mirror removes what is not in the shared store. */
export function refuseOwnVersions(directory: DataDirectory): void {
  if (!hasOwnVersions(directory)) return;
  throw new DataDirectoryError(
    `${directory.root} has its own versions, which a mirror of the shared store would remove.`,
    'If nothing is published in the shared store yet, share them: locmetrics clickhouse load. Otherwise name another data directory with --data, and publish these datasets again.',
  );
}
