import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';

/** The database of the rows, and its tables before and after the steps. */
export const ROWS_DATABASE = 'file_rows';
export const RAW_ROWS = `${ROWS_DATABASE}.main.raw_rows`;
export const STEPPED_ROWS = `${ROWS_DATABASE}.main.stepped_rows`;
/** Why a row of a file is invalid as a whole, and how it is shown; such rows go through no step. */
export const ROW_REASON = 'row_reason';
export const ROW_SHOWN = 'row_shown';
/** The number of the row of the files that a row came from. */
export const SOURCE_ROW = 'source_row';

/** A column of the rows in a table, by its index. */
export function textColumn(index: number): string {
  return `text_${index}`;
}

/** The table of a file that a step names; a join has no table name. */
export function lookupTable({
  step,
  table,
}: {
  readonly step: number;
  readonly table: string;
}): string {
  return `${ROWS_DATABASE}.main.${quoteIdentifier(`lookup_${step}_${table}`)}`;
}

/** A table of the rows after a step that reads all rows. */
export function rowsTable(step: number): string {
  return `${ROWS_DATABASE}.main.rows_${step}`;
}

/** Names that no column of a file has, because of the control character. */
export const HIDDEN_ROW = quoteIdentifier('\u0001row');
export const HIDDEN_ITEM = quoteIdentifier('\u0001item');
export const hiddenColumn = (name: string, index: number): string =>
  quoteIdentifier(`\u0001${name}_${index}`);

/** Rows as SQL over a table, each of its rows by itself: the names of their columns, and the step that makes them. */
export type Rows = {
  /** SQL over the table, or over some rows of it. */
  readonly sql: (base: string) => string;
  readonly base: string;
  /** SQL over the table of the number of the row of the files. */
  readonly baseRow: string;
  readonly columns: readonly string[];
  /** The place of the step in the dataset's part of the manifest. */
  readonly keys: readonly string[];
};

/** Rows with an expression over them, and the place of the expression. */
export type ComputedRows = Rows & { readonly computed?: string };

/** The rows of a table, whose columns are named by their index. */
export function storedRows({
  base,
  baseRow = SOURCE_ROW,
  columns,
  keys,
  condition = 'true',
}: Omit<Rows, 'sql' | 'baseRow'> & {
  readonly baseRow?: string;
  readonly condition?: string;
}): Rows {
  const named = columns.map((name, index) => `${textColumn(index)} AS ${quoteIdentifier(name)}`);
  return {
    sql: (table) =>
      `SELECT ${[`${baseRow} AS ${HIDDEN_ROW}`, ...named].join(', ')} FROM ${table} WHERE ${condition}`,
    base,
    baseRow,
    columns,
    keys,
  };
}
