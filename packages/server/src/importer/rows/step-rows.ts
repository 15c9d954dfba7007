import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nameHint } from '../../domain/nearest-name.ts';
import type { DeclaredDataset } from '../../manifest/manifest.ts';
import { quoteLiteral } from '../../sql/quote-identifier.ts';
import { attachDatabaseSql } from '../../storage/duckdb/attach-database.ts';
import type { ImportConnection } from '../../storage/duckdb/publish/import-connection.ts';
import { openSealedConnection } from '../../storage/duckdb/publish/sealed-connection.ts';
import type { FieldColumn, OpenedRows, RowSelection } from '../formats/row-format.ts';
import { readValue } from '../formats/value-reading.ts';
import { type FoundProblems, foundProblem } from '../problems/found-problems.ts';
import { shownValue } from '../problems/import-error.ts';
import {
  RAW_ROWS,
  ROWS_DATABASE,
  runSteps,
  SOURCE_ROW,
  STEPPED_ROWS,
  type Stepped,
  textColumn,
} from '../steps/run-steps.ts';
import { positionName, stepColumns } from '../steps/step-columns.ts';

/** Whether the rows of the files go through anything before their columns become fields. */
export function hasSteps({ source }: Pick<DeclaredDataset, 'source'>): boolean {
  return (
    source.steps.length > 0 ||
    [...source.fields.values()].some(({ expression }) => expression !== undefined)
  );
}

/** The columns of the files in steps; or what distinguishes the files, which must have the same columns. */
export function commonColumns(
  opened: readonly OpenedRows[],
): { readonly columns: readonly string[] } | { readonly found: readonly FoundProblems[] } {
  const [first, ...others] = opened;
  if (first === undefined) return { columns: [] };
  const columns = stepColumns(first.columns);
  const found = others.flatMap((rows) => {
    const own = stepColumns(rows.columns);
    const missing = columns.find((name) => !own.includes(name));
    const added = own.find((name) => !columns.includes(name));
    if (missing === undefined && added === undefined) return [];
    return foundProblem(rows.file.number, {
      file: rows.file.label,
      reason:
        missing === undefined
          ? `the column ${shownValue(added ?? '')} is not in ${first.file.label}`
          : `the column ${shownValue(missing)} is missing, which is in ${first.file.label}`,
      hint: 'Files that go through steps have the same columns. Declare another dataset for other files.',
    });
  });
  return found.length > 0 ? { found } : { columns };
}

/** Creates the table of the rows as texts, which `loadRows` fills. */
export async function createRawRows(
  connection: ImportConnection,
  { columns, folder }: { readonly columns: readonly string[]; readonly folder: string },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${randomUUID()}.duckdb`);
  await connection.run(attachDatabaseSql(file, ROWS_DATABASE));
  const texts = columns.map((_, index) => `${textColumn(index)} VARCHAR`);
  await connection.run(`CREATE TABLE ${RAW_ROWS} (${texts.join(', ')})`);
  return file;
}

/** The columns of a file as if each were a field, in the order of the common columns. */
export function textFields(columns: readonly string[], rows: OpenedRows): readonly FieldColumn[] {
  const own = stepColumns(rows.columns);
  return columns.map((name) => ({
    field: {
      name,
      type: 'string',
      sourceColumn: '',
      description: '',
      exampleValue: '',
      includedByDefault: true,
    },
    source: { columns: [own.indexOf(name) + 1] },
  }));
}

/** Adds the rows of a file, and returns their number. */
export function loadRows(connection: ImportConnection, selection: RowSelection): Promise<number> {
  const texts = selection.readings.map(({ shown }) => shown);
  return connection.run(
    `INSERT INTO ${RAW_ROWS} SELECT ${texts.join(', ')} FROM (${selection.query})`,
    selection.parameters,
  );
}

/**
 * Runs the steps on a connection of their own, which sees the rows and nothing else. Meanwhile the database of the rows
 * is closed here, because only one instance may have it open.
 */
export async function stepRows(
  connection: ImportConnection,
  {
    declared: { source },
    columns,
    file,
    ...options
  }: {
    readonly declared: Pick<DeclaredDataset, 'source'>;
    readonly columns: readonly string[];
    /** The database of the rows. */
    readonly file: string;
    readonly temporaryDirectory: string;
    readonly memoryLimitBytes: number;
    readonly threads: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<Stepped> {
  await connection.run(`DETACH ${ROWS_DATABASE}`);
  const sealed = await openSealedConnection({
    ...options,
    temporaryDirectory: `${file}.spill`,
    file,
    name: ROWS_DATABASE,
    signal: options.signal,
  });
  let stepped: Stepped;
  try {
    stepped = await runSteps(sealed, {
      steps: source.steps,
      expressions: [...source.fields].flatMap(([field, { expression }]) =>
        expression === undefined ? [] : { field, sql: expression },
      ),
      columns,
    });
  } finally {
    sealed.close();
  }
  await connection.run(`${attachDatabaseSql(file, ROWS_DATABASE)} (READ_ONLY)`);
  return stepped;
}

/** The rows after the steps, as they are staged; or the columns that fields name in vain. */
export function selectStepped(
  fields: readonly FieldColumn[],
  { columns, unpivotNames }: Stepped,
): { readonly selection: RowSelection } | { readonly problems: readonly MissingColumn[] } {
  const problems: MissingColumn[] = [];
  let expressionCount = 0;
  const readings = fields.map(({ field, source }, index) => {
    if (source.expression !== undefined) {
      expressionCount += 1;
      const text = textColumn(columns.length + expressionCount - 1);
      return readValue({ field, source }, [text], String(index));
    }
    const texts = source.columns.map((column) => {
      const name = typeof column === 'number' ? positionName(column) : column;
      const found = columns.indexOf(name);
      if (found < 0) {
        problems.push({
          field: field.name,
          reason: `after the steps the column ${shownValue(name)} is missing`,
          hint: nameHint(name, columns),
        });
      }
      return textColumn(Math.max(0, found));
    });
    return readValue({ field, source }, texts, String(index));
  });
  if (problems.length > 0) return { problems };
  return {
    selection: {
      query: `SELECT * FROM ${STEPPED_ROWS}`,
      parameters: {},
      readings,
      sourceRow: SOURCE_ROW,
      sourceNote: noteSql(columns, unpivotNames),
    },
  };
}

function noteSql(columns: readonly string[], unpivotNames: readonly string[]): string {
  const parts = unpivotNames.flatMap((name) => {
    const index = columns.indexOf(name);
    if (index < 0) return [];
    return `${quoteLiteral(`${name} is '`)} || ${textColumn(index)} || ''''`;
  });
  return parts.length === 0 ? 'NULL' : `concat_ws(', ', ${parts.join(', ')})`;
}

export type MissingColumn = {
  readonly field: string;
  readonly reason: string;
  readonly hint: string;
};
