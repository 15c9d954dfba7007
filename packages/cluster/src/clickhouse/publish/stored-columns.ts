import type { WatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import {
  ROW_COLUMN as SOURCE_ROW_COLUMN,
  foldColumn as sourceFoldColumn,
} from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { type FieldType, isFolded } from '@locmetrics/core/domain/field';
import { VECTOR_COLUMNS } from '@locmetrics/core/sql/compile-chord';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { foldColumn, ROW_COLUMN } from '../record-table.ts';

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
  return [
    plainColumn(ROW_COLUMN, SOURCE_ROW_COLUMN, 'integer'),
    ...dataset.fields.map(({ name, type }) =>
      type === 'date' ? dayColumn(name) : plainColumn(name, name, type),
    ),
    ...dataset.fields
      .filter(isFolded)
      .map(({ name }) => plainColumn(foldColumn(name), sourceFoldColumn(name), 'string')),
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
