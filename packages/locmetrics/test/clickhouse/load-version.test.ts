import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ClickhouseDriver } from '@locmetrics/cluster/clickhouse/clickhouse-driver';
import { loadVersion } from '@locmetrics/cluster/clickhouse/publish/load-version';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import type { ColumnFileRecords } from '@locmetrics/cluster/clickhouse/publish/stored-columns';
import { QUERY_SETTINGS } from '@locmetrics/cluster/clickhouse/query-settings';
import { recordTable } from '@locmetrics/cluster/clickhouse/record-table';
import { toResultRow } from '@locmetrics/column-store/publish/result-row';
import type { PresentValue } from '@locmetrics/core/domain/value';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineTable } from '../conformance/table.ts';
import { templatesFolder } from '../support/run-folder.ts';
import { openChdbDriver } from './open-chdb.ts';

const MONTHS = 20;
const SHOPS = 15_000;
const ROWS = SHOPS * MONTHS;
const PIECE_ROWS = ROWS / 3;

const { version } = defineTable({
  name: 'conformance.loaded',
  fields: { shop: 'string', day: 'date', kind: 'string', visits: 'integer' },
  key: ['shop', 'day'],
  rows: [],
});
const database = `loaded_${randomUUID()}`;
const driver = openChdbDriver();
const table = recordTable(database, version);
const tables = openVersionTables({ driver, database });
const temporaryDirectory = await mkdtemp(join(templatesFolder(), 'pieces-'));
beforeAll(() => driver.command(`CREATE DATABASE ${quoteIdentifier(database)}`));
afterAll(() => driver.command(`DROP DATABASE ${quoteIdentifier(database)} SYNC`));

test('a load that breaks off leaves no table of the version, and the next one goes on', async () => {
  await using records = await openRecords();
  const inserted: string[] = [];
  const losing: ClickhouseDriver = {
    ...driver,
    insertFile: async (target, path, options) => {
      inserted.push(basename(path));
      if (inserted.length === 2) throw new Error('The connection was lost.');
      await driver.insertFile(target, path, options);
      // The sender does not learn that these rows have arrived.
      if (inserted.length === 3) throw new Error('The connection was lost again.');
    },
  };
  const options = { tables, version, records, temporaryDirectory, pieceRows: PIECE_ROWS };
  const load = (used: ClickhouseDriver) => loadVersion({ ...options, driver: used });
  await expect(load(losing)).rejects.toThrow('lost');
  await expect(load(losing)).rejects.toThrow('lost again');
  expect(await tables.list()).toMatchObject([{ isLoading: true, rows: 2 * PIECE_ROWS }]);

  expect(await load(losing)).toBeUndefined();
  expect(inserted).toEqual([0, 1, 1, 2].map((piece) => `piece-${piece}.parquet`));
  await tables.complete(version);
  expect(await tables.list()).toMatchObject([{ isLoading: false, rows: ROWS }]);
  const sums = 'count(), min(_row), max(_row), uniqExact(_row), uniqExact(shop), sum(visits)';
  const sum = (BigInt(ROWS) * BigInt(ROWS - 1)) / 2n;
  expect(await list(`SELECT ${sums} FROM ${table}`)).toEqual([
    [BigInt(ROWS), 0n, BigInt(ROWS - 1), BigInt(ROWS), BigInt(SHOPS), sum],
  ]);
  expect(await list(`SELECT day FROM ${table} ORDER BY _row LIMIT 2`)).toEqual([
    ['1696-03-17'],
    ['1696-03-18'],
  ]);
  expect(await readdir(temporaryDirectory)).toEqual([]);
});

test('rows that arrive twice are stored once', async () => {
  await using records = await openRecords();
  const twice: ClickhouseDriver = {
    ...driver,
    insertFile: async (...parameters) => {
      await driver.insertFile(...parameters);
      await driver.insertFile(...parameters);
    },
  };
  const other = { ...version, version: 'twice' };
  const options = { driver: twice, tables, version: other, records, temporaryDirectory };
  expect(await loadVersion({ ...options, pieceRows: PIECE_ROWS })).toBeUndefined();
  expect(await tables.list()).toContainEqual(
    expect.objectContaining({ version: 'twice', rows: ROWS }),
  );
  await tables.removeLoading(other);
});

test.each([
  ['one value differs', `visits = visits + 1`, `_row = 299999`],
  ['a text is absent', `kind = NULL`, `_row = 0`],
])('a load that goes on from other rows is told, if %s', async (_, change, condition) => {
  await using records = await openRecords();
  const other = { ...version, version: 'different' };
  const { table: loading } = await tables.create(other, {
    hasFewTexts: () => false,
    isPresent: () => false,
  });
  await driver.command(`INSERT INTO ${loading} SELECT * FROM ${table}`);
  const [column = '', value = ''] = change.split(' = ');
  await driver.command(
    `INSERT INTO ${loading} SELECT * REPLACE (${value} AS ${column}) FROM ${table} WHERE ${condition}`,
  );
  await driver.command(
    `ALTER TABLE ${loading} DELETE WHERE ${condition} AND ${column} IN (SELECT ${column} FROM ${table} WHERE ${condition}) SETTINGS mutations_sync = 2`,
  );
  const options = { driver, tables, version: other, records, temporaryDirectory };
  const { first, end } = condition.endsWith(' 0')
    ? { first: 0, end: 249_999 }
    : { first: 250_000, end: 499_999 };
  expect(await loadVersion(options)).toBe(
    `has other values than the column file in the rows ${first} to ${end}`,
  );
  await tables.removeLoading(other);
});

test('a field of few texts has a dictionary, one of many texts has none, and one that no record lacks is not Nullable', async () => {
  const types = await list(
    `SELECT name, type FROM system.columns WHERE database = {p1:String} AND name IN ('shop', 'day', 'kind', '_fold_kind', '_search_kind', 'visits') ORDER BY name`,
    [database],
  );
  expect(types).toEqual([
    ['_fold_kind', 'LowCardinality(Nullable(String))'],
    ['_search_kind', 'LowCardinality(Nullable(String))'],
    ['day', 'Int32'],
    ['kind', 'LowCardinality(Nullable(String))'],
    ['shop', 'String'],
    ['visits', 'Int64'],
  ]);
});

test.each([
  ['a series', `shop = 'shop 07500'`],
  ['a page in the order of the key', '_row BETWEEN 150000 AND 150100'],
])('%s is read from at most two of the granules of 1,024 rows', async (_, condition) => {
  await driver.command(`OPTIMIZE TABLE ${table} FINAL`);
  const plan = await list(`EXPLAIN indexes = 1 SELECT visits FROM ${table} WHERE ${condition}`);
  const granules = plan.flatMap(([line]) => {
    const [, left, all] = /Granules: (\d+)\/(\d+)/.exec(String(line)) ?? [];
    return left === undefined ? [] : [{ left: Number(left), all: Number(all) }];
  });
  expect(granules[0]?.all).toBe(Math.ceil(ROWS / 1024));
  expect(granules.at(-1)?.left).toBeLessThanOrEqual(2);
});

test.each([
  ['ASC', 'InOrder'],
  ['DESC', 'InReverseOrder'],
])('a page in the order of the key, %s, is read without sorting', async (direction, readType) => {
  const page = `SELECT visits FROM ${table} WHERE visits > 10 ORDER BY _row ${direction} LIMIT 100`;
  const plan = await list(`EXPLAIN actions = 1 ${page}`);
  expect(plan.join('\n')).toMatch(new RegExp(`Read ?type: ${readType}`, 'i'));
});

test('a removed version has no table', async () => {
  await tables.remove(version);
  expect(await list(`SHOW TABLES FROM ${quoteIdentifier(database)}`)).toEqual([]);
});

function list(text: string, values: readonly PresentValue[] = []) {
  const parameters = values.map((value) => ({ type: 'string', value }) as const);
  const { signal } = new AbortController();
  return driver.query({ text, parameters }, { settings: QUERY_SETTINGS, signal });
}

/** More than one insert of records, in the shape of a column file. */
async function openRecords(): Promise<ColumnFileRecords & AsyncDisposable> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const shop = `'shop ' || lpad(CAST(row_number // ${MONTHS} AS VARCHAR), 5, '0')`;
  const day = `DATE '1970-01-01' + CAST(row_number % ${MONTHS} - 100000 AS INTEGER)`;
  const kind = `CASE WHEN row_number % 4 <> 1 THEN repeat('kind ', 10) || row_number % 3 END`;
  await connection.run(
    `CREATE TABLE records AS SELECT row_number AS _row, ${shop} AS shop, ${day} AS day, ${kind} AS kind,
      row_number AS visits, ${shop} AS _fold_shop, ${kind} AS _fold_kind,
      CAST(NULL AS VARCHAR) AS _search_shop, CASE WHEN row_number % 4 = 0 THEN 'found' END AS _search_kind
      FROM (SELECT range AS row_number FROM range(${ROWS}))`,
  );
  return {
    connection: {
      list: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS().map(toResultRow),
      run: async (sql) => (await connection.run(sql)).rowsChanged,
    },
    table: 'records',
    [Symbol.asyncDispose]: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
