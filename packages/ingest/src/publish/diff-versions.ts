import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ComparedFields,
  compareRecords,
  type RecordComparison,
} from '@locmetrics/column-store/publish/compare-records';
import { openVersionReader } from '@locmetrics/column-store/publish/open-version-reader';
import { type Dataset, findField } from '@locmetrics/core/domain/dataset';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import {
  listSchemaChanges,
  type SchemaChange,
} from '@locmetrics/data-directory/versions/list-schema-changes';
import { verifyVersion } from '@locmetrics/data-directory/versions/verify-version';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import { openVersionLease } from '@locmetrics/data-directory/versions/version-lease';
import type { FetchColumns } from '@locmetrics/data-directory/versions/version-store';
import { hasColumns, openColumnFolders } from './column-folders.ts';

export type VersionDiff = {
  readonly schema: readonly SchemaChange[];
  /** Absent if the keys differ, because then records cannot be matched. */
  readonly records: RecordComparison | undefined;
};

export type DiffOptions = {
  readonly directory: DataDirectory;
  /** Whether a database has the records too, so that an absent column file is no damage. */
  readonly isInDatabase?: boolean;
  /** Fetches column files that are not here; absent: only versions with column files here are compared. */
  readonly fetchColumns?: FetchColumns | undefined;
  readonly datasetName: string;
  /** The names of the two versions. */
  readonly before: string;
  readonly after: string;
  readonly memoryLimitBytes: number;
  readonly threads: number;
  readonly onFraction?: (fraction: number) => void;
  readonly signal: AbortSignal;
};

/** The differences between two versions of a dataset: of the schema, and of the records by their key. */
export async function diffVersions(options: DiffOptions): Promise<VersionDiff> {
  const { directory, datasetName } = options;
  // The lease prevents their removal. The files of a killed comparison are known by its name.
  const lease = openVersionLease({ directory, holdMs: 0 });
  const spills = join(directory.temporary, lease.name);
  try {
    const names = [options.before, options.after];
    lease.holdCurrent(names.map((version) => ({ datasetName, version })));
    const before = await readWhole(options, options.before);
    const after = await readWhole(options, options.after);
    const versions = [before, after];
    const schema = listSchemaChanges(before, after);
    const fields = comparedFields(before.dataset, after.dataset);
    if (fields === undefined) return { schema, records: undefined };
    await mkdir(spills, { recursive: true, mode: 0o700 });
    const columns = openColumnFolders(options, { workspace: spills, signal: options.signal });
    await columns.fetch(versions);
    for (const one of versions) expectColumns(columns.of(one), one);
    const reader = openVersionReader({
      ...options,
      directoryOf: columns.of,
      temporaryDirectory: spills,
    });
    try {
      const [left, right] = [await reader.attach(before), await reader.attach(after)];
      return { schema, records: await compareRecords(left, right, fields) };
    } finally {
      await reader.close();
    }
  } finally {
    await rm(spills, { recursive: true, force: true });
    lease.close();
  }
}

async function readWhole(
  { directory, datasetName, isInDatabase }: DiffOptions,
  version: string,
): Promise<DatasetVersion> {
  const folder = directory.version(datasetName, version);
  const { problem } = await verifyVersion(folder, { content: false, isInDatabase });
  const file = problem === undefined ? readVersionFile(folder) : undefined;
  if (file !== undefined) return file.version;
  throw new DataDirectoryError(
    `The version ${version} of ${datasetName} is damaged: ${problem ?? 'it is gone.'}`,
    'List the intact versions: locmetrics verify',
  );
}

function expectColumns(folder: string, { dataset, version }: DatasetVersion): void {
  if (hasColumns(folder)) return;
  throw new DataDirectoryError(
    `The version ${version} of ${dataset.name} has no column file in this data directory, so its records cannot be compared.`,
    'Run locmetrics diff, which writes the file from the table.',
  );
}

/** A field with another type is a change of the schema, and not of each record. */
function comparedFields(before: Dataset, after: Dataset): ComparedFields | undefined {
  const common = after.fields.filter((field) => findField(before, field.name)?.type === field.type);
  const key = common.filter(({ name }) => after.key.includes(name) && before.key.includes(name));
  if (key.length < after.key.length || key.length < before.key.length) return undefined;
  return { key, others: common.filter((field) => !key.includes(field)) };
}
