import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordSummary } from '@locmetrics/column-store/publish/summarize-records';
import type { VersionWriter } from '@locmetrics/column-store/publish/version-writer';
import type { ReusedInstance } from '@locmetrics/column-store/reused-instance';
import type { Period } from '@locmetrics/core/dates/period';
import type { GrantLoss } from '@locmetrics/core/domain/grant-fit';
import type { CountedVersion, DatasetVersion } from '@locmetrics/core/domain/version';
import { versionName } from '@locmetrics/core/domain/version-name';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { syncDirectory, writeDurably } from '@locmetrics/data-directory/files/durable-file';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import {
  type DataDirectory,
  REPORT_FILE,
  VERSION_FILE,
} from '@locmetrics/data-directory/versions/data-directory';
import {
  listSchemaChanges,
  type SchemaChange,
} from '@locmetrics/data-directory/versions/list-schema-changes';
import type { RejectedRows, RowCounts } from '@locmetrics/data-directory/versions/publish-report';
import {
  readVersionFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';
import type { Acceptance } from '../manifest/acceptance.ts';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import { type ImportedDataset, importDataset } from '../rows/import-dataset.ts';
import type { ImportOptions } from '../rows/import-options.ts';
import type { ImportProgress } from '../rows/import-progress.ts';
import { checkAccepted } from './check-accepted.ts';
import type { GrantLossesOf } from './check-grant-losses.ts';
import type { ColumnFolders } from './column-folders.ts';
import { type BaseVersion, findBase } from './find-base.ts';
import type { PublishedDataset } from './published.ts';
import { type ReportOfRecords, reportRecords } from './report-publish.ts';
import { sealFiles } from './seal-files.ts';

/** How the rows of the files are combined with the current version. */
export type PublishMode =
  /** They are all the rows of the new version. */
  | { readonly kind: 'replace' }
  /** They are added to those of the current version. */
  | { readonly kind: 'append' }
  /** They replace the rows within these days, both included, `YYYY-MM-DD`. */
  | { readonly kind: 'replace-period'; readonly start: string; readonly end: string };

/** A version whose records are written. It is not sealed and not current yet. */
export type PreparedVersion = PublishedDataset & {
  /** The temporary folder of the version. */
  readonly folder: string;
  /** The content of the folder, without the report. */
  readonly file: VersionFile;
  readonly acceptance: Acceptance;
  /** The current version when this one was made. This one extends it, or is compared with it. */
  readonly before: string | undefined;
};

/** The options that preparing a version has from its publish. */
export type ImportingOptions = Pick<
  ImportOptions,
  | 'writers'
  | 'memoryLimitBytes'
  | 'unpackedBytesMax'
  | 'stepTimeMs'
  | 'openSealed'
  | 'threads'
  | 'environment'
  | 'signal'
> & {
  readonly directory: DataDirectory;
  /** How the rows of the files are combined with the current version. */
  readonly mode: PublishMode;
  /** Whether changes above the accepted thresholds are accepted. */
  readonly acceptsChanges: boolean;
  readonly clock: () => number;
  readonly onProgress?: (datasetName: string, progress: ImportProgress) => void;
};

export type PrepareOptions = ImportingOptions & {
  readonly columns: ColumnFolders;
  /** Whether a database has the records too, so that column files may be absent. */
  readonly isInDatabase: boolean;
  /** The id of the publish; it is written into all of its versions. */
  readonly publishId: string;
  /** The losses of grants by the publish. */
  readonly grantLossesOf: GrantLossesOf;
  /** An existing folder, in which the version gets its folder. */
  readonly workspace: string;
  /** An existing folder for spilled data. */
  readonly temporaryDirectory: string;
  readonly reused: ReusedInstance;
};

/** Imports the files of a dataset into a new version, and reports on their content. */
export async function prepareVersion(
  declared: DeclaredDataset,
  options: PrepareOptions,
): Promise<PreparedVersion> {
  const { dataset } = declared;
  const { directory, mode } = options;
  const started = performance.now();
  const folder = join(options.workspace, dataset.name);
  const replacedPeriod = replacedPeriodOf(mode);
  const before = readCurrentFile(directory.current).datasets[dataset.name]?.version;
  const base = mode.kind === 'replace' ? undefined : await findBase(dataset, before, options);
  await mkdir(folder);
  const { files, counts, rejected, notices, ...summary } = await importDataset({
    ...options,
    declared,
    base: base && { ...base, replaced: replacedPeriod },
    replacedPeriod,
    directory: folder,
    onProgress: (progress) => options.onProgress?.(dataset.name, progress),
  });
  const version = { ...nameVersion(declared, files, base, options), ...summary };
  const compared = findCurrentVersion(dataset.name, before, directory);
  if (compared !== undefined) await options.columns.fetch([compared]);
  const records = await reportRecords({
    ...options,
    version,
    before: compared,
    acceptance: declared.accept,
    directoryOf: (one) => (one === version ? folder : options.columns.of(one)),
    signal: options.signal,
  });
  const report = toReport({
    version,
    mode,
    schema: compared === undefined ? [] : listSchemaChanges(compared, version),
    grantLosses: options.grantLossesOf(dataset.name),
    counts,
    rejected,
    records,
    notices,
    durationMs: performance.now() - started,
  });
  if (!options.acceptsChanges) checkAccepted(report, declared.accept);
  const file: VersionFile = {
    format: 1,
    version,
    publish: options.publishId,
    files: await sealFiles(folder, filesOf(options.writers, false), options),
    derived: await sealFiles(folder, filesOf(options.writers, true), options),
    sources: [...(base?.sources ?? []), ...files],
    base: base && { version: base.version, replacedPeriod: replacedPeriod ?? null },
  };
  const durationMs = Math.round(performance.now() - started);
  const acceptance = declared.accept;
  return { folder, version, file, report, acceptance, durationMs, before };
}

/** Writes the report, and the file that makes the folder a version. */
export async function sealVersion(
  { folder, file, report }: PreparedVersion,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  await writeFile(join(folder, REPORT_FILE), `${JSON.stringify(report, null, 2)}\n`);
  const files = { ...file.files, ...(await sealFiles(folder, [REPORT_FILE], { signal })) };
  await writeDurably(join(folder, VERSION_FILE), sealedText({ ...file, files }));
  await syncDirectory(folder);
  signal?.throwIfAborted();
}

function replacedPeriodOf(mode: PublishMode): Period | undefined {
  return mode.kind === 'replace-period' ? { start: mode.start, end: mode.end } : undefined;
}

function filesOf(writers: readonly VersionWriter[], isDerived: boolean): readonly string[] {
  return writers.filter((writer) => writer.isDerived === isDerived).flatMap(({ files }) => files);
}

/** Undefined if the previous version cannot be read, which must not block the new one. */
function findCurrentVersion(
  datasetName: string,
  version: string | undefined,
  directory: DataDirectory,
): DatasetVersion | undefined {
  if (version === undefined) return undefined;
  try {
    return readVersionFile(directory.version(datasetName, version))?.version;
  } catch (error) {
    if (error instanceof DataDirectoryError) return undefined;
    throw error;
  }
}

function toReport({
  version: { dataset, version, publishedTime },
  mode,
  schema,
  grantLosses,
  counts,
  rejected,
  records,
  notices,
  durationMs,
}: {
  readonly version: DatasetVersion;
  readonly mode: PublishMode;
  readonly schema: readonly SchemaChange[];
  readonly grantLosses: readonly GrantLoss[];
  readonly counts: RowCounts;
  readonly rejected: readonly RejectedRows[];
  readonly records: ReportOfRecords;
  readonly notices: readonly string[];
  readonly durationMs: number;
}): PublishedDataset['report'] {
  return {
    format: 1,
    dataset: dataset.name,
    version,
    publishedTime,
    mode: mode.kind,
    replacedPeriod: replacedPeriodOf(mode) ?? null,
    before: records.before,
    rowCountBefore: records.rowCountBefore,
    schema,
    grantLosses,
    rows: counts,
    rejected,
    fields: records.fields,
    periods: records.periods,
    features: records.features,
    totals: records.totals,
    unmatchedRecords: [],
    notCompared: records.notCompared,
    notices,
    durationMs: Math.round(durationMs),
    rowsPerSecond: Math.round(counts.read / Math.max(durationMs / 1000, 0.001)),
  };
}

/**
 * The name consists of the time of the publish and a digest of the inputs: the schema, the source files, and the
 * version that it is built upon.
 */
function nameVersion(
  { dataset, layers, metrics, source }: DeclaredDataset,
  files: ImportedDataset['files'],
  base: BaseVersion | undefined,
  { mode, clock }: PrepareOptions,
): Omit<CountedVersion, keyof RecordSummary> {
  const content = createHash('sha256')
    .update(JSON.stringify([dataset, layers, metrics]))
    .update(JSON.stringify([source.format, source.reading, ...source.fields]))
    .update(JSON.stringify([source.steps, source.duplicates ?? null]))
    .update(source.areas.map(({ file: _file, ...read }) => JSON.stringify(read)).join(''))
    .update(JSON.stringify(source.lookups.map(({ path: _, ...lookup }) => lookup)))
    .update(JSON.stringify(files.map(({ sha256 }) => sha256)))
    .update(base === undefined ? '' : JSON.stringify([base.version, mode]))
    .digest('hex');
  const publishedTime = new Date(clock()).toISOString();
  const version = versionName(publishedTime, content);
  return { dataset, layers, metrics, version, publishedTime };
}
