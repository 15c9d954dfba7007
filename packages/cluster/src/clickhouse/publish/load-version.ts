import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { Stop } from '@locmetrics/core/runtime/stop';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { ClickhouseDriver } from '../clickhouse-driver.ts';
import { QUERY_SETTINGS } from '../query-settings.ts';
import { ROW_COLUMN } from '../record-table.ts';
import { compareContent, countColumnFile } from './compare-content.ts';
import { listPieces, PIECE_ROWS, type Piece } from './pieces.ts';
import { readContent } from './read-content.ts';
import { type ColumnFileRecords, storedColumns } from './stored-columns.ts';
import type { InsertTarget, TableVersion, VersionTables } from './version-tables.ts';

export type LoadOptions = {
  readonly driver: ClickhouseDriver;
  readonly tables: VersionTables;
  readonly version: TableVersion;
  readonly records: ColumnFileRecords;
  /** An existing folder for the file of one piece. */
  readonly temporaryDirectory: string;
  /** The rows of one insert. */
  readonly pieceRows?: number;
  /** Called with the progress, from 0 to 1. */
  readonly onFraction?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Why a filled table is not what the column file has, as the end of a sentence about the table; undefined if it is. */
export type LoadProblem = string | undefined;

/**
 * Copies the records of a version from its column file to a table that no query sees, which `tables.complete` renames. If
 * an earlier attempt was interrupted, its pieces are kept: a piece has arrived if the table has as many rows of it. Each
 * insert has a token, so one that was still under way when its sender died is not stored twice.
 *
 * Returns the problem if the number of rows differs afterwards, or, of a table that an earlier attempt started, any value.
 */
export async function loadVersion(options: LoadOptions): Promise<LoadProblem> {
  const { driver, tables, version, records, pieceRows = PIECE_ROWS, onFraction, signal } = options;
  const { dataset } = version;
  const rowCount = await countColumnFile(records);
  const begun = await tables.findLoading(version);
  const target = begun ?? (await createTable(options));
  const arrived = begun === undefined ? new Map() : await countPieces(driver, target, pieceRows);
  const pieces = listPieces(rowCount, pieceRows);
  for (const piece of pieces) {
    signal?.throwIfAborted();
    if (arrived.get(piece.number) !== piece.end - piece.first) {
      await insertPiece(piece, target, options);
    }
    onFraction?.((piece.number + 1) / pieces.length);
  }
  await tables.settle(version);
  const counts = await countPieces(driver, target, pieceRows);
  const stored = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (stored !== rowCount) return `has ${stored} rows instead of ${rowCount}`;
  if (begun === undefined) return undefined;
  return compareContent({ driver, table: target.table }, records, dataset);
}

async function createTable({ tables, version, records }: LoadOptions): Promise<InsertTarget> {
  return tables.create(version, await readContent(records, version.dataset));
}

/** The rows that the table has of each piece, by its number. */
async function countPieces(
  driver: ClickhouseDriver,
  { table }: InsertTarget,
  pieceRows: number,
): Promise<ReadonlyMap<number, number>> {
  const text = `SELECT intDiv(${ROW_COLUMN}, ${pieceRows}) AS piece, count() FROM ${table} GROUP BY piece`;
  const rows = await driver.query(
    { text, parameters: [] },
    { settings: QUERY_SETTINGS, signal: new Stop() },
  );
  return new Map(rows.map(([piece, count]) => [Number(piece), Number(count)]));
}

async function insertPiece(
  piece: Piece,
  { table, settings }: InsertTarget,
  { driver, version: { dataset }, records, temporaryDirectory, signal }: LoadOptions,
): Promise<void> {
  const path = join(temporaryDirectory, `piece-${piece.number}.parquet`);
  try {
    await records.connection.run(copyPieceSql(records.table, dataset, piece, path));
    const columns = storedColumns(dataset).map(({ name }) => name);
    await driver.insertFile({ table, columns }, path, {
      settings: { ...settings, ...ONE_BLOCK, insert_deduplication_token: tokenOf(piece) },
      signal,
    });
  } finally {
    await rm(path, { force: true });
  }
}

function copyPieceSql(
  table: string,
  dataset: Dataset,
  { first, end }: Piece,
  path: string,
): string {
  const columns = storedColumns(dataset);
  const values = columns.map(({ name, source }) => `${source} AS ${quoteIdentifier(name)}`);
  const row = columns[0]?.source;
  return `COPY (SELECT ${values.join(', ')} FROM ${table} WHERE ${row} >= ${first} AND ${row} < ${end})
    TO ${quoteLiteral(path)} (FORMAT parquet, COMPRESSION zstd)`;
}

function tokenOf({ first, end }: Piece): string {
  return `rows ${first} to ${end - 1}`;
}

/** The rows of an insert are collected into one block, however many there are. */
const ONE_BLOCK = {
  min_insert_block_size_rows: 2 ** 40,
  min_insert_block_size_bytes: 2 ** 50,
  max_insert_threads: 1,
  insert_deduplicate: 1,
  // The answer says that the rows are stored.
  async_insert: 0,
};
