import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '../../domain/dataset.ts';
import type { Period } from '../../domain/period.ts';
import { isAddress, shownAddress } from '../../manifest/address.ts';
import type { DeclaredDataset } from '../../manifest/manifest.ts';
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
import { AddressProblem } from '../addresses/address-problem.ts';
import type { AddressEnvironment } from '../addresses/address-request.ts';
import { type FetchedFile, fetchAddress } from '../addresses/fetch-address.ts';
import { copyAsText } from '../formats/copy-as-text.ts';
import { listSourceFiles } from '../formats/list-source-files.ts';
import type { OpenedRows } from '../formats/row-format.ts';
import { ROW_FORMATS } from '../formats/row-formats.ts';
import { brokenGzip, findChange } from '../formats/scan-source-file.ts';
import {
  fileLabels,
  type ImportedFile,
  inspectSourceFile,
  namedPath,
} from '../formats/source-file.ts';
import { explainStageError } from '../problems/explain-system-error.ts';
import { type FoundProblems, foundProblem, toImportError } from '../problems/found-problems.ts';
import type { Lookup } from '../steps/join-rows.ts';
import { neededColumns } from '../steps/needed-columns.ts';
import type { Stepped } from '../steps/run-steps.ts';
import { lookupTable, RAW_ROWS } from '../steps/staged-rows.ts';
import { stepColumns } from '../steps/step-columns.ts';
import { StepError } from '../steps/step-error.ts';
import {
  attachBase,
  type BaseRows,
  baseRecordsOf,
  countKeptKeys,
  replacedPeriodChecks,
} from './base-rows.ts';
import { combinedNotices, combinedRows, explainSum, hasUnlikeRows } from './combine-duplicates.ts';
import { boundaryFiles, type ComputedFields, openComputedFields } from './computed-fields.ts';
import { describePoints } from './describe-points.ts';
import { findRowProblems, findStepProblems, type StagedFile } from './find-row-problems.ts';
import type { ImportProgress } from './import-progress.ts';
import { loadEven } from './load-even.ts';
import { fieldColumns, findColumnProblems, unusedColumnNotices } from './match-columns.ts';
import { type KeptRows, rejectRows, type UncheckedRows } from './reject-rows.ts';
import { countFoundRows, rowChecks } from './row-checks.ts';
import { createStage, stageRows, valueColumn } from './stage-rows.ts';
import {
  commonColumns,
  createRawRows,
  createTextTable,
  hasSteps,
  invalidRow,
  loadRows,
  type StepLimits,
  selectStepped,
  stepRows,
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

export type ImportOptions = StepLimits & {
  readonly declared: DeclaredDataset;
  /** Rows of the current version that are in the new one too; absent: none. */
  readonly base?: BaseRows | undefined;
  /** The period within which all rows of the files must lie. */
  readonly replacedPeriod?: Period | undefined;
  /** Each writes its files. The first one is that of the column store. */
  readonly writers: readonly VersionWriter[];
  /** An existing folder, into which the files are written. */
  readonly directory: string;
  /** The limit of a gzip file, unpacked; absent: none. */
  readonly unpackedBytesMax?: number | undefined;
  /** The environment variables with the credentials of S3; absent: there are none. */
  readonly environment?: AddressEnvironment | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
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
    throw explainStageError(error, { datasetName: options.declared.dataset.name, ...progress });
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
  const lookups = await openLookups(options, opened.length);
  const carried =
    base === undefined
      ? { carriedOver: 0, replaced: 0 }
      : await attachBase(connection, dataset, base);
  const computed = await openComputedFields(connection, declared, base);
  const staged = await stageFiles({ ...options, computed }, opened, lookups);
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
  const sorted = await sortRows(unchecked, checked);
  const { readCount, rejectedCount, rejected } = sorted;
  const pointNotices = await describePoints(
    { ...staged, connection, ...sorted },
    declared,
    computed,
  );
  // From here on only the sorted rows are needed; on disk they are as large as the staged ones.
  await connection.run(`DROP TABLE ${STAGE_TABLE}`);
  const notices = [
    ...staged.fileNotices,
    ...unusedColumnNotices(fieldColumns(dataset, source), staged.columns),
    ...staged.notices,
    ...pointNotices,
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
    files: [...staged.imported, ...boundaryFiles(computed)],
    notices,
  };
}

/** Looks at every file before the rows of any are read, so that a wrong name is said at once. */
async function openFiles(
  options: Import,
  {
    manifestPlace = `datasets.${options.declared.dataset.name}.files`,
    firstNumber = 0,
    label: givenLabel,
  }: {
    readonly manifestPlace?: string;
    readonly firstNumber?: number;
    /** The name of the file in messages; absent: the shortest that distinguishes the files. */
    readonly label?: string;
  } = {},
): Promise<readonly OpenedRows[]> {
  const { connection, memoryLimitBytes, copies, signal } = options;
  const { unpackedBytesMax = Number.POSITIVE_INFINITY } = options;
  const { dataset, source } = options.declared;
  const limits = { memoryLimitBytes, unpackedBytesMax, documentBytesMax: memoryLimitBytes };
  const format = ROW_FORMATS[source.format];
  for (const [name, compute] of Object.entries(format.functions ?? {})) {
    connection.addFunction(name, compute);
  }
  const paths = await listSourceFiles(source.files);
  const labels = fileLabels(paths);
  const found: FoundProblems[] = [];
  const opened: OpenedRows[] = [];
  for (const [index, named] of paths.entries()) {
    const number = firstNumber + index;
    const label = givenLabel ?? labels[index] ?? named;
    let fetched: FetchedFile | undefined;
    try {
      fetched = isAddress(named) ? await fetchFile(named, options) : undefined;
    } catch (error) {
      if (!(error instanceof AddressProblem)) throw error;
      const { reason, hint } = error;
      found.push(foundProblem(number, { file: label, reason, hint }));
      continue;
    }
    const inspected = await inspectSourceFile({
      path: fetched?.path ?? named,
      label,
      remote: fetched,
      number,
      manifestPlace,
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

function fetchFile(
  address: string,
  { copies, environment = {}, unpackedBytesMax, report, signal }: Import,
): Promise<FetchedFile> {
  const stage = 'fetching';
  report({ stage, file: shownAddress(address), rows: 0 });
  return fetchAddress(address, {
    folder: copies,
    bytesMax: unpackedBytesMax ?? Number.POSITIVE_INFINITY,
    environment,
    onFraction: (fraction) => report({ stage, file: shownAddress(address), fraction, rows: 0 }),
    signal,
  });
}

function foundError(dataset: Dataset, found: readonly FoundProblems[]): Error {
  return toImportError(dataset.name, found) ?? new Error(`Nothing is wrong in ${dataset.name}.`);
}

type StagedFiles = Pick<
  UncheckedRows,
  'files' | 'isStepped' | 'origin' | 'refused' | 'stagedCount'
> & {
  readonly imported: readonly ImportedFile[];
  /** The columns that fields could use: of each file, or those after the steps. */
  readonly columns: readonly (readonly string[])[];
  /** Of how the files were read, those of steps included. */
  readonly fileNotices: readonly string[];
  readonly notices: readonly string[];
};

/** A file that a step names, and the table that its rows are loaded into. */
type OpenedLookup = Lookup & { readonly rows: OpenedRows };

/** Looks at the files that steps name. They are read like those of a dataset. */
async function openLookups(options: Import, fileCount: number): Promise<readonly OpenedLookup[]> {
  const { declared } = options;
  const { dataset, source } = declared;
  const lookups: OpenedLookup[] = [];
  for (const [index, lookup] of source.lookups.entries()) {
    const { format, reading, step, table } = lookup;
    const fields = new Map(lookup.columns.map((column) => [column, { columns: [column] }]));
    const own = {
      files: [lookup.path],
      format,
      fields,
      reading,
      steps: source.steps,
      lookups: [],
      areas: [],
    };
    const [rows] = await openFiles(
      { ...options, declared: { ...declared, source: own } },
      {
        manifestPlace: `datasets.${dataset.name}.${lookup.place}`,
        firstNumber: fileCount + index,
        label: lookup.label,
      },
    );
    if (rows === undefined) throw new Error(`${lookup.label} is not opened.`);
    const { specialColumns } = rows;
    const columns = stepColumns([...rows.columns, ...specialColumns]);
    lookups.push({ step, table, label: rows.file.label, columns, specialColumns, rows });
  }
  return lookups;
}

/** Reads the files one after the other, so that the rows keep their order. */
async function stageFiles(
  options: Import & { readonly computed: ComputedFields },
  opened: readonly OpenedRows[],
  lookups: readonly OpenedLookup[],
): Promise<StagedFiles> {
  const { connection, declared } = options;
  const computed = options.computed.functions;
  const { dataset, source } = declared;
  const isStepped = hasSteps(declared);
  await createStage(connection, dataset, { isStepped });
  if (!isStepped) {
    const read = await readFiles(options, opened, {
      load: async (rows) => {
        const selected = rows.select(fieldColumns(dataset, source));
        return 'found' in selected
          ? selected
          : stageRows(connection, dataset, { ...selected, computed });
      },
    });
    const columns = opened.map((rows) => rows.columns);
    const fileNotices = noticesOf(read.files);
    return {
      ...read,
      stagedCount: countRows(read.files),
      isStepped,
      columns,
      fileNotices,
      notices: [],
    };
  }
  const { columnsVary } = ROW_FORMATS[source.format];
  const common = commonColumns(opened, columnsVary);
  if ('found' in common) throw foundError(dataset, common.found);
  const { columns } = common;
  const needed = neededColumns(columns, source);
  const loaded = columns.flatMap((name, index) => (needed.has(name) ? [index] : []));
  const file = await createRawRows(connection, { columns, folder: options.copies });
  const read = await readFiles(options, opened, {
    load: (rows) => {
      const indexes = common.indexesIn(rows);
      return loadRows(connection, rows.selectTexts(loaded.map((index) => indexes[index] ?? -1)), {
        table: RAW_ROWS,
        indexes: loaded,
      });
    },
  });
  const invalid = await findRowProblems({
    connection,
    checks: [invalidRow(RAW_ROWS)],
    files: read.files,
    isStepped: false,
  });
  const refused = [...read.refused, invalid];
  const tables = await readLookups(options, lookups);
  let stepped: Stepped;
  try {
    stepped = await stepRows(connection, {
      ...options,
      datasetName: dataset.name,
      columns,
      lookups,
      file,
    });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const found = await findStepProblems(error, { declared, files: read.files, tables });
    throw foundError(dataset, [...refused, found]);
  }
  const selected = selectStepped(fieldColumns(dataset, source), stepped);
  if ('problems' in selected) {
    const label = opened[0]?.file.label ?? '';
    const found = selected.problems.map((problem) => foundProblem(0, { file: label, ...problem }));
    throw foundError(dataset, found);
  }
  const stagedCount = await stageRows(connection, dataset, { ...selected, computed });
  const special = opened.flatMap((rows) => rows.specialColumns);
  return {
    ...read,
    imported: [...read.imported, ...[...tables.values()].map(({ imported }) => imported)],
    refused,
    stagedCount,
    isStepped,
    origin: stepped.origin,
    columns: [
      stepped.columns.filter((name) => ![...stepped.usedColumns, ...special].includes(name)),
    ],
    fileNotices: noticesOf([...read.files, ...[...tables.values()].map(({ file: one }) => one)]),
    notices: [...stepNotices(countRows(read.files), stagedCount), ...stepped.notices],
  };
}

/** Loads the files that steps name, each into its table. A row that cannot be read refuses the publish. */
async function readLookups(
  options: Import,
  lookups: readonly OpenedLookup[],
): Promise<ReadonlyMap<string, ReadLookup>> {
  const { connection, declared } = options;
  const read = new Map<string, ReadLookup>();
  for (const lookup of lookups) {
    const { rows, columns } = lookup;
    const table = lookupTable(lookup);
    await createTextTable(connection, table, columns);
    const indexes = columns.map((_, index) => index);
    const result = await readFiles(options, [rows], {
      load: () => loadRows(connection, rows.selectTexts(indexes), { table, indexes }),
    });
    const invalid = await findRowProblems({
      connection,
      checks: [invalidRow(table)],
      files: result.files,
      isStepped: false,
    });
    const error = toImportError(declared.dataset.name, [...result.refused, invalid]);
    if (error !== undefined) throw error;
    const [[file], [imported]] = [result.files, result.imported];
    if (file !== undefined && imported !== undefined) read.set(table, { file, imported });
  }
  return read;
}

type ReadLookup = { readonly file: StagedFile; readonly imported: ImportedFile };

function stepNotices(before: number, after: number): readonly string[] {
  if (before === after) return [];
  const rows = (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString('en-US')} rows`);
  return [`The steps made ${rows(after)} from the ${rows(before)} of the files.`];
}

/** Loads the rows of a file into a table, and returns their number. */
type RowTarget = {
  readonly load: (rows: OpenedRows) => Promise<number | { readonly found: FoundProblems }>;
};

type ReadFiles = Pick<StagedFiles, 'files' | 'imported' | 'refused'>;

async function readFiles(
  { declared, copies, signal, report }: Import,
  opened: readonly OpenedRows[],
  target: RowTarget,
): Promise<ReadFiles> {
  const { dataset } = declared;
  const files: StagedFile[] = [];
  const imported: ImportedFile[] = [];
  const refused: FoundProblems[] = [];
  for (const rows of opened) {
    const firstRow = countRows(files);
    report({ stage: 'reading', file: namedPath(rows.file), rows: firstRow });
    const scanned = await rows.scan();
    if ('found' in scanned) throw foundError(dataset, [...refused, scanned.found]);
    const read = await readRows(rows, target, copies).catch((error: unknown) => ({ error }));
    signal?.throwIfAborted();
    // An error of the engine means nothing if the file changed under it.
    const change = await findChange(rows.file);
    if (change !== undefined) throw foundError(dataset, [...refused, change]);
    if ('error' in read) throw read.error;
    imported.push(scanned.scan.imported);
    refused.push(read.found);
    files.push({ rows: read.rows, firstRow, rowCount: read.rowCount });
  }
  return { files, imported, refused };
}

function noticesOf(files: readonly StagedFile[]): readonly string[] {
  return files.flatMap(({ rows }) => rows.file.notices);
}

function countRows(files: readonly StagedFile[]): number {
  return files.reduce((sum, { rowCount }) => sum + rowCount, 0);
}

async function readRows(
  opened: OpenedRows,
  { load }: RowTarget,
  copies: string,
): Promise<Pick<StagedFile, 'rows' | 'rowCount'> & { readonly found: FoundProblems }> {
  const { rows, ...result } = await loadEven(opened, copies, load);
  const unread = (found: FoundProblems) => ({
    rows,
    rowCount: 0,
    found: { ...found, isOfFile: true },
  });
  if ('error' in result) return unread(await rows.explainFailure(result.error));
  if (typeof result.loaded !== 'number') return unread(result.loaded.found);
  return { rows, rowCount: result.loaded, found: await rows.findRejects() };
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
