import { dirname } from 'node:path';
import { dataDirectory } from './data-directory.ts';
import { DataDirectoryError } from './data-directory-error.ts';
import { replaceDurably } from './durable-file.ts';
import { listVersionFolders } from './list-version-folders.ts';
import { withReservedSpace } from './reserved-space.ts';
import { readSealed, sealedText } from './sealed-json.ts';
import { readIfPresent } from './version-file.ts';

/**
 * `current.json`: which version of each dataset is current, since when each was, and which versions
 * callers can ask for. It is replaced by one atomic rename, so a reader sees the state before a switch
 * or the state after it.
 */
export type CurrentFile = {
  readonly format: 2;
  /** The number of the last switch; a withdrawal is one, whether it changed what is current or not. */
  readonly lastSwitch: number;
  /**
   * When this file was rebuilt from the versions, RFC 3339, UTC; absent where it never was. How long each
   * was current before is not known.
   */
  readonly recovered?: string;
  readonly datasets: Readonly<Record<string, CurrentDataset>>;
  /** Oldest first; absent where none was. One that was published again stands above too. */
  readonly removed?: readonly RemovedDataset[];
};

/** A dataset that was taken out as a whole. */
export type RemovedDataset = {
  readonly dataset: string;
  /** The one that was current. */
  readonly version: string;
  /** The versions that callers could ask for. */
  readonly kept: readonly string[];
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly switch: number;
};

export type CurrentDataset = {
  readonly version: string;
  /** Oldest first; the last is the current one. */
  readonly history: readonly HistoryEntry[];
  /** The versions that callers can ask for, with the current one. All others may be removed. */
  readonly kept: readonly string[];
  /** Oldest first. */
  readonly withdrawn: readonly WithdrawnVersion[];
};

export type HistoryEntry = {
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly since: string;
  readonly by: SwitchKind;
  /** All entries of one switch, of whatever dataset, have its number; later ones have greater numbers. */
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

/** Gives `NOTHING_CURRENT` itself where nothing was ever published, so that there is no file yet. */
export function readCurrentFile(path: string): CurrentFile {
  const text = readIfPresent(path) ?? readUnlessLost(path);
  if (text === undefined) return NOTHING_CURRENT;
  const file = readSealed(text, { path, hint: DAMAGED_HINT, formats: [1, 2], sealedFrom: 2 });
  if (!('datasets' in file) || !areDatasets(file.datasets)) {
    throw new DataDirectoryError(`${path} is damaged: it names no versions.`, DAMAGED_HINT);
  }
  // Its checksum fits, or it is of a release that wrote none: then what has the right outline is whole.
  const written = file as CurrentFile | FirstFormat;
  return written.format === 1 ? fromFirstFormat(written) : expectKeptCurrent(written, path);
}

/** The first publish writes the file before it puts a version in place: versions without it mean that it is lost. */
function readUnlessLost(path: string): string | undefined {
  const directory = dataDirectory(dirname(path));
  if (listVersionFolders(directory).length === 0) return undefined;
  // The first publish may have written it meanwhile.
  const text = readIfPresent(path);
  if (text !== undefined) return text;
  throw new DataDirectoryError(
    `${path} is missing, although there are versions in ${directory.versions}.`,
    DAMAGED_HINT,
  );
}

const DAMAGED_HINT =
  'Restore it from a backup, or rebuild it from the versions that are there: locmetrics recover';

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

/** What is current is kept, whatever else is not: all that is removed follows from it. */
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

/** What releases wrote that knew publishes alone. */
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
      // Those that were removed are not found, as before.
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
