import type { WatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import {
  ROW_COLUMN as SOURCE_ROW_COLUMN,
  foldColumn as sourceFoldColumn,
  searchColumn as sourceSearchColumn,
} from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { type FieldType, isFolded } from '@locmetrics/core/domain/field';
import { VECTOR_COLUMNS } from '@locmetrics/core/sql/compile-chord';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { foldColumn, ROW_COLUMN, searchColumn } from '../record-table.ts';

/** The records of a version in its column file, which is attached to a connection. */
export type ColumnFileRecords = {
  readonly connection: Pick<WatchedConnection, 'list' | 'run'>;
  /** SQL of their table. */
  readonly table: string;
};

/** A column of the table in ClickHouse, and the same in DuckDB. */
export type StoredColumn = {
  readonly name: string;
  /** The type of its values in ClickHouse. Days are numbers since 1970. */
  readonly type: FieldType;
  /** The name of the column in DuckDB. */
  readonly sourceName: string;
  /** The expression of the value for ClickHouse, of the column in DuckDB. */
  readonly source: string;
  /** The expression of the value in DuckDB, of the value from ClickHouse under its name. */
  readonly restored: string;
};

/** All columns, in the order of the column file. */
export function storedColumns(dataset: Dataset): readonly StoredColumn[] {
  const texts = dataset.fields.filter(isFolded);
  return [
    plainColumn(ROW_COLUMN, SOURCE_ROW_COLUMN, 'integer'),
    ...dataset.fields.map(({ name, type }) =>
      type === 'date' ? dayColumn(name) : plainColumn(name, name, type),
    ),
    ...texts.map(({ name }) => plainColumn(foldColumn(name), sourceFoldColumn(name), 'string')),
    ...(dataset.searchRule === 2 ? texts.map(({ name }) => searchedColumn(name)) : []),
    ...(dataset.vectors === undefined
      ? []
      : Object.values(VECTOR_COLUMNS).map((name) => plainColumn(name, name, 'float'))),
  ];
}

function plainColumn(name: string, sourceName: string, type: FieldType): StoredColumn {
  return {
    name,
    type,
    sourceName,
    source: quoteIdentifier(sourceName),
    restored: quoteIdentifier(name),
  };
}

/** DuckDB has the text only where it is not the folded one; the index of ClickHouse needs all. */
function searchedColumn(name: string): StoredColumn {
  const sourceName = sourceSearchColumn(name);
  const column = quoteIdentifier(searchColumn(name));
  return {
    name: searchColumn(name),
    type: 'string',
    sourceName,
    source: `coalesce(${quoteIdentifier(sourceName)}, ${quoteIdentifier(sourceFoldColumn(name))})`,
    restored: `nullif(${column}, ${quoteIdentifier(foldColumn(name))})`,
  };
}

function dayColumn(name: string): StoredColumn {
  const column = quoteIdentifier(name);
  return {
    name,
    type: 'integer',
    sourceName: name,
    source: `CAST(${column} - ${FIRST_DAY} AS INTEGER)`,
    restored: `${FIRST_DAY} + ${column}`,
  };
}

const FIRST_DAY = `DATE '1970-01-01'`;
