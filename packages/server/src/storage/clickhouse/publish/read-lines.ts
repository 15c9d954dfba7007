import type { Dataset } from '../../../domain/dataset.ts';
import { openTurns } from '../../../domain/turns.ts';
import type { Value } from '../../../domain/value.ts';
import { quoteIdentifier } from '../../../sql/quote-identifier.ts';
import type { WatchedConnection } from '../../duckdb/publish/watched-connection.ts';
import {
  ROW_COLUMN as SOURCE_ROW_COLUMN,
  foldColumn as sourceFoldColumn,
} from '../../duckdb/record-table.ts';
import { foldColumn, ROW_COLUMN } from '../record-table.ts';

/** The records of a version in its column file, which is attached to a connection. */
export type ColumnFileRecords = {
  readonly connection: Pick<WatchedConnection, 'list' | 'read'>;
  /** SQL of their table. */
  readonly table: string;
};

/** A column of the table in ClickHouse, and the expression of its values in DuckDB. */
export type StoredColumn = { readonly name: string; readonly source: string };

export function storedColumns(dataset: Dataset): readonly StoredColumn[] {
  return [
    { name: ROW_COLUMN, source: SOURCE_ROW_COLUMN },
    ...dataset.fields.map(({ name, type }) => {
      const column = quoteIdentifier(name);
      return { name, source: type === 'date' ? `${column} - DATE '1970-01-01'` : column };
    }),
    ...dataset.fields
      .filter(({ type }) => type === 'string')
      .map(({ name }) => ({
        name: foldColumn(name),
        source: quoteIdentifier(sourceFoldColumn(name)),
      })),
  ];
}

/** ClickHouse makes a part of the table of each insert, and merges parts later, so inserts are large. */
const INSERT_CHARACTERS = 32 * 2 ** 20;

/** The records as lines of `JSONCompactEachRow`, many at once. Whole numbers and floats are written exactly. */
export async function* readLines(
  { connection, table }: ColumnFileRecords,
  columns: readonly StoredColumn[],
): AsyncGenerator<string> {
  const sources = columns.map(({ source }) => source).join(', ');
  const turns = openTurns();
  let lines = '';
  for await (const chunk of connection.read(`SELECT ${sources} FROM ${table}`)) {
    const values = columns.map((_, index) => chunk.column(index));
    for (let row = 0; row < chunk.count; row += 1) {
      lines += `[${values.map((read) => jsonText(read(row))).join(',')}]\n`;
      if (turns.isOver()) await turns.next();
    }
    if (lines.length >= INSERT_CHARACTERS) {
      yield lines;
      lines = '';
    }
  }
  if (lines !== '') yield lines;
}

function jsonText(value: Value): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
