import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from '../catalog/data-directory.ts';
import { listSchemaChanges, type SchemaChange } from '../catalog/list-schema-changes.ts';
import { type Dataset, type DatasetVersion, findField } from '../domain/dataset.ts';
import {
  type ComparedFields,
  compareRecords,
  type RecordComparison,
} from '../storage/duckdb/compare-records.ts';
import { openVersionReader } from './open-version-reader.ts';

export type VersionDiff = {
  readonly schema: readonly SchemaChange[];
  /** Absent where the key differs, so that no record is known to be that of another. */
  readonly records: RecordComparison | undefined;
};

/** What is different in one version of a dataset from another: its schema, and its records by their key. */
export async function diffVersions(
  { before, after }: { readonly before: DatasetVersion; readonly after: DatasetVersion },
  options: {
    readonly directory: DataDirectory;
    readonly memoryLimitBytes: number;
    readonly threads: number;
    readonly onFraction?: (fraction: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<VersionDiff> {
  const schema = listSchemaChanges(before, after);
  const fields = comparedFields(before.dataset, after.dataset);
  if (fields === undefined) return { schema, records: undefined };
  const { temporary, version: folderOf } = options.directory;
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const spills = await mkdtemp(join(temporary, 'diff-'));
  try {
    const reader = await openVersionReader({
      ...options,
      directoryOf: ({ dataset, version }) => folderOf(dataset.name, version),
      temporaryDirectory: spills,
    });
    try {
      const [left, right] = [await reader.attach(before), await reader.attach(after)];
      return { schema, records: await compareRecords(left, right, fields) };
    } finally {
      reader.close();
    }
  } finally {
    await rm(spills, { recursive: true, force: true });
  }
}

/** A field of another type is a change of the schema, and not one of each record. */
function comparedFields(before: Dataset, after: Dataset): ComparedFields | undefined {
  const common = after.fields.filter((field) => findField(before, field.name)?.type === field.type);
  const key = common.filter(({ name }) => after.key.includes(name) && before.key.includes(name));
  if (key.length < after.key.length || key.length < before.key.length) return undefined;
  return { key, others: common.filter((field) => !key.includes(field)) };
}
