import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
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
import { countRepeatedKeys, sortRecords } from '../../storage/duckdb/publish/sort-records.ts';
import {
  type RecordSummary,
  summarizeRecords,
} from '../../storage/duckdb/publish/summarize-records.ts';
import type { VersionWriter } from '../../storage/duckdb/publish/version-writer.ts';
import type { RejectedRows, RowCounts } from '../../versions/publish-report.ts';
import { copyAsText } from '../formats/copy-as-text.ts';
import { csvFormat } from '../formats/csv-format.ts';
import { geojsonFormat } from '../formats/geojson-format.ts';
import { listSourceFiles } from '../formats/list-source-files.ts';
import { ndjsonFormat } from '../formats/ndjson-format.ts';
import { parquetFormat } from '../formats/parquet-format.ts';
import type { FieldColumn, OpenedRows, RowFormat, RowSelection } from '../formats/row-format.ts';
import { brokenGzip, findChange } from '../formats/scan-source-file.ts';
import { fileLabels, type ImportedFile, inspectSourceFile } from '../formats/source-file.ts';
import { xlsxFormat } from '../formats/xlsx-format.ts';
import { explainStageError } from '../problems/explain-system-error.ts';
import { type FoundProblems, foundProblem, toImportError } from '../problems/found-problems.ts';
import type { Stepped } from '../steps/run-steps.ts';
import { StepError } from '../steps/step-error.ts';
import {
  attachBase,
  type BaseRows,
  baseRecordsOf,
  countKeptKeys,
  replacedPeriodChecks,
} from './base-rows.ts';
import { combinedNotices, combinedRows, explainSum, hasUnlikeRows } from './combine-duplicates.ts';
import { locateFileRows, type StagedFile } from './find-row-problems.ts';
import type { ImportProgress } from './import-progress.ts';
import { fieldColumns, findColumnProblems, unusedColumnNotices } from './match-columns.ts';
import { type KeptRows, rejectRows, type UncheckedRows } from './reject-rows.ts';
import { countFoundRows, rowChecks } from './row-checks.ts';
import { createStage, stageRows, valueColumn } from './stage-rows.ts';
import {
  commonColumns,
  createRawRows,
  hasSteps,
  loadRows,
  selectStepped,
  stepRows,
  textFields,
} from './step-rows.ts';

/** The result of an import of the files of a dataset. */
export type ImportedDataset = RecordSummary & {
  readonly counts: RowCounts;
  /** Why rows were left out; empty where none was. */
  readonly rejected: readonly RejectedRows[];
  readonly files: readonly ImportedFile[];
  /** Remarks on what is not wrong but unusual, in whole sentences. */
  readonly notices: readonly string[];
};

export type ImportOptions = {
  readonly declared: DeclaredDataset;
  /** Rows of the current version that are in the new one too; absent: none. */
  readonly base?: BaseRows | undefined;
  /** The period within which all rows of the files must lie. */
  readonly replacedPeriod?: Period | undefined;
  /** Each writes its files. The first one is that of the column store. */
  readonly writers: readonly VersionWriter[];
  /** An existing folder, into which the files are written. */
  readonly directory: string;
  /** An existing folder for what does not fit into memory. */
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  /** The limit of a gzip file, unpacked; absent: none. */
  readonly unpackedBytesMax?: number | undefined;
  readonly threads: number;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Reads the files of a dataset, checks every value, and writes the files of a version.
 *
 * Rows that are wrong are left out if the manifest accepts so many; otherwise an `ImportError` tells all that
 * is wrong, and no file is left. A signal that is aborted throws its reason.
 */
export async function importDataset(options: ImportOptions): Promise<ImportedDataset> {
  let progress: ImportProgress = { stage: 'reading', rows: 0 };
  const report = (next: ImportProgress) => {
    progress = next;
    options.onProgress?.(progress);
  };
  const connection = await openImportConnection({
    ...options,
    onFraction: (fraction) => report({ ...progress, fraction }),
    signal: options.signal,
  });
  const copies = join(options.temporaryDirectory, `copies-${randomUUID()}`);
  const close = async () => {
    await connection.close();
    await rm(copies, { recursive: true, force: true });
  };
  let imported: ImportedDataset;
  try {
    imported = await importRows({ ...options, connection, copies, report });
  } catch (error) {
    await close();
    await removeFiles(options);
    throw explainStageError(error, options.declared.dataset.name, progress.stage);
  }
  await close();
  return imported;
}

/** An import that runs. */
type Import = ImportOptions & {
  readonly connection: ImportConnection;
  /** The folder for copies of files that are not clean; it is created when it is needed. */
  readonly copies: string;
  readonly report: (progress: ImportProgress) => void;
};

/** The rows are read once into a stage, then checked, then sorted, then written. */
async function importRows(options: Import): Promise<ImportedDataset> {
  const { connection, declared, base, directory, report } = options;
  const { dataset, source } = declared;
  const opened = await openFiles(options);
  const carried =
    base === undefined
      ? { carriedOver: 0, replaced: 0 }
      : await attachBase(connection, dataset, base);
  const staged = await stageFiles(options, opened);
  const { duplicates } = source;
  const unchecked = {
    connection,
    dataset,
    base,
    acceptance: declared.accept,
    duplicates,
    ...staged,
  };
  const rows = staged.stagedCount;
  report({ stage: 'checking', rows });
  const checked = await checkRows(unchecked, options.replacedPeriod);
  report({ stage: 'writing', rows });
  const { readCount, rejectedCount, rejected } = await sortRows(unchecked, checked);
  // From here on only the sorted rows are needed; on disk they are as large as the staged ones.
  await connection.run(`DROP TABLE ${STAGE_TABLE}`);
  const notices = [
    ...opened.flatMap(({ file }) => file.notices),
    ...unusedColumnNotices(fieldColumns(dataset, source), staged.columns),
    ...staged.notices,
  ];
  const onNotice = (sentence: string) => notices.push(sentence);
  const isChanged = readCount > rejectedCount || carried.replaced > 0;
  const records = base && baseRecordsOf(base, { ...options, isChanged });
  for (const writer of options.writers) {
    await writer.write({ connection, dataset, folder: directory, onNotice, base: records });
  }
  const summary = await summarizeRecords(connection, dataset);
  const kept =
    duplicates === undefined ? readCount - rejectedCount : summary.rowCount - carried.carriedOver;
  notices.push(...combinedNotices(duplicates, readCount - rejectedCount - kept));
  return {
    ...summary,
    counts: {
      read: readCount,
      kept,
      rejected: rejectedCount,
      ...carried,
      total: summary.rowCount,
    },
    rejected,
    files: staged.imported,
    notices,
  };
}

export const ROW_FORMATS: Readonly<Record<FileFormat, RowFormat>> = {
  csv: csvFormat,
  tsv: csvFormat,
  xlsx: xlsxFormat,
  ndjson: ndjsonFormat,
  geojson: geojsonFormat,
  parquet: parquetFormat,
};

/** Looks at every file before the rows of any are read, so that a wrong name is said at once. */
async function openFiles({
  connection,
  declared: { dataset, source },
  memoryLimitBytes,
  unpackedBytesMax = Number.POSITIVE_INFINITY,
  copies,
  signal,
}: Import): Promise<readonly OpenedRows[]> {
  const limits = { memoryLimitBytes, unpackedBytesMax, documentBytesMax: memoryLimitBytes };
  const format = ROW_FORMATS[source.format];
  const paths = await listSourceFiles(source.files);
  const labels = fileLabels(paths);
  const found: FoundProblems[] = [];
  const opened: OpenedRows[] = [];
  for (const [number, path] of paths.entries()) {
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
      const copied = await copyAsText(inspected.file, { source, limits, folder: copies });
      if ('found' in copied) {
        found.push(copied.found);
        continue;
      }
      const result = await format.open({ connection, source, file: copied.file, limits });
      if ('found' in result) found.push(result.found);
      else opened.push(result.rows);
    } catch (error) {
      const broken = brokenGzip(inspected.file, error);
      if (broken === undefined) throw error;
      found.push(broken);
    }
  }
  if (!hasSteps({ source })) {
    found.push(...findColumnProblems(fieldColumns(dataset, source), opened, format.columnsVary));
  }
  const error = toImportError(dataset.name, found);
  if (error !== undefined) throw error;
  return opened;
}

function foundError(dataset: Dataset, found: readonly FoundProblems[]): Error {
  return toImportError(dataset.name, found) ?? new Error(`Nothing is wrong in ${dataset.name}.`);
}

type StagedFiles = {
  readonly files: readonly StagedFile[];
  readonly imported: readonly ImportedFile[];
  /** The rows that the readers of the files refused. */
  readonly refused: readonly FoundProblems[];
  readonly stagedCount: number;
  readonly isStepped: boolean;
  /** The columns that fields could use: of each file, or those after the steps. */
  readonly columns: readonly (readonly string[])[];
  readonly notices: readonly string[];
};

/** Reads the files one after the other, so that the rows keep their order. */
async function stageFiles(options: Import, opened: readonly OpenedRows[]): Promise<StagedFiles> {
  const { connection, declared } = options;
  const { dataset, source } = declared;
  const isStepped = hasSteps(declared);
  await createStage(connection, dataset, { isStepped });
  if (!isStepped) {
    const read = await readFiles(options, opened, {
      fieldsOf: () => fieldColumns(dataset, source),
      load: (selection) => stageRows(connection, dataset, selection),
    });
    const columns = opened.map((rows) => rows.columns);
    return { ...read, stagedCount: countRows(read.files), isStepped, columns, notices: [] };
  }
  const common = commonColumns(opened);
  if ('found' in common) throw foundError(dataset, common.found);
  const { columns } = common;
  const file = await createRawRows(connection, { columns, folder: options.copies });
  const read = await readFiles(options, opened, {
    fieldsOf: (rows) => textFields(columns, rows),
    load: (selection) => loadRows(connection, selection),
  });
  let stepped: Stepped;
  try {
    stepped = await stepRows(connection, { ...options, columns, file });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw foundError(dataset, [...read.refused, await stepFound(error, read.files)]);
  }
  const selected = selectStepped(fieldColumns(dataset, source), stepped);
  if ('problems' in selected) {
    const label = opened[0]?.file.label ?? '';
    const found = selected.problems.map((problem) => foundProblem(0, { file: label, ...problem }));
    throw foundError(dataset, found);
  }
  const stagedCount = await stageRows(connection, dataset, selected.selection);
  return {
    ...read,
    stagedCount,
    isStepped,
    columns: [stepped.columns.filter((name) => !stepped.usedColumns.includes(name))],
    notices: [stepNotice(countRows(read.files), stagedCount)],
  };
}

/** A step that fails names the row that it fails for. */
async function stepFound(error: StepError, files: readonly StagedFile[]): Promise<FoundProblems> {
  const located = error.row === undefined ? undefined : await locateFileRows(files, [error.row]);
  const [place] = [...(located?.values() ?? [])];
  const file = place?.file ?? files[0];
  return foundProblem(file?.rows.file.number ?? 0, {
    file: file?.rows.file.label ?? '',
    ...place?.place,
    field: error.place,
    reason: error.reason,
    hint: error.hint,
  });
}

function stepNotice(before: number, after: number): string {
  const rows = (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString('en-US')} rows`);
  return `The steps made ${rows(after)} of the ${rows(before)} of the files.`;
}

/** The columns that are read from the rows of a file, and the table that they are loaded into. */
type RowTarget = {
  readonly fieldsOf: (rows: OpenedRows) => readonly FieldColumn[];
  readonly load: (selection: RowSelection) => Promise<number>;
};

type ReadFiles = Pick<StagedFiles, 'files' | 'imported' | 'refused'>;

async function readFiles(
  { declared, signal, report }: Import,
  opened: readonly OpenedRows[],
  target: RowTarget,
): Promise<ReadFiles> {
  const { dataset } = declared;
  const files: StagedFile[] = [];
  const imported: ImportedFile[] = [];
  const refused: FoundProblems[] = [];
  for (const rows of opened) {
    const firstRow = countRows(files);
    report({ stage: 'reading', file: (rows.file.original ?? rows.file).path, rows: firstRow });
    const scanned = await rows.scan();
    if ('found' in scanned) throw foundError(dataset, [...refused, scanned.found]);
    const read = await readRows(rows, target).catch((error: unknown) => ({ error }));
    signal?.throwIfAborted();
    // An error of the engine means nothing if the file changed under it.
    const change = await findChange(rows.file);
    if (change !== undefined) throw foundError(dataset, [...refused, change]);
    if ('error' in read) throw read.error;
    imported.push(scanned.scan.imported);
    refused.push(read.found);
    files.push({ rows, firstRow, rowCount: read.rowCount });
  }
  return { files, imported, refused };
}

function countRows(files: readonly StagedFile[]): number {
  return files.reduce((sum, { rowCount }) => sum + rowCount, 0);
}

async function readRows(
  rows: OpenedRows,
  { fieldsOf, load }: RowTarget,
): Promise<{ readonly rowCount: number; readonly found: FoundProblems }> {
  const selected = rows.select(fieldsOf(rows));
  if ('found' in selected) return { rowCount: 0, found: { ...selected.found, isOfFile: true } };
  let rowCount: number;
  try {
    rowCount = await load(selected.selection);
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
    return { rowCount: 0, found: { ...(await rows.explainFailure(error)), isOfFile: true } };
  }
  return { rowCount, found: await rows.findRejects() };
}

async function checkRows(
  unchecked: UncheckedRows,
  replacedPeriod: Period | undefined,
): Promise<KeptRows> {
  const { connection, dataset, stagedCount, refused } = unchecked;
  const checks = [
    ...rowChecks(dataset),
    ...(replacedPeriod === undefined ? [] : replacedPeriodChecks(dataset, replacedPeriod)),
  ];
  const counts = await countFoundRows(connection, checks);
  const failed = checks.filter((_, index) => counts[index] !== 0);
  if (failed.length > 0 || refused.some((part) => part.counts.length > 0)) {
    return rejectRows(unchecked, failed);
  }
  return { table: STAGE_TABLE, readCount: stagedCount, rejectedCount: 0, rejected: [] };
}

/**
 * Sorts the kept rows of the files. Equal keys are neighbours only then, so rows with a repeated key are rejected
 * only now.
 */
async function sortRows(unchecked: UncheckedRows, kept: KeptRows): Promise<KeptRows> {
  const { connection, dataset, base, duplicates: rule } = unchecked;
  const sort = ({ table }: KeptRows) =>
    sortRecords(connection, dataset, {
      table: combinedRows(dataset, { rule, table }),
      column: valueColumn,
    }).catch((error: unknown) => {
      throw rule === 'sum' ? explainSum(error, dataset) : error;
    });
  if (await hasUnlikeRows(connection, dataset, { rule, table: kept.table })) {
    const alike = await rejectRows(unchecked, []);
    await sort(alike);
    return alike;
  }
  await sort(kept);
  const repeated = await countRepeatedKeys(connection, dataset);
  const known = base === undefined ? 0 : await countKeptKeys(connection, dataset, base);
  if (repeated === 0 && known === 0) return kept;
  const unique = await rejectRows(unchecked, []);
  await connection.run(`DROP TABLE ${SORTED_TABLE}`);
  await sort(unique);
  return unique;
}

/** Also removes files that an engine had beside its own, for example a log; their names begin with the same. */
async function removeFiles({ directory, writers }: ImportOptions): Promise<void> {
  const files = writers.flatMap((writer) => writer.files);
  for (const name of await readdir(directory).catch(() => [])) {
    if (files.some((file) => name.startsWith(file))) await rm(join(directory, name));
  }
}
