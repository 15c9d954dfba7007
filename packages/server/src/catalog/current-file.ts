import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
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
  // Written whole by `replaceCurrentFile`.
  const file = JSON.parse(text) as CurrentFile;
  if (file.format !== 1) {
    throw new Error(`${path} was written by a newer version of locmetrics.`);
  }
  return file;
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
