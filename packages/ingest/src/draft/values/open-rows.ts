import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { copyAsText } from '../../formats/copy-as-text.ts';
import { OUTLINE_COLUMN } from '../../formats/features/geojson-format.ts';
import { namedColumns, withNamedColumns } from '../../formats/named-tables.ts';
import type { FieldColumn, OpenedRows, RowSelection } from '../../formats/row-format.ts';
import { ROW_FORMATS } from '../../formats/row-formats.ts';
import type { ScanLimits } from '../../formats/scan-source-file.ts';
import { plainField } from '../../formats/text-fields.ts';
import type { FieldSource } from '../../manifest/field-source.ts';
import { FILE_FORMATS } from '../../manifest/file-formats.ts';
import type { DatasetSource, FileReading } from '../../manifest/manifest.ts';
import { reportTo } from '../../manifest/manifest-report.ts';
import type { DatasetDocument } from '../../manifest/manifest-schema.ts';
import { readFieldSource } from '../../manifest/read-field-source.ts';
import type { RowStep } from '../../manifest/row-steps.ts';
import { type FoundProblems, toImportError } from '../../problems/found-problems.ts';
import { problemText } from '../../problems/import-error.ts';
import { loadEven } from '../../rows/load-even.ts';
import { commonColumns, createRawRows, loadRows, selectStepped } from '../../rows/step-rows.ts';
import { runSteps } from '../../steps/run-steps.ts';
import { RAW_ROWS, textColumn } from '../../steps/staged-rows.ts';
import type { InspectedFile } from '../files/inspect-file.ts';
import { type Members, withMemberSql } from './find-members.ts';
import type { WideColumns } from './find-wide-columns.ts';
import type { SharedCode } from './shared-codes.ts';

/** A field as the manifest would declare it. */
export type FieldDocument = DatasetDocument['fields'][string];

/** The rows of a file, read as the importer reads them. */
export type ReadRows = {
  /** The names of the columns; those that are blank or repeated by their position: `column 3`. */
  readonly columns: readonly string[];
  /** Columns that every file of the format has, such as $id. */
  readonly specialColumns: readonly string[];
  /** Whether the values are texts, as after steps. */
  readonly hasTexts: boolean;
  /** The decimal separator that some columns show without doubt. */
  readonly decimalMark: '.' | ',' | undefined;
  /** Whether semicolons divide the values of the file. */
  readonly hasSemicolons: boolean;
  /** Whether the file itself has the values of a column as numbers, so that none is written in another way. */
  readonly isNumber: (column: string) => boolean;
  /** The members of objects among the columns. */
  readonly members: Members;
  /** SQL of the text of a column. */
  readonly textOf: (column: string) => string;
  /** Reads fields; undefined if a column cannot have the type. */
  readonly select: (
    fields: Readonly<Record<string, FieldDocument>>,
    roles?: Pick<DatasetDocument, 'point' | 'period'>,
  ) => RowSelection | undefined;
};

export type RowsOptions = {
  readonly connection: ImportConnection;
  /** An existing folder for copies and what does not fit into memory. */
  readonly folder: string;
  readonly limits: ScanLimits;
  readonly memoryLimitBytes: number;
  /** The columns whose numbers are codes of other files. */
  readonly codes?: ReadonlyMap<string, SharedCode>;
  /** The columns that become rows, because each is a place. */
  readonly places?: WideColumns | undefined;
  /** Whether columns with types are read as texts in any case. */
  readonly areTexts?: boolean;
};

/** The rows of a file that are sampled. */
export const ROWS_MAX = 20_000_000;

/** The rows of a file in a format whose columns have types. */
export function typedRows(seen: InspectedFile, rows: OpenedRows): ReadRows {
  return {
    hasTexts: false,
    decimalMark: undefined,
    hasSemicolons: false,
    isNumber: () => false,
    members: new Map(),
    textOf: (column) => textColumn(rows.columns.indexOf(column)),
    columns: rows.columns,
    specialColumns: rows.specialColumns.filter((column) => column !== OUTLINE_COLUMN),
    select: (fields, roles) => {
      const selected = rows.select(fieldColumns(seen, fields, { roles, hasTexts: false }));
      return 'selection' in selected ? selected.selection : undefined;
    },
  };
}

/** Loads files with the same columns as texts. */
export async function loadTexts(
  seen: readonly InspectedFile[],
  opened: readonly OpenedRows[],
  options: RowsOptions,
): Promise<{
  readonly columns: readonly string[];
  readonly specialColumns: readonly string[];
  readonly rejectedCount: number;
  readonly rejectedExample: string | undefined;
  readonly isLimited: boolean;
  /** The numbers of the first rows of the files. */
  readonly fileStarts: readonly number[];
}> {
  const { connection } = options;
  const columnsVary = seen.some(({ format }) => ROW_FORMATS[format].columnsVary);
  const specialColumns = columnsVary ? (opened[0]?.specialColumns ?? []) : [];
  const common = commonColumns(opened, columnsVary);
  if ('found' in common) throw refusal(seen[0], common.found);
  const columns = columnsOfBlock(common.columns, seen[0]);
  await createRawRows(connection, { columns, folder: options.folder });
  let rejectedCount = 0;
  let rejectedExample: string | undefined;
  let isLimited = false;
  const fileStarts: number[] = [];
  let rowCount = 0;
  for (const [index, rows] of opened.entries()) {
    const scanned = await rows.scan();
    if ('found' in scanned) throw refusal(seen[index], [scanned.found]);
    const target = { table: RAW_ROWS, indexes: columns.map((_, place) => place) };
    const { rows: read, ...result } = await loadEven(rows, options.folder, (one) => {
      const texts = one.selectTexts(columnsOfBlock(common.indexesIn(rows), seen[index]));
      const query = `SELECT * FROM (${texts.query}) LIMIT ${ROWS_MAX}`;
      return loadRows(connection, { ...texts, query }, target);
    });
    if ('error' in result) throw refusal(seen[index], [await read.explainFailure(result.error)]);
    fileStarts.push(rowCount);
    rowCount += result.loaded;
    if (result.loaded === ROWS_MAX) isLimited = true;
    const found = await read.findRejects();
    rejectedCount += found.counts.reduce((sum, one) => sum + one.count, 0);
    const [example] = found.examples;
    rejectedExample ??= example && problemText(example.problem);
  }
  return { columns, specialColumns, rejectedCount, rejectedExample, isLimited, fileStarts };
}

export type AbsentTexts = {
  /** The texts that stand for an absent value in all columns. */
  readonly everywhere: readonly string[];
  /** Those that are values of another column, such as the code NA, by the index of their column. */
  readonly inColumn: ReadonlyMap<number, readonly string[]>;
};

/** Of tables side by side, one is read. */
export function columnsOfBlock<Column>(
  columns: readonly Column[],
  seen: InspectedFile | undefined,
): readonly Column[] {
  const { first = 1, last } = seen?.block ?? {};
  return columns.slice(first - 1, last);
}

/** Reads the texts that stand for an absent value as absent. */
export async function leaveOutTexts(
  connection: ImportConnection,
  columns: readonly string[],
  { everywhere, inColumn }: AbsentTexts,
): Promise<void> {
  const values = columns.flatMap((_, index) => {
    const nulls = [...everywhere, ...(inColumn.get(index) ?? [])];
    if (nulls.length === 0) return [];
    const text = textColumn(index);
    const listed = nulls.map(quoteLiteral).join(', ');
    return `${text} = CASE WHEN trim(${text}) IN (${listed}) THEN NULL ELSE ${text} END`;
  });
  if (values.length > 0) await connection.run(`UPDATE ${RAW_ROWS} SET ${values.join(', ')}`);
}

/** The loaded rows after steps. */
export async function stepLoaded(
  seen: InspectedFile,
  loaded: Awaited<ReturnType<typeof loadTexts>>,
  steps: readonly RowStep[],
  {
    connection,
    decimalMark,
    isNumber,
    nulls,
    members,
  }: {
    readonly connection: ImportConnection;
    readonly nulls: readonly string[];
    readonly members: Members;
  } & Pick<ReadRows, 'decimalMark' | 'isNumber'>,
): Promise<ReadRows> {
  // The SQL of these steps is written here, and not by an owner: it needs no sealed connection.
  const stepped = await runSteps(connection, {
    steps,
    expressions: [],
    columns: loaded.columns,
    nulls,
    lookups: [],
    fileStarts: loaded.fileStarts,
  });
  return {
    hasTexts: true,
    decimalMark,
    hasSemicolons: seen.reading.delimiter === ';',
    isNumber,
    members,
    textOf: (column) => inTable(quoteIdentifier(column), { members, columns: stepped.columns }),
    columns: withMembers(stepped.columns, members).filter(
      (name) => !loaded.specialColumns.includes(name),
    ),
    specialColumns: loaded.specialColumns.filter((column) => column !== OUTLINE_COLUMN),
    select: (fields, roles) => {
      const selected = selectStepped(
        fieldColumns(seen, fields, { roles, hasTexts: true }),
        stepped,
        { nulls },
      );
      return 'selection' in selected
        ? withExpressions(selected.selection, fields, { members, columns: stepped.columns })
        : undefined;
    },
  };
}

type TextTable = { readonly members: Members; readonly columns: readonly string[] };

/** A column of the rows has its name in an expression, and its index in the table. */
function inTable(expression: string, { members, columns }: TextTable): string {
  return columns.reduce(
    (text, name, index) => text.replaceAll(quoteIdentifier(name), textColumn(index)),
    withMemberSql(expression, members),
  );
}

/** The columns, with the members of one in its place. */
function withMembers(columns: readonly string[], members: Members): readonly string[] {
  return columns.flatMap((name) => {
    const own = [...members].flatMap(([path, { column }]) => (column === name ? path : []));
    return own.length > 0 ? own : name;
  });
}

/** The rows with what the expressions of fields compute, which a publish does with the steps. */
function withExpressions(
  selection: RowSelection,
  fields: Readonly<Record<string, FieldDocument>>,
  table: TextTable,
): RowSelection {
  const expressions = Object.values(fields).flatMap(({ expression }) => expression ?? []);
  if (expressions.length === 0) return selection;
  const computed = expressions.map((expression, number) => {
    const sql = inTable(expression, table);
    return `CAST((${sql}) AS VARCHAR) AS ${textColumn(table.columns.length + number)}`;
  });
  return { ...selection, query: `SELECT *, ${computed.join(', ')} FROM (${selection.query})` };
}

/** Opens a file as the importer does. */
export async function openFile(
  seen: InspectedFile,
  number: number,
  { connection, folder, limits, memoryLimitBytes }: RowsOptions,
): Promise<OpenedRows> {
  const source = sourceOf(seen, []);
  const copied = await copyAsText(
    { ...seen.file, number },
    { source, limits, folder, needsOutline: seen.pointProblem === undefined },
  );
  if ('found' in copied) throw refusal(seen, [copied.found]);
  const format = ROW_FORMATS[seen.format];
  for (const [name, compute] of Object.entries(format.functions ?? {})) {
    connection.addFunction(name, compute);
  }
  const opened = await format.open({
    connection,
    source,
    file: copied.file,
    limits: { ...limits, memoryLimitBytes },
    keptTable: `${KEPT_TABLE}_${number}`,
  });
  if ('found' in opened) throw refusal(seen, [opened.found]);
  const named = withNamedColumns(opened.rows, namedColumns(seen.named, seen.reading));
  if ('found' in named) throw refusal(seen, [named.found]);
  return named.rows;
}

const KEPT_TABLE = 'stage.main.kept';

function sourceOf(
  { file, format, reading }: InspectedFile,
  steps: readonly RowStep[],
): DatasetSource {
  // The importer finds the delimiter by the columns of the fields, and here are none.
  const delimiter = reading.delimiter ?? FILE_FORMATS[format].delimiter ?? ',';
  const known: FileReading = { ...reading, delimiter };
  return {
    files: [file.path],
    format,
    fields: new Map(),
    areas: [],
    reading: known,
    steps,
    lookups: [],
  };
}

function refusal(seen: InspectedFile | undefined, found: readonly FoundProblems[]): Error {
  const error = toImportError(seen?.file.label ?? '', found);
  return error ?? new Error('Nothing is wrong.');
}

function fieldColumns(
  { format }: InspectedFile,
  fields: Readonly<Record<string, FieldDocument>>,
  {
    roles = {},
    hasTexts,
  }: {
    readonly roles: Pick<DatasetDocument, 'point' | 'period'> | undefined;
    readonly hasTexts: boolean;
  },
): readonly FieldColumn[] {
  const declared: DatasetDocument = {
    files: '',
    key: [],
    ...(hasTexts ? { rows: [] } : {}),
    ...roles,
    fields,
  };
  return Object.entries(fields).map(([name, { type, column }]) => ({
    field: { ...plainField(name, type), ...(column === OUTLINE_COLUMN ? { outline: true } : {}) },
    source: sourceOfField(name, declared, format),
  }));
}

function sourceOfField(
  name: string,
  declared: DatasetDocument,
  format: InspectedFile['format'],
): FieldSource {
  return readFieldSource({
    name,
    declared,
    areas: new Map(),
    format,
    report: reportTo((_, reason) => {
      throw new Error(`${name}: ${reason}`);
    }),
  });
}
