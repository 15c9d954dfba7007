import type { OpenedRows } from '../formats/row-format.ts';
import { ROW_FORMATS } from '../formats/row-formats.ts';
import { findChange } from '../formats/scan-source-file.ts';
import { type ImportedFile, namedPath } from '../formats/source-file.ts';
import { type FoundProblems, foundProblem, toImportError } from '../problems/found-problems.ts';
import { neededColumns } from '../steps/needed-columns.ts';
import type { Stepped } from '../steps/run-steps.ts';
import { lookupTable, RAW_ROWS } from '../steps/staged-rows.ts';
import { StepError } from '../steps/step-error.ts';
import type { ComputedFields } from './computed-fields.ts';
import { findRowProblems, findStepProblems, type StagedFile } from './find-row-problems.ts';
import type { Import } from './import-options.ts';
import { loadEven } from './load-even.ts';
import { fieldColumns } from './match-columns.ts';
import { hasMembers } from './member-path.ts';
import { foundError, type OpenedLookup } from './open-files.ts';
import type { UncheckedRows } from './reject-rows.ts';
import { createStage, stageRows } from './stage-rows.ts';
import {
  commonColumns,
  createRawRows,
  createTextTable,
  hasSteps,
  invalidRow,
  loadRows,
  selectStepped,
  stepRows,
} from './step-rows.ts';

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

/** Reads the files one after the other, so that the rows keep their order. */
export async function stageFiles(
  options: Import & { readonly computed: ComputedFields },
  opened: readonly OpenedRows[],
  lookups: readonly OpenedLookup[],
): Promise<StagedFiles> {
  const { connection, declared } = options;
  const computed = options.computed.functions;
  const { dataset, source } = declared;
  const columnsOfAll = opened.flatMap((rows) => [...rows.columns, ...rows.specialColumns]);
  const isStepped = hasSteps(declared) || hasMembers(fieldColumns(dataset, source), columnsOfAll);
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
      fileStarts: read.files.map(({ firstRow }) => firstRow),
    });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    const found = await findStepProblems(error, { declared, files: read.files, tables });
    throw foundError(dataset, [...refused, found]);
  }
  const selected = selectStepped(fieldColumns(dataset, source), stepped, {
    fileColumns: opened[0]?.columns,
    nulls: source.reading.nulls,
  });
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
    // Several sheets are those of one file.
    const { imported: file } = scanned.scan;
    if (!imported.some(({ path }) => path === file.path)) imported.push(file);
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
