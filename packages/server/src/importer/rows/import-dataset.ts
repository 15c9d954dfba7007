import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../../domain/dataset.ts';
import type { Period } from '../../domain/period.ts';
import type { DeclaredDataset } from '../../manifest/manifest.ts';
import type { FileFormat } from '../../manifest/manifest-schema.ts';
import { EngineError, shortageOf } from '../../storage/duckdb/publish/engine-error.ts';
import {
  type ImportConnection,
  openImportConnection,
  SORTED_TABLE,
  STAGE_TABLE,
} from '../../storage/duckdb/publish/import-connection.ts';
import {
  countRepeatedKeys,
  sortRecords,
  summarizeRecords,
  writeRecords,
} from '../../storage/duckdb/publish/write-records.ts';
import { COLUMN_FILE } from '../../storage/duckdb/record-table.ts';
import type { RejectedRows, RowCounts } from '../../versions/publish-report.ts';
import { csvFormat } from '../formats/csv-format.ts';
import { geojsonFormat } from '../formats/geojson-format.ts';
import { ndjsonFormat } from '../formats/ndjson-format.ts';
import { parquetFormat } from '../formats/parquet-format.ts';
import type { OpenedRows, ReadingLimits, RowFormat } from '../formats/row-format.ts';
import { brokenGzip, findChange, type ImportedFile } from '../formats/scan-source-file.ts';
import { fileLabels, inspectSourceFile } from '../formats/source-file.ts';
import { explainStageError } from '../problems/explain-system-error.ts';
import { type FoundProblems, foundProblem, toImportError } from '../problems/found-problems.ts';
import { attachBase, type BaseRows, joinKeptRows, replacedPeriodChecks } from './base-rows.ts';
import type { StagedFile } from './find-row-problems.ts';
import type { ImportProgress } from './import-progress.ts';
import { fieldColumns, findColumnProblems, unusedColumnNotices } from './match-columns.ts';
import { type KeptRows, rejectRows } from './reject-rows.ts';
import { countFoundRows, rowChecks } from './row-checks.ts';
import { createStage, stageRows, valueColumn } from './stage-rows.ts';

/** The result of an import of the files of a dataset. */
export type ImportedDataset = {
  readonly rowCount: number;
  readonly counts: RowCounts;
  /** Why rows were left out; empty where none was. */
  readonly rejected: readonly RejectedRows[];
  /** Earliest start and latest end of the records' periods; absent without a period or rows. */
  readonly firstObservationDate?: string;
  readonly lastObservationDate?: string;
  readonly files: readonly ImportedFile[];
  /** Remarks on what is not wrong but unusual, in whole sentences. */
  readonly notices: readonly string[];
};

export type ImportOptions = {
  readonly declared: DeclaredDataset;
  /** Rows of the current version that are in the new one too; absent: none. */
  readonly base?: BaseRows;
  /** The period within which all rows of the files must lie. */
  readonly replacedPeriod?: Period;
  /** An existing folder, into which the column file is written. */
  readonly directory: string;
  /** An existing folder for what does not fit into memory. */
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  /** The limit of a gzip file, unpacked; absent: none. */
  readonly unpackedBytesMax?: number;
  readonly threads: number;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly signal?: AbortSignal;
};

/**
 * Reads the files of a dataset, checks every value, and writes the column file of a version.
 *
 * The rows are read once into a stage, then checked, then sorted into the column file. Rows that
 * are wrong are left out where the manifest accepts so many; otherwise an `ImportError` tells all that
 * is wrong, and no file is left. A signal that is aborted
 * throws its reason.
 */
export async function importDataset(options: ImportOptions): Promise<ImportedDataset> {
  const { declared, base, directory, signal } = options;
  const { dataset } = declared;
  let progress: ImportProgress = { stage: 'reading', rows: 0 };
  const report = (next: ImportProgress) => {
    progress = next;
    options.onProgress?.(progress);
  };
  const file = join(directory, COLUMN_FILE);
  let isComplete = false;
  const connection = await openImportConnection({
    file,
    temporaryDirectory: options.temporaryDirectory,
    memoryLimitBytes: options.memoryLimitBytes,
    threads: options.threads,
    onFraction: (fraction) => report({ ...progress, fraction }),
    signal,
  });
  try {
    const { memoryLimitBytes, unpackedBytesMax = Number.POSITIVE_INFINITY } = options;
    const limits = { memoryLimitBytes, unpackedBytesMax, documentBytesMax: memoryLimitBytes };
    const opened = await openFiles({ connection, declared, limits, signal });
    const carried =
      base === undefined
        ? { carriedOver: 0, replaced: 0 }
        : await attachBase(connection, dataset, base);
    const { staged, imported, found } = await stageFiles({
      connection,
      declared,
      opened,
      signal,
      report,
    });
    const rowCount = staged.reduce((sum, { rowCount: count }) => sum + count, 0);
    report({ stage: 'checking', rows: rowCount });
    const checking = { connection, dataset, base, acceptance: declared.accept, files: staged };
    let kept = await checkRows({ ...checking, refused: found }, options.replacedPeriod);
    report({ stage: 'writing', rows: rowCount });
    const sorting = { ...connection, dataset, sortedTable: SORTED_TABLE };
    const sort = async ({ table }: KeptRows): Promise<void> => {
      const all = base === undefined ? table : await joinKeptRows(connection, dataset, base, table);
      await sortRecords({ ...sorting, source: { table: all, column: valueColumn } });
      if (base !== undefined) await connection.run(`DROP TABLE ${all}`);
    };
    await sort(kept);
    // Equal keys stand side by side once the rows are sorted, so they are only now met.
    if ((await countRepeatedKeys(sorting)) > 0) {
      kept = await rejectRows({ ...checking, checks: [], refused: [] });
      await connection.run(`DROP TABLE ${SORTED_TABLE}`);
      await sort(kept);
    }
    // From here on only the sorted rows are needed; on disk they are as large as the staged ones.
    await connection.run(`DROP TABLE ${STAGE_TABLE}`);
    await writeRecords(sorting);
    const summary = await summarizeRecords(connection.list, dataset);
    await connection.run('CHECKPOINT');
    signal?.throwIfAborted();
    isComplete = true;
    const notices = unusedColumnNotices(fieldColumns(dataset, declared.source), opened);
    const counts: RowCounts = {
      read: kept.readCount,
      kept: kept.readCount - kept.rejectedCount,
      rejected: kept.rejectedCount,
      ...carried,
      total: summary.rowCount,
    };
    return { ...summary, counts, rejected: kept.rejected, files: imported, notices };
  } catch (error) {
    throw explainStageError(error, dataset.name, progress.stage);
  } finally {
    await connection.close();
    if (!isComplete) await removeDatabase(file);
  }
}

const ROW_FORMATS: Readonly<Record<FileFormat, RowFormat>> = {
  csv: csvFormat,
  tsv: csvFormat,
  ndjson: ndjsonFormat,
  geojson: geojsonFormat,
  parquet: parquetFormat,
};

/** Looks at every file before the rows of any are read, so that a wrong name is said at once. */
async function openFiles({
  connection,
  declared: { dataset, source },
  limits,
  signal,
}: {
  readonly connection: ImportConnection;
  readonly declared: DeclaredDataset;
  readonly limits: ReadingLimits;
  readonly signal: AbortSignal | undefined;
}): Promise<readonly OpenedRows[]> {
  const format = ROW_FORMATS[source.format];
  const labels = fileLabels(source.files);
  const found: FoundProblems[] = [];
  const opened: OpenedRows[] = [];
  for (const [number, path] of source.files.entries()) {
    const inspected = await inspectSourceFile({
      path,
      label: labels[number] ?? path,
      number,
      dataset: dataset.name,
      format: source.format,
      stop: signal,
    });
    if ('problem' in inspected) {
      found.push(foundProblem(number, inspected.problem));
      continue;
    }
    try {
      const result = await format.open({ connection, source, file: inspected.file, limits });
      if ('found' in result) found.push(result.found);
      else opened.push(result.rows);
    } catch (error) {
      const broken = brokenGzip(inspected.file, error);
      if (broken === undefined) throw error;
      found.push(broken);
    }
  }
  found.push(...findColumnProblems(fieldColumns(dataset, source), opened, format.columnsVary));
  const error = toImportError(dataset.name, found);
  if (error !== undefined) throw error;
  return opened;
}

function foundError(dataset: Dataset, found: readonly FoundProblems[]): Error {
  return toImportError(dataset.name, found) ?? new Error(`Nothing is wrong in ${dataset.name}.`);
}

/** Reads the files one after the other, so that the rows keep their order. */
async function stageFiles({
  connection,
  declared,
  opened,
  signal,
  report,
}: {
  readonly connection: ImportConnection;
  readonly declared: DeclaredDataset;
  readonly opened: readonly OpenedRows[];
  readonly signal: AbortSignal | undefined;
  readonly report: (progress: ImportProgress) => void;
}): Promise<{
  readonly staged: readonly StagedFile[];
  readonly imported: readonly ImportedFile[];
  readonly found: readonly FoundProblems[];
}> {
  const { dataset } = declared;
  await createStage(connection, dataset);
  const staged: StagedFile[] = [];
  const imported: ImportedFile[] = [];
  const found: FoundProblems[] = [];
  let firstRow = 0;
  for (const rows of opened) {
    report({ stage: 'reading', file: rows.file.path, rows: firstRow });
    const scanned = await rows.scan();
    if ('found' in scanned) throw foundError(dataset, [...found, scanned.found]);
    const read = await Promise.allSettled([readRows(connection, declared, rows)]);
    signal?.throwIfAborted();
    // An error of the engine means nothing if the file changed under it.
    const change = await findChange(rows.file);
    if (change !== undefined) throw foundError(dataset, [...found, change]);
    const [result] = read;
    if (result.status === 'rejected') throw result.reason;
    imported.push(scanned.scan.imported);
    found.push(result.value.found);
    staged.push({ rows, firstRow, rowCount: result.value.rowCount });
    firstRow += result.value.rowCount;
  }
  return { staged, imported, found };
}

async function readRows(
  connection: ImportConnection,
  { dataset, source }: DeclaredDataset,
  rows: OpenedRows,
): Promise<{ readonly rowCount: number; readonly found: FoundProblems }> {
  const selected = rows.select(fieldColumns(dataset, source));
  if ('found' in selected) return { rowCount: 0, found: { ...selected.found, isOfFile: true } };
  let rowCount: number;
  try {
    rowCount = await stageRows(connection, dataset, selected.selection);
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
    return { rowCount: 0, found: { ...(await rows.explainFailure(error)), isOfFile: true } };
  }
  return { rowCount, found: await rows.findRejects() };
}

async function checkRows(
  checking: Omit<Parameters<typeof rejectRows>[0], 'checks'>,
  replacedPeriod: Period | undefined,
): Promise<KeptRows> {
  const { connection, dataset, files, refused } = checking;
  const checks = [
    ...rowChecks(dataset),
    ...(replacedPeriod === undefined ? [] : replacedPeriodChecks(dataset, replacedPeriod)),
  ];
  const counts = await countFoundRows(connection, checks);
  const failed = checks.filter((_, index) => counts[index] !== 0);
  if (failed.length > 0 || refused.some((part) => part.counts.length > 0)) {
    return rejectRows({ ...checking, checks: failed });
  }
  const readCount = files.reduce((sum, { rowCount }) => sum + rowCount, 0);
  return { table: STAGE_TABLE, readCount, rejectedCount: 0, rejected: [] };
}

async function removeDatabase(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}.wal`, { force: true });
}
