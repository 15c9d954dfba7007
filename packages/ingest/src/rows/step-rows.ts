import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { attachDatabaseSql } from '@locmetrics/column-store/attach-database';
import type { InstanceOptions } from '@locmetrics/column-store/open-instance';
import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import {
  type OpenSealed,
  openSealedConnection,
} from '@locmetrics/column-store/publish/sealed-connection';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type {
  FieldColumn,
  OpenedRows,
  RowSelection,
  TextSelection,
} from '../formats/row-format.ts';
import { readValue } from '../formats/value-reading.ts';
import { isTable } from '../manifest/file-formats.ts';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import { type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import { shownValue } from '../problems/import-error.ts';
import { PublishError } from '../problems/publish-error.ts';
import type { Lookup } from '../steps/join-rows.ts';
import { runSteps, type Stepped } from '../steps/run-steps.ts';
import {
  lookupTable,
  RAW_ROWS,
  ROW_REASON,
  ROW_SHOWN,
  ROWS_DATABASE,
  SOURCE_ROW,
  STEPPED_ROWS,
  textColumn,
} from '../steps/staged-rows.ts';
import { positionName, stepColumns } from '../steps/step-columns.ts';
import { findMember, memberText, ofObjects } from './member-path.ts';
import type { RowCheck } from './row-checks.ts';

/**
 * Whether the rows of the files go through anything before their columns become fields. Columns are joined as texts,
 * which the columns of a table are already.
 */
export function hasSteps({ source }: Pick<DeclaredDataset, 'source'>): boolean {
  const isText = isTable(source.format);
  const { fileName, sheetName } = source.reading;
  return (
    source.steps.length > 0 ||
    fileName !== undefined ||
    sheetName !== undefined ||
    [...source.fields.values()].some(
      ({ expression, columns }) => expression !== undefined || (columns.length > 1 && !isText),
    )
  );
}

/** The columns in steps. */
export type StepColumns = {
  readonly columns: readonly string[];
  /** For each, its index among the columns of a file followed by its special ones; -1 if the file lacks it. */
  readonly indexesIn: (rows: OpenedRows) => readonly number[];
};

/**
 * The columns of the files in steps; or what distinguishes the files, which must have the same columns unless their
 * rows may omit some.
 */
export function commonColumns(
  opened: readonly OpenedRows[],
  columnsVary: boolean,
): StepColumns | { readonly found: readonly FoundProblems[] } {
  const [first, ...others] = opened;
  if (first === undefined) return { columns: [], indexesIn: () => [] };
  if (columnsVary) {
    const names = [...new Set(opened.flatMap(allColumns))];
    return {
      columns: stepColumns(names),
      indexesIn: (rows) => names.map((name) => allColumns(rows).indexOf(name)),
    };
  }
  const columns = stepColumns(first.columns);
  const found = others.flatMap((rows) => {
    const own = stepColumns(rows.columns);
    const missing = columns.find((name) => !own.includes(name));
    const added = own.find((name) => !columns.includes(name));
    if (missing === undefined && added === undefined) return [];
    return fileProblem(rows.file, {
      reason:
        missing === undefined
          ? `the column ${shownValue(added ?? '')} is not in ${first.file.label}`
          : `the column ${shownValue(missing)} is missing, which is in ${first.file.label}`,
      hint: 'Files that go through steps must have the same columns. Declare another dataset for the other files.',
    });
  });
  if (found.length > 0) return { found };
  return {
    columns,
    indexesIn: (rows) => {
      const own = stepColumns(rows.columns);
      return columns.map((name) => own.indexOf(name));
    },
  };
}

function allColumns({ columns, specialColumns }: OpenedRows): readonly string[] {
  return [...columns, ...specialColumns];
}

/** Creates the table of the rows as texts, which `loadRows` fills. */
export async function createRawRows(
  connection: ImportConnection,
  { columns, folder }: { readonly columns: readonly string[]; readonly folder: string },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${randomUUID()}.duckdb`);
  await connection.run(attachDatabaseSql(file, ROWS_DATABASE));
  await createTextTable(connection, RAW_ROWS, columns);
  return file;
}

/** Creates a table of texts in the database of the rows. */
export async function createTextTable(
  connection: ImportConnection,
  table: string,
  columns: readonly string[],
): Promise<void> {
  const names = [...columns.map((_, index) => textColumn(index)), ROW_REASON, ROW_SHOWN];
  await connection.run(
    `CREATE TABLE ${table} (${names.map((name) => `${name} VARCHAR`).join(', ')})`,
  );
}

/** Adds the rows of a file to a table, and returns their number. Rows that are invalid as a whole have the reason. */
export function loadRows(
  connection: ImportConnection,
  { query, parameters, texts, rowReason = 'NULL', rowShown = 'NULL' }: TextSelection,
  {
    table,
    indexes,
  }: {
    readonly table: string;
    /** The column of each text in the table; the others stay absent. */
    readonly indexes: readonly number[];
  },
): Promise<number> {
  const targets = [...indexes.map(textColumn), ROW_REASON, ROW_SHOWN];
  const values = [...texts, `(${rowReason})`, `(${rowShown})`];
  return connection.run(
    `INSERT INTO ${table} (${targets.join(', ')}) SELECT ${values.join(', ')} FROM (${query})`,
    parameters,
  );
}

/** The check for rows of a table that are invalid as a whole: they go through no step. */
export function invalidRow(table: string): RowCheck {
  return {
    from: table,
    condition: `${ROW_REASON} IS NOT NULL`,
    shown: ROW_SHOWN,
    reason: ROW_REASON,
  };
}

/** The resources that the engine may use for the steps. */
export type StepLimits = InstanceOptions & {
  /** The time after which the steps are stopped; absent: an hour. */
  readonly stepsTimeMaxMs?: number | undefined;
  /** The time of a statement over 100,000 rows: more rows have more, fewer have the same; absent: half a minute. */
  readonly stepTimeMs?: number | undefined;
  /** How the connection is opened; absent: in this process. */
  readonly openSealed?: OpenSealed | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Runs the steps on a connection of their own, which sees the rows and nothing else. Meanwhile the database of the rows
 * is closed here, because only one instance may have it open.
 */
export async function stepRows(
  connection: ImportConnection,
  {
    datasetName,
    declared: { source },
    columns,
    lookups,
    file,
    fileStarts = [],
    ...options
  }: {
    readonly datasetName: string;
    readonly declared: Pick<DeclaredDataset, 'source'>;
    readonly columns: readonly string[];
    /** The tables of the files that steps name. */
    readonly lookups: readonly Lookup[];
    /** The database of the rows. */
    readonly file: string;
    /** The numbers of the first rows of the files. */
    readonly fileStarts?: readonly number[];
  } & StepLimits,
): Promise<Stepped> {
  const {
    stepsTimeMaxMs = STEPS_TIME_MAX_MS,
    stepTimeMs = STEP_TIME_MS,
    openSealed = openSealedConnection,
  } = options;
  const timeout = AbortSignal.timeout(stepsTimeMaxMs);
  const rows = await countRows(connection, [RAW_ROWS, ...lookups.map(lookupTable)]);
  await connection.run(`DETACH ${ROWS_DATABASE}`);
  const sealed = await openSealed({
    ...options,
    statementTimeMaxMs: stepTimeMs * Math.max(1, rows / STEP_TIME_ROWS),
    temporaryDirectory: `${file}.spill`,
    file,
    name: ROWS_DATABASE,
    signal: AbortSignal.any([timeout, ...(options.signal === undefined ? [] : [options.signal])]),
  });
  let stepped: Stepped;
  try {
    stepped = await runSteps(sealed, {
      steps: source.steps,
      expressions: [...source.fields].flatMap(([field, { expression }]) =>
        expression === undefined ? [] : { field, sql: expression },
      ),
      columns,
      nulls: source.reading.nulls,
      lookups,
      fileStarts,
    });
  } catch (error) {
    if (!timeout.aborted || options.signal?.aborted === true) throw error;
    throw new PublishError(
      `${datasetName}: the steps under rows ran for more than ${stepsTimeMaxMs / 60_000} minutes, and were stopped.`,
      'The time of a query that joins each row to every other row grows with the square of the number of rows. Leave rows out first, or prepare the file elsewhere.',
    );
  } finally {
    await sealed.close();
  }
  await connection.run(`${attachDatabaseSql(file, ROWS_DATABASE)} (READ_ONLY)`);
  return stepped;
}

/** A query that never ends is stopped, also where nobody watches. */
const STEPS_TIME_MAX_MS = 60 * 60_000;
const STEP_TIME_MS = 30_000;
const STEP_TIME_ROWS = 100_000;

async function countRows(connection: ImportConnection, tables: readonly string[]): Promise<number> {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`);
  const [row] = await connection.list(`SELECT (${counts.join(' + ')})::DOUBLE AS rows`);
  return row === undefined ? 0 : numberOf(row, 'rows');
}

/** The rows after the steps, as they are staged; or the columns that fields name in vain. */
export function selectStepped(
  fields: readonly FieldColumn[],
  { columns, notedColumns }: Stepped,
  {
    fileColumns = [],
    nulls = [],
  }: {
    /** The columns of the files, for messages. */
    readonly fileColumns?: readonly string[] | undefined;
    /** Texts that mean that a member of an object is absent. */
    readonly nulls?: readonly string[];
  } = {},
): { readonly selection: RowSelection } | { readonly problems: readonly MissingColumn[] } {
  const problems: MissingColumn[] = [];
  let expressionCount = 0;
  const readings = fields.map(({ field, source }, index) => {
    if (source.expression !== undefined) {
      expressionCount += 1;
      const text = textColumn(columns.length + expressionCount - 1);
      return readValue({ field, source }, [text], String(index));
    }
    const members: { readonly name: string; readonly sql: string }[] = [];
    const objects: { readonly text: string; readonly isObject: string }[] = [];
    const texts = source.columns.map((column) => {
      const name = typeof column === 'number' ? positionName(column) : column;
      const found = columns.indexOf(name);
      const member = found < 0 ? findMember(name, columns) : undefined;
      if (member !== undefined) {
        const text = textColumn(columns.indexOf(member.column));
        const read = memberText(text, member.keys, nulls);
        const own = `member_${index}_${members.length}`;
        members.push({ name: own, sql: read.text });
        objects.push({ text, isObject: read.isObject });
        return own;
      }
      if (found < 0) {
        problems.push({
          field: field.name,
          reason: `after the steps the column ${shownValue(name)} is missing`,
          hint: positionHint(name, { columns, fileColumns }) ?? nameHint(name, columns),
        });
      }
      return textColumn(Math.max(0, found));
    });
    const reading = readValue({ field, source }, texts, String(index));
    if (objects.length === 0) return reading;
    return {
      ...ofObjects(reading, objects),
      prepared: [...members, ...(reading.prepared ?? [])],
    };
  });
  if (problems.length > 0) return { problems };
  return {
    selection: {
      query: `SELECT * FROM ${STEPPED_ROWS}`,
      parameters: {},
      readings,
      sourceRow: SOURCE_ROW,
      sourceNote: noteSql(columns, notedColumns),
    },
  };
}

/** Whether a column is named by its position, or has a name and is not. */
function positionHint(
  name: string,
  {
    columns,
    fileColumns,
  }: { readonly columns: readonly string[]; readonly fileColumns: readonly string[] },
): string | undefined {
  const position = Number(/^column (\d+)$/.exec(name)?.[1]);
  const own = fileColumns[position - 1];
  if (own !== undefined && columns.includes(own)) {
    return `Column ${position} has a name of its own: column: ${own}. Only blank and repeated names are replaced by the position.`;
  }
  const repeated = fileColumns.flatMap((one, index) =>
    one.toLowerCase() === name.toLowerCase() ? [`'${positionName(index + 1)}'`] : [],
  );
  return repeated.length < 2
    ? undefined
    : `The header has this name ${repeated.length} times, so the columns are named by their positions: ${repeated.join(' and ')}.`;
}

/** The text that tells rows with one source apart, for example `year is '2020'`. */
function noteSql(columns: readonly string[], notedColumns: readonly string[]): string {
  const parts = notedColumns.slice(0, NOTED_COLUMNS_MAX).flatMap((name) => {
    const index = columns.indexOf(name);
    if (index < 0) return [];
    return `${quoteLiteral(`${name} is '`)} || left(${textColumn(index)}, ${NOTED_CHARACTERS_MAX}) || ''''`;
  });
  return parts.length === 0 ? 'NULL' : `concat_ws(', ', ${parts.join(', ')})`;
}

const NOTED_COLUMNS_MAX = 8;
const NOTED_CHARACTERS_MAX = 40;

export type MissingColumn = {
  readonly field: string;
  readonly reason: string;
  readonly hint: string;
};
