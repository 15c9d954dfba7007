import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compareContent } from '@locmetrics/cluster/clickhouse/publish/compare-content';
import { recordTable } from '@locmetrics/cluster/clickhouse/record-table';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import { openKeptVersion } from '@locmetrics/column-store/publish/open-kept-version';
import { RECORD_TABLE } from '@locmetrics/column-store/record-table';
import { findTableProblem } from '@locmetrics/data-directory/versions/version-database';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import { toDatabaseError } from '../../compose/clickhouse-error.ts';
import type { OpenedClickhouse } from '../../compose/open-clickhouse.ts';
import type { OpenedDirectory } from '../../compose/open-data.ts';

/** The result: a problem as sentences, or the part that is the same as in the column file, or only as in version.json. */
export type VerifiedTable =
  | { readonly table: null; readonly problem: string }
  | { readonly table: 'same content' | 'same number of rows' };

/** Compares the table of a version with its column file, all values of both, or only counts its rows if there is none. */
export async function verifyTable(
  { datasetName, version }: LeasedVersion,
  {
    directory,
    config,
    clickhouse: { database, driver, databaseName },
    signal,
  }: OpenedDirectory & {
    readonly clickhouse: OpenedClickhouse;
    readonly signal: AbortSignal | undefined;
  },
): Promise<VerifiedTable> {
  const folder = directory.version(datasetName, version);
  const written = readVersionFile(folder)?.version;
  if (written === undefined) return { table: null, problem: `There is no ${folder}.` };
  const { dataset, rowCount } = written;
  const tables = await database.list();
  const problem = findTableProblem(tables, { datasetName, version, rowCount }, database);
  if (problem !== undefined) return { table: null, problem };
  const isHere = columnWriter.files.every((name) => existsSync(join(folder, name)));
  if (!isHere) return { table: 'same number of rows' };
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const connection = await openKeptVersion(folder, {
    temporaryDirectory: join(directory.temporary, `repair-${process.pid}-spills`),
    memoryLimitBytes: config.publishMemoryBytes,
    threads: config.threads,
    signal,
  });
  try {
    const table = recordTable(databaseName, written);
    const records = { connection, table: RECORD_TABLE };
    const difference = await compareContent({ driver, table }, records, dataset);
    if (difference === undefined) return { table: 'same content' };
    return {
      table: null,
      problem: `Its table in ${database.name} ${difference}. Drop the table ${table} and load it again: locmetrics clickhouse load ${datasetName}`,
    };
  } catch (error) {
    throw toDatabaseError(error, database.name);
  } finally {
    await connection.close();
  }
}
