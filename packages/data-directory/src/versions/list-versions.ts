import { publishedTimeOf } from '@locmetrics/core/domain/version-name';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import type { CurrentDataset, CurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { type ListedMetricVersion, listMetricVersions } from './list-metric-versions.ts';
import { readReport } from './read-report.ts';
import { listHistory } from './switch-versions.ts';
import { readVersionFile } from './version-file.ts';

export type VersionList = {
  /** By dataset, the newest first. */
  readonly versions: readonly ListedVersion[];
  readonly history: ReturnType<typeof listHistory>;
  /** By metric, the newest first. */
  readonly metricVersions: readonly ListedMetricVersion[];
  /** The problems of versions that cannot be read, as sentences. */
  readonly problems: readonly string[];
};

/**
 * The versions of datasets that can be queried or were withdrawn, which were current when, and the versions of the
 * metrics that are made of them.
 */
export function listVersions(
  directory: DataDirectory,
  current: CurrentFile,
  /** Absent: all. */
  datasetNames: readonly string[] = Object.keys(current.datasets),
): VersionList {
  const names = datasetNames.toSorted();
  const found = names.flatMap((name) => {
    const dataset = current.datasets[name];
    return dataset === undefined ? [] : listDataset(directory, name, dataset);
  });
  return {
    versions: found.map(({ version }) => version),
    history: listHistory(current).filter(({ dataset }) => names.includes(dataset)),
    metricVersions: listMetricVersions(directory, current).filter(({ madeOf }) =>
      madeOf.some(({ dataset }) => names.includes(dataset)),
    ),
    problems: found.flatMap(({ problem }) => problem ?? []),
  };
}

/** A row of the list; null for facts that are no longer known. */
export type ListedVersion = {
  readonly dataset: string;
  readonly version: string;
  readonly state: 'current' | 'kept' | 'withdrawn';
  readonly publishedTime: string;
  readonly rowCount: number | null;
  readonly bytes: number | null;
  readonly withdrawnTime: string | null;
  /** The notices of the publish; null if its report is removed, or an earlier release wrote it. */
  readonly notices: readonly string[] | null;
};

type FoundVersion = { readonly version: ListedVersion; readonly problem: string | undefined };

/** The newest first. */
function listDataset(
  directory: DataDirectory,
  name: string,
  { version: current, kept, withdrawn }: CurrentDataset,
): readonly FoundVersion[] {
  const ofKept = kept.map((version): FoundVersion => {
    const state = version === current ? 'current' : 'kept';
    const read = readCounts(directory.version(name, version));
    return {
      version: { ...describe(name, version), state, ...read.counts, withdrawnTime: null },
      problem: read.problem,
    };
  });
  const ofWithdrawn = withdrawn.map(({ version, time }): FoundVersion => {
    // Its data are removed, or can be at any time.
    const facts = { state: 'withdrawn', ...UNKNOWN, withdrawnTime: time } as const;
    return { version: { ...describe(name, version), ...facts }, problem: undefined };
  });
  return [...ofKept, ...ofWithdrawn].sort((left, right) =>
    left.version.version < right.version.version ? 1 : -1,
  );
}

function describe(dataset: string, version: string) {
  return { dataset, version, publishedTime: publishedTimeOf(version) };
}

const UNKNOWN = { rowCount: null, bytes: null, notices: null };

/** A damaged version must not prevent the list of the others. */
function readCounts(folder: string): {
  readonly counts: Pick<ListedVersion, 'rowCount' | 'bytes' | 'notices'>;
  readonly problem?: string;
} {
  let counts: Pick<ListedVersion, 'rowCount' | 'bytes' | 'notices'> = UNKNOWN;
  try {
    const file = readVersionFile(folder);
    if (file === undefined) return { counts, problem: `${folder} is missing.` };
    const parts = [file.files, file.derived ?? {}].flatMap((files) => Object.values(files));
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    counts = { ...counts, rowCount: file.version.rowCount ?? null, bytes };
    return { counts: { ...counts, notices: readReport(folder).notices ?? null } };
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    return { counts, problem: error.message };
  }
}
