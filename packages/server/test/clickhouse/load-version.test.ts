import { randomUUID } from 'node:crypto';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PresentValue } from '../../src/domain/value.ts';
import { quoteIdentifier } from '../../src/sql/quote-identifier.ts';
import type { ClickhouseDriver } from '../../src/storage/clickhouse/clickhouse-driver.ts';
import { loadVersion, removeVersion } from '../../src/storage/clickhouse/publish/load-version.ts';
import type { ColumnFileRecords } from '../../src/storage/clickhouse/publish/read-lines.ts';
import { QUERY_SETTINGS } from '../../src/storage/clickhouse/query-settings.ts';
import { recordTable } from '../../src/storage/clickhouse/record-table.ts';
import { readChunks } from '../../src/storage/duckdb/publish/read-chunks.ts';
import { toResultRow } from '../../src/storage/duckdb/publish/result-row.ts';
import { defineTable } from '../conformance/table.ts';
import { openChdbDriver } from './open-chdb.ts';

const MONTHS = 20;
const SHOPS = 15_000;
const ROWS = SHOPS * MONTHS;

const { version } = defineTable({
  name: 'conformance.loaded',
  fields: { shop: 'string', day: 'date', kind: 'string', visits: 'integer' },
  key: ['shop', 'day'],
  rows: [],
});
const database = `loaded_${randomUUID()}`;
const driver = openChdbDriver();
const table = recordTable(database, version);
beforeAll(() => driver.command(`CREATE DATABASE ${quoteIdentifier(database)}`));
afterAll(() => driver.command(`DROP DATABASE ${quoteIdentifier(database)} SYNC`));

test('a load that fails leaves no table of the version, and the next one completes it', async () => {
  await using records = await openRecords();
  let inserts = 0;
  const losing: ClickhouseDriver = {
    ...driver,
    insert: async (...parameters) => {
      inserts += 1;
      if (inserts === 2) throw new Error('The connection was lost.');
      await driver.insert(...parameters);
    },
  };
  await expect(loadVersion({ driver: losing, database, version, records })).rejects.toThrow('lost');
  expect(await list(`EXISTS TABLE ${table}`)).toEqual([[0]]);

  await loadVersion({ driver, database, version, records });
  const sums = 'count(), min(_row), max(_row), uniqExact(_row), uniqExact(shop), sum(visits)';
  const sum = (BigInt(ROWS) * BigInt(ROWS - 1)) / 2n;
  expect(await list(`SELECT ${sums} FROM ${table}`)).toEqual([
    [BigInt(ROWS), 0n, BigInt(ROWS - 1), BigInt(ROWS), BigInt(SHOPS), sum],
  ]);
  expect(await list(`SELECT day FROM ${table} ORDER BY _row LIMIT 2`)).toEqual([
    [-100_000],
    [-99_999],
  ]);

  // A complete version is not loaded again.
  await loadVersion({ driver: losing, database, version, records });
  expect(inserts).toBe(2);
});

test('a field of few texts has a dictionary, one of many texts has none', async () => {
  const types = await list(
    `SELECT name, type FROM system.columns WHERE database = {p1:String} AND name IN ('shop', 'kind', '_fold_kind') ORDER BY name`,
    [database],
  );
  expect(types).toEqual([
    ['_fold_kind', 'LowCardinality(Nullable(String))'],
    ['kind', 'LowCardinality(Nullable(String))'],
    ['shop', 'String'],
  ]);
});

test.each([
  ['a series', `shop = 'shop 07500'`],
  ['a page in the order of the key', '_row BETWEEN 150000 AND 150100'],
])('%s is read from at most two of the granules of 8,192 rows', async (_, condition) => {
  await driver.command(`OPTIMIZE TABLE ${table} FINAL`);
  const plan = await list(`EXPLAIN indexes = 1 SELECT visits FROM ${table} WHERE ${condition}`);
  const granules = plan.flatMap(([line]) => {
    const [, left, all] = /Granules: (\d+)\/(\d+)/.exec(String(line)) ?? [];
    return left === undefined ? [] : [{ left: Number(left), all: Number(all) }];
  });
  expect(granules[0]?.all).toBe(Math.ceil(ROWS / 8_192));
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
  await removeVersion({ driver, database, version });
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
  const kind = `repeat('kind ', 10) || row_number % 3`;
  await connection.run(
    `CREATE TABLE records AS SELECT row_number AS _row, ${shop} AS shop, ${day} AS day, ${kind} AS kind,
      row_number AS visits, ${shop} AS _fold_shop, ${kind} AS _fold_kind
      FROM (SELECT range AS row_number FROM range(${ROWS}))`,
  );
  return {
    connection: {
      list: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS().map(toResultRow),
      read: (sql) => readChunks(connection, sql, undefined),
    },
    table: 'records',
    [Symbol.asyncDispose]: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
