import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataDirectoryError } from './data-directory-error.ts';
import { parseFormat } from './parse-format.ts';
import { readIfPresent } from './version-file.ts';

/**
 * `current.json`: which version of each dataset is current, and since when each was. It is replaced
 * by one atomic rename, so a reader sees the state before a publish or the state after it.
 */
export type CurrentFile = {
  readonly format: 1;
  readonly datasets: Readonly<Record<string, CurrentDataset>>;
};

export type CurrentDataset = {
  readonly version: string;
  /** Oldest first; the last is the current one. `since` is RFC 3339, UTC. */
  readonly history: readonly { readonly version: string; readonly since: string }[];
};

export const NOTHING_CURRENT: CurrentFile = { format: 1, datasets: {} };

export function readCurrentFile(path: string): CurrentFile {
  const text = readIfPresent(path);
  if (text === undefined) return NOTHING_CURRENT;
  const file = parseFormat(text, { path, hint: DAMAGED_HINT });
  if (!('datasets' in file) || !areDatasets(file.datasets)) {
    throw new DataDirectoryError(`${path} is damaged: it names no versions.`, DAMAGED_HINT);
  }
  return { format: 1, datasets: file.datasets };
}

const DAMAGED_HINT = 'Restore it from a backup, or remove it and publish every dataset again.';

/** The file is replaced whole, so what has the right outline is whole. */
function areDatasets(value: unknown): value is CurrentFile['datasets'] {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (one: unknown) =>
        typeof one === 'object' &&
        one !== null &&
        'version' in one &&
        typeof one.version === 'string' &&
        'history' in one &&
        Array.isArray(one.history),
    )
  );
}

export async function replaceCurrentFile(path: string, file: CurrentFile): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeDurably(draft, `${JSON.stringify(file, null, 2)}\n`);
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

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

/** Waits until the names in a folder are on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
