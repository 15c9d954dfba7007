import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readCurrentFile } from './current-file.ts';
import { type DataDirectory, VERSION_FILE } from './data-directory.ts';
import { readDerived } from './own-derived.ts';
import type { ReadOptions } from './read-version.ts';
import { verifyDerived } from './verify-version.ts';
import { readVersionFile } from './version-file.ts';
import type { LeasedVersion } from './version-lease.ts';

export type CheckedFiles = LeasedVersion & {
  /** Why the derived files cannot be used, as a sentence; absent if they are as they were written. */
  readonly problem?: string;
};

/**
 * Checks the derived files of versions, each once, as long as they do not change. Those of a version that was
 * published since then count as checked: the publish has just read them for their checksums.
 */
export type DerivedFileChecks = {
  readonly check: (version: LeasedVersion) => Promise<CheckedFiles>;
  /** Checks those of all current versions, one after the other. */
  readonly checkCurrent: () => Promise<void>;
  readonly close: () => void;
};

type Known = { readonly state: string; readonly checked: Promise<CheckedFiles> };

export function openDerivedFileChecks(
  directory: DataDirectory,
  onProblem: (found: Required<CheckedFiles>) => void,
  { isInDatabase }: ReadOptions = {},
): DerivedFileChecks {
  const openedMs = Date.now();
  const known = new Map<string, Known>();
  const closing = new AbortController();
  /** One after the other, because each reads whole files. */
  let last: Promise<unknown> = Promise.resolve();
  const verify = async ({ datasetName, version }: LeasedVersion): Promise<CheckedFiles> => {
    const { signal } = closing;
    const folder = directory.version(datasetName, version);
    const { problem } = await verifyDerived(folder, { signal, isInDatabase });
    if (problem === undefined) return { datasetName, version };
    onProblem({ datasetName, version, problem });
    return { datasetName, version, problem };
  };
  const check = (one: LeasedVersion): Promise<CheckedFiles> => {
    const folder = directory.version(one.datasetName, one.version);
    const state = stateOf(folder);
    const before = known.get(folder);
    if (before?.state === state) return before.checked;
    const isNew = before === undefined && isPublishedSince(folder, openedMs);
    const checked = isNew ? Promise.resolve(one) : last.then(() => verify(one));
    if (!isNew) last = checked.catch(() => {});
    // A version that is kept no more is forgotten with the next one that is checked.
    for (const other of known.keys()) if (stateOf(other) === '') known.delete(other);
    known.set(folder, { state, checked });
    return checked;
  };
  return {
    check,
    checkCurrent: async () => {
      const { datasets } = readCurrentFile(directory.current);
      for (const [datasetName, { version }] of Object.entries(datasets)) {
        await check({ datasetName, version });
      }
    },
    close: () => closing.abort(),
  };
}

function isPublishedSince(folder: string, timeMs: number): boolean {
  try {
    return Date.parse(readVersionFile(folder)?.version.publishedTime ?? '') >= timeMs;
  } catch {
    return false;
  }
}

/** Changes whenever the files do; empty without a description of the version. */
function stateOf(folder: string): string {
  try {
    const file = readVersionFile(folder);
    const derived = file === undefined ? {} : readDerived(folder, file);
    const names = [VERSION_FILE, ...Object.keys(derived)];
    return names
      .map((name) => {
        const found = statSync(join(folder, name), { throwIfNoEntry: false });
        return `${name} ${found?.ino} ${found?.size} ${found?.mtimeMs}`;
      })
      .join(', ');
  } catch {
    return '';
  }
}
