import { asNumber, textOf } from '@locmetrics/column-store/publish/result-row';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { Stop } from '@locmetrics/core/runtime/stop';
import { clickhouseDialect } from '@locmetrics/core/sql/clickhouse-dialect';
import { duckdbDialect } from '@locmetrics/core/sql/duckdb-dialect';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { ClickhouseDriver } from '../clickhouse-driver.ts';
import { QUERY_SETTINGS } from '../query-settings.ts';
import { ROW_COLUMN } from '../record-table.ts';
import { listPieces, PIECE_ROWS, type Piece } from './pieces.ts';
import { type ColumnFileRecords, type StoredColumn, storedColumns } from './stored-columns.ts';

/**
 * Compares all values of a table with those of a column file. For each piece of both, the databases compute the number of
 * rows and the sum of the hashes of its rows. Returns the first rows that differ, as the end of a sentence; undefined if
 * none do.
 *
 * The hash of a row is half of the MD5 of its values as text, each with its length. Texts of numbers are those of
 * JavaScript, from which a number is read back exactly; only the sign of a zero is not compared.
 */
export async function compareContent(
  { driver, table }: { readonly driver: ClickhouseDriver; readonly table: string },
  records: ColumnFileRecords,
  dataset: Dataset,
): Promise<string | undefined> {
  const columns = storedColumns(dataset);
  const storedCount = await countTable(driver, table);
  const rowCount = await countColumnFile(records);
  if (storedCount !== rowCount) return `has ${storedCount} rows instead of ${rowCount}`;
  for (const range of listPieces(rowCount, RANGE_ROWS)) {
    const stored = await hashTable(driver, table, columns, range);
    const written = await hashColumnFile(records, columns, range);
    const different = [...written.keys()]
      .toSorted((left, right) => left - right)
      .find((piece) => stored.get(piece) !== written.get(piece));
    if (different === undefined) continue;
    const [first, end] = [different * PIECE_ROWS, (different + 1) * PIECE_ROWS];
    return `has other values than the column file in the rows ${first} to ${end - 1}`;
  }
  return undefined;
}

/** The rows of one query, so that none takes minutes. */
const RANGE_ROWS = 20 * PIECE_ROWS;

async function countTable(driver: ClickhouseDriver, table: string): Promise<number> {
  const statement = { text: `SELECT count() FROM ${table}`, parameters: [] };
  const [row] = await driver.query(statement, { settings: QUERY_SETTINGS, signal: new Stop() });
  return Number(row?.[0]);
}

/** The number of records in a column file. */
export async function countColumnFile({ connection, table }: ColumnFileRecords): Promise<number> {
  const [row] = await connection.list(`SELECT CAST(count(*) AS DOUBLE) AS row_count FROM ${table}`);
  return asNumber(row?.['row_count']);
}

/** The number of rows and the sum of their hashes, as one text, by the number of the piece. */
type PieceHashes = ReadonlyMap<number, string>;

async function hashTable(
  driver: ClickhouseDriver,
  table: string,
  columns: readonly StoredColumn[],
  { first, end }: Piece,
): Promise<PieceHashes> {
  const values = columns.map(({ name, type }) => {
    const text = clickhouse.textOf(type, quoteIdentifier(name));
    return `ifNull(concat(toString(length(${text})), ':', ${text}), '-')`;
  });
  const hash = `reinterpretAsUInt64(substring(MD5(concat(${values.join(', ')})), 1, 8))`;
  const sums = `concat(toString(count()), ' ', toString(sum(toUInt128(${hash}))))`;
  const text = `SELECT intDiv(${ROW_COLUMN}, ${PIECE_ROWS}) AS piece, ${sums} FROM ${table} WHERE ${ROW_COLUMN} >= ${first} AND ${ROW_COLUMN} < ${end} GROUP BY piece`;
  const rows = await driver.query(
    { text, parameters: [] },
    { settings: QUERY_SETTINGS, signal: new Stop() },
  );
  return new Map(rows.map(([piece, found]) => [Number(piece), String(found)]));
}

async function hashColumnFile(
  { connection, table }: ColumnFileRecords,
  columns: readonly StoredColumn[],
  { first, end }: Piece,
): Promise<PieceHashes> {
  const row = columns[0]?.source;
  const values = columns.map(({ source, type }) => {
    const text = duckdb.textOf(type, source);
    // An absent value makes all of it absent.
    return `ifnull(strlen(${text}) || ':' || ${text}, '-')`;
  });
  const sums = `count(*) || ' ' || sum(md5_number_upper(${values.join(' || ')}))`;
  const rows = await connection.list(
    `SELECT CAST(${row} // ${PIECE_ROWS} AS DOUBLE) AS piece, ${sums} AS sums FROM ${table} WHERE ${row} >= ${first} AND ${row} < ${end} GROUP BY piece`,
  );
  return new Map(rows.map((row) => [Number(row['piece']), textOf(row, 'sums')]));
}

const LAYOUT = {
  recordTable: () => '',
  rowColumn: '',
  foldColumn: (name: string) => name,
  searchColumn: (name: string) => name,
};
const clickhouse = clickhouseDialect(LAYOUT);
const duckdb = duckdbDialect(LAYOUT);
