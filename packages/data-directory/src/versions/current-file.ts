import { dirname } from 'node:path';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { replaceDurably } from '../files/durable-file.ts';
import { readSealed, sealedText } from '../files/sealed-json.ts';
import { dataDirectory } from './data-directory.ts';
import { listVersionFolders } from './list-version-folders.ts';
import { withReservedSpace } from './reserved-space.ts';
import { readIfPresent } from './version-file.ts';

/**
 * `current.json`: the current version of each dataset, its history, and the versions that callers can
 * query. It is replaced by one atomic rename, so a reader sees either the state before a switch or the
 * state after it.
 *
 * One file has the state of all datasets, so a publish, a rollback, a withdrawal and a removal each need one rename,
 * under a lock that is held for milliseconds. A rollback therefore waits for no publish. If another switch happens
 * during a publish, the publish checks its version again.
 *
 * If the file is lost or damaged, a running service continues with the versions that it knows. The first publish
 * writes the file before it moves a version into place, so versions without the file always mean that the file was
 * lost. It has a checksum, because removals depend on it.
 */
export type CurrentFile = {
  readonly format: 2;
  /** The number of the last switch. Every withdrawal is a switch, even of a version that was not current. */
  readonly lastSwitch: number;
  /**
   * When this file was rebuilt from the versions, RFC 3339, UTC; absent if it never was. How long each
   * version was current before that time is not known.
   */
  readonly recovered?: string;
  readonly datasets: Readonly<Record<string, CurrentDataset>>;
  /** Oldest first; absent if there are none. A dataset that was published again is also listed above. */
  readonly removed?: readonly RemovedDataset[];
};

/** A removed dataset. */
export type RemovedDataset = {
  readonly dataset: string;
  /** The version that was current. */
  readonly version: string;
  /** The versions that callers could query. */
  readonly kept: readonly string[];
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly switch: number;
};

export type CurrentDataset = {
  readonly version: string;
  /** Oldest first; the last is the current one. */
  readonly history: readonly HistoryEntry[];
  /** The versions that callers can query, including the current one. All others may be removed. */
  readonly kept: readonly string[];
  /** Oldest first. */
  readonly withdrawn: readonly WithdrawnVersion[];
};

export type HistoryEntry = {
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly since: string;
  readonly by: SwitchKind;
  /** The number of the switch, the same for all its datasets; later switches have greater numbers. */
  readonly switch: number;
};

export type SwitchKind = 'publish' | 'rollback' | 'withdrawal' | 'removal';

export type WithdrawnVersion = {
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly switch: number;
};

export const NOTHING_CURRENT: CurrentFile = { format: 2, lastSwitch: 0, datasets: {} };

/** Returns the object `NOTHING_CURRENT` if nothing was ever published and there is no file yet. */
export function readCurrentFile(path: string): CurrentFile {
  const text = readIfPresent(path) ?? readUnlessLost(path);
  return text === undefined ? NOTHING_CURRENT : parseCurrentFile(text, path);
}

/** Parses the text of `current.json`; `path` is for messages. */
export function parseCurrentFile(text: string, path: string): CurrentFile {
  const file = readSealed(text, { path, hint: DAMAGED_HINT, formats: [1, 2], sealedFrom: 2 });
  if (!('datasets' in file) || !areDatasets(file.datasets)) {
    throw new DataDirectoryError(`${path} is damaged: it names no versions.`, DAMAGED_HINT);
  }
  // The checksum matches, or an older release wrote none; then a file with the right structure is complete.
  const written = file as CurrentFile | FirstFormat;
  return written.format === 1 ? fromFirstFormat(written) : expectKeptCurrent(written, path);
}

/** The first publish writes the file before its versions, so versions without the file mean that it is lost. */
function readUnlessLost(path: string): string | undefined {
  const directory = dataDirectory(dirname(path));
  if (listVersionFolders(directory).length === 0) return undefined;
  // The first publish may have written it in the meantime.
  const text = readIfPresent(path);
  if (text !== undefined) return text;
  throw new DataDirectoryError(
    `${path} is missing, although there are versions in ${directory.versions}.`,
    DAMAGED_HINT,
  );
}

const DAMAGED_HINT =
  'Restore it from a backup, or rebuild it from the existing versions: locmetrics recover';

function areDatasets(value: unknown): boolean {
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

/** Garbage collection relies on this: the current version is always one of the kept ones. */
function expectKeptCurrent(file: CurrentFile, path: string): CurrentFile {
  for (const { version, kept, history, withdrawn } of Object.values(file.datasets)) {
    const isWhole = Array.isArray(kept) && kept.includes(version) && Array.isArray(withdrawn);
    if (isWhole && history.at(-1)?.version === version) continue;
    throw new DataDirectoryError(
      `${path} is damaged: it names a current version that is not kept.`,
      DAMAGED_HINT,
    );
  }
  return file;
}

/** The format of releases that only had publishes. */
type FirstFormat = {
  readonly format: 1;
  readonly datasets: Readonly<
    Record<
      string,
      {
        readonly version: string;
        readonly history: readonly { readonly version: string; readonly since: string }[];
      }
    >
  >;
};

function fromFirstFormat({ datasets }: FirstFormat): CurrentFile {
  const times = [
    ...new Set(Object.values(datasets).flatMap(({ history }) => history.map(({ since }) => since))),
  ].sort();
  const upgraded = Object.entries(datasets).map(([name, { version, history }]) => [
    name,
    {
      version,
      history: history.map((entry) => ({
        ...entry,
        by: 'publish',
        switch: times.indexOf(entry.since) + 1,
      })),
      // Versions that were removed are not found, as before.
      kept: [...new Set(history.map((entry) => entry.version))],
      withdrawn: [],
    } satisfies CurrentDataset,
  ]);
  return { format: 2, lastSwitch: times.length, datasets: Object.fromEntries(upgraded) };
}

export async function replaceCurrentFile(path: string, file: CurrentFile): Promise<void> {
  await withReservedSpace({ root: dirname(path) }, () =>
    replaceDurably(path, sealedText(file), `${path}.${process.pid}.tmp`),
  );
}
