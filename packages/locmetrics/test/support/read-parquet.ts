import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBDateValue, type DuckDBValue } from '@duckdb/node-api';
import { openInstance } from '@locmetrics/column-store/open-instance';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import { scopedFolder } from './temporary-folder.ts';

/** A Parquet file as DuckDB reads it: days are texts. */
export type ReadParquet = {
  /** The names of the columns, and DuckDB's names of their types. */
  readonly types: readonly (readonly [string, string])[];
  readonly rows: readonly (readonly Value[])[];
  readonly metadata: Readonly<Record<string, string>>;
};

export async function readParquet(bytes: Uint8Array): Promise<ReadParquet> {
  await using folder = scopedFolder();
  const path = join(folder.path, 'table.parquet');
  writeFileSync(path, bytes);
  const instance = await openInstance({
    temporaryDirectory: join(folder.path, 'spills'),
    memoryLimitBytes: 2 ** 27,
    threads: 1,
  });
  const connection = await instance.connect();
  try {
    const table = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
    const facts = await connection.runAndReadAll(
      `SELECT decode(key), decode(value) FROM parquet_kv_metadata('${path}') WHERE decode(key) <> 'ARROW:schema'`,
    );
    return {
      types: table.columnNames().map((name, index) => [name, String(table.columnType(index))]),
      rows: table.getRows().map((row) => row.map(toValue)),
      metadata: Object.fromEntries(facts.getRowsJS()),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The types of columns, by those of fields. */
export const PARQUET_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  float: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
};

function toValue(value: DuckDBValue): Value {
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value === null || typeof value !== 'object') return value;
  throw new Error(`A value has a type that no field has: ${value}`);
}

/** Its rows as NDJSON. */
export function parquetLines({ types, rows }: Pick<ReadParquet, 'types' | 'rows'>): string {
  return rows
    .map((row) => {
      const members = row.map(
        (value, index) =>
          `${JSON.stringify(types[index]?.[0])}:${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
      );
      return `{${members.join(',')}}\n`;
    })
    .join('');
}
