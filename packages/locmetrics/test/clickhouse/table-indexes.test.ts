import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { loadVersion } from '@locmetrics/cluster/clickhouse/publish/load-version';
import { openVersionTables } from '@locmetrics/cluster/clickhouse/publish/open-version-tables';
import { QUERY_SETTINGS } from '@locmetrics/cluster/clickhouse/query-settings';
import {
  foldColumn,
  ROW_COLUMN,
  recordTable,
  searchColumn,
} from '@locmetrics/cluster/clickhouse/record-table';
import { toResultRow } from '@locmetrics/column-store/publish/result-row';
import { findField } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import type { Predicate } from '@locmetrics/core/domain/predicate';
import type { DistinctPlan, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import { clickhouseDialect } from '@locmetrics/core/sql/clickhouse-dialect';
import { VECTOR_COLUMNS } from '@locmetrics/core/sql/compile-chord';
import { compileCount, compileDistinct, compileRecords } from '@locmetrics/core/sql/compile-plan';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { SqlStatement } from '@locmetrics/core/sql/sql-dialect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineTable } from '../conformance/table.ts';
import { templatesFolder } from '../support/run-folder.ts';
import { openChdbDriver } from './open-chdb.ts';

/**
 * The statements of the service are asked for what they read: an index or a projection that they do not use any more, after a
 * change of a statement, a setting or a table, is found here.
 */
const ROWS = 300_000;
const GRANULES = Math.ceil(ROWS / 1024);

const { version } = defineTable({
  name: 'conformance.indexed',
  fields: {
    place: 'string',
    title: { type: 'string', searchable: true },
    latitude: 'float',
    longitude: 'float',
    area: { type: 'integer', sorted: true },
    rating: 'integer',
  },
  point: { latitude: 'latitude', longitude: 'longitude' },
  hasVectors: false,
  rows: Array.from({ length: ROWS }, () => ({})),
});
/** Titles in which a letter has a meaning for LIKE or for a literal; the others are `title 000012`. */
const SPECIAL_TITLES = [
  ...['50% off', '50%_off', '50 off', 'a\\b', 'ab', "it's", 'über', '\\'],
  ...['abc\\d%e_f', 'abcxd%e_f', 'abc\\dxe_f', 'abc\\d%exf', 'abc\\\\d%', "rock'n'roll"],
];
const database = `indexed_${randomUUID()}`;
const driver = openChdbDriver();
const table = recordTable(database, version);
const tables = openVersionTables({ driver, database });
const older = { ...version, version: 'older' };
const dialect = clickhouseDialect({
  recordTable: (of) => recordTable(database, of),
  rowColumn: ROW_COLUMN,
  foldColumn,
  searchColumn,
});

beforeAll(async () => {
  await driver.command(`CREATE DATABASE ${quoteIdentifier(database)}`);
  await load();
  await driver.command(`OPTIMIZE TABLE ${table} FINAL`);
  await makeOlderTable();
});
afterAll(() => driver.command(`DROP DATABASE ${quoteIdentifier(database)} SYNC`));

test.each(['contains', 'starts_with', 'ends_with'] as const)(
  'records whose text %s a term are found by the index of their texts',
  async (match) => {
    const folded = match === 'ends_with' ? '004217' : 'title 004217';
    const predicates: readonly Predicate[] = [
      { kind: 'match', field: field('title'), match, folded },
    ];
    const statement = compileRecords({ ...PAGE, predicates }, dialect);
    expect(await granulesOf(statement)).toBeLessThanOrEqual(2);
    expect(await list(statement)).toHaveLength(1);
  },
);

test('values that contain a term are found by the index of their texts', async () => {
  const plan: DistinctPlan = {
    kind: 'distinct',
    version,
    predicates: [],
    field: field('title'),
    term: { rule: 2, text: 'tle 004217', folded: 'tle 004217' },
    descending: false,
    limit: 10,
  };
  const statement = compileDistinct(plan, dialect);
  expect(await granulesOf(statement)).toBeLessThanOrEqual(2);
  expect(await list(statement)).toEqual([['title 004217', 3]]);
});

test.each([
  ...['50%', '_off', 'a\\b', '\\', "it's", '%', '50%_off', '50% off', 'ü', 'ab'],
  ...['bc\\d%e_f', 'c\\d%e', 'd%e_f', '\\\\d%x', 'c\\\\d%', "k'n'roll"],
])('the term %j is found as it is written, with and without the index', async (folded) => {
  const predicates: readonly Predicate[] = [
    { kind: 'match', field: field('title'), match: 'contains', folded },
  ];
  const found = await list(compileCount({ kind: 'count', version, predicates }, dialect));
  const expected = SPECIAL_TITLES.filter((title) => title.includes(folded)).length;
  expect(found).toEqual([[BigInt(expected)]]);
  expect(await list(compileCount({ kind: 'count', version: older, predicates }, dialect))).toEqual(
    found,
  );
});

test('the records of a box, and their number, are read from neighbours', async () => {
  const predicates = [boxOf(10, 10.5)];
  const records = compileRecords({ ...PAGE, predicates, order: [byField('rating')] }, dialect);
  const count = compileCount({ kind: 'count', version, predicates }, dialect);
  for (const statement of [records, count]) {
    expect(await planOf(statement)).toContain('ReadFromMergeTree (_box)');
    expect(await granulesOf(statement)).toBeLessThan(GRANULES / 4);
  }
});

test('a page in the order of a field that no record lacks reads the granules that have its records', async () => {
  const readRows = (name: string) =>
    countReadRows(compileRecords({ ...PAGE, order: [byField(name)] }, dialect));
  expect(await readRows('area')).toBeLessThan(ROWS / 2);
  // Some records have no rating.
  expect(await readRows('rating')).toBeGreaterThanOrEqual(ROWS);
});

test('a table that was made without indexes and projections has the same answers', async () => {
  const predicates = [boxOf(10, 12)];
  const plans: readonly RecordsPlan[] = [
    { ...PAGE, predicates, order: [byField('area')] },
    { ...PAGE, order: [byField('rating')] },
    {
      ...PAGE,
      predicates: [{ kind: 'match', field: field('title'), match: 'contains', folded: 'le 004' }],
    },
  ];
  for (const plan of plans) {
    const rows = await list(compileRecords(plan, dialect));
    expect(rows).toHaveLength(PAGE.limit + 1);
    expect(await list(compileRecords({ ...plan, version: older }, dialect))).toEqual(rows);
  }
});

const PAGE: RecordsPlan = {
  kind: 'records',
  version,
  fields: version.dataset.fields,
  predicates: [],
  order: [],
  keyDescending: false,
  limit: 100,
};

function field(name: string): Field {
  const found = findField(version.dataset, name);
  if (found === undefined) throw new Error(`There is no field ${name}.`);
  return found;
}

function byField(name: string) {
  return { kind: 'field', field: field(name), descending: true, absentFirst: false } as const;
}

function boxOf(least: number, most: number): Predicate {
  return {
    kind: 'box',
    latitude: field('latitude'),
    longitude: field('longitude'),
    box: { minLat: least, maxLat: most, minLng: least, maxLng: most },
  };
}

/** A table as loads made it before it had text indexes and projections. */
async function makeOlderTable(): Promise<void> {
  const columns = ['place', 'title', 'latitude', 'longitude', 'area', 'rating'];
  const types = ['String', 'String', 'Float64', 'Float64', 'Int64', 'Int64'];
  const definitions = columns.flatMap((name, index) => {
    const type = index === 0 ? types[index] : `Nullable(${types[index]})`;
    const folded = types[index] === 'String' ? [`${foldColumn(name)} ${type}`] : [];
    return [`${name} ${type}`, ...folded];
  });
  const indexes = columns.map((name) => `INDEX _range_${name} ${name} TYPE minmax GRANULARITY 1`);
  const name = recordTable(database, older);
  await driver.command(
    `CREATE TABLE ${name} (_row Int64, ${[...definitions, ...indexes].join(', ')}) ENGINE = MergeTree ORDER BY _row SETTINGS non_replicated_deduplication_window = 10000`,
  );
  const names = ['_row', ...columns, foldColumn('place'), foldColumn('title')].join(', ');
  await driver.command(`INSERT INTO ${name} (${names}) SELECT ${names} FROM ${table}`);
}

/** Loads records whose neighbours by the key are far from each other. */
async function load(): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const special = SPECIAL_TITLES.map((title) => `'${title.replaceAll("'", "''")}'`).join(', ');
  const title = `CASE WHEN row_number < ${SPECIAL_TITLES.length} THEN [${special}][row_number + 1] ELSE 'title ' || lpad(CAST(row_number AS VARCHAR), 6, '0') END`;
  const place = `'place ' || lpad(CAST(row_number AS VARCHAR), 6, '0')`;
  const scattered = `(hash(row_number) % 1000000) / 10000.0`;
  const near = `(hash(row_number) % 1000000) / 10000.0 + (row_number % 10) / 100.0`;
  const area = `row_number % 5000`;
  // No statement of this test asks for a circle.
  const withoutVectors = Object.values(VECTOR_COLUMNS).map(
    (name) => `CAST(NULL AS DOUBLE) AS ${name}`,
  );
  await connection.run(
    `CREATE TABLE records AS SELECT row_number AS _row, ${place} AS place, ${title} AS title,
      CAST(${scattered} AS DOUBLE) AS latitude, CAST(${near} AS DOUBLE) AS longitude,
      CAST(${area} AS BIGINT) AS area, CASE WHEN row_number % 7 > 0 THEN row_number % 100 END AS rating,
      ${place} AS _fold_place, ${title} AS _fold_title,
      CAST(NULL AS VARCHAR) AS _search_place, CAST(NULL AS VARCHAR) AS _search_title, ${withoutVectors.join(', ')}
      FROM (SELECT range AS row_number FROM range(${ROWS}))`,
  );
  try {
    const problem = await loadVersion({
      driver,
      tables,
      version,
      records: {
        connection: {
          list: async (sql) =>
            (await connection.runAndReadAll(sql)).getRowObjectsJS().map(toResultRow),
          run: async (sql) => (await connection.run(sql)).rowsChanged,
        },
        table: 'records',
      },
      temporaryDirectory: await mkdtemp(join(templatesFolder(), 'pieces-')),
    });
    expect(problem).toBeUndefined();
    await tables.complete(version);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The rows that a statement reads, as the database counts them. */
async function countReadRows(statement: SqlStatement): Promise<number> {
  const count = async () => {
    const text = "SELECT value FROM system.events WHERE event = 'SelectedRows'";
    const [row] = await list({ text, parameters: [] });
    return Number(row?.[0]);
  };
  const before = await count();
  await list(statement);
  return (await count()) - before;
}

/** The lines of the plan of a statement, as ClickHouse explains it. */
async function planOf({ text, parameters }: SqlStatement): Promise<string> {
  const lines = await list({ text: `EXPLAIN indexes = 1 ${text}`, parameters });
  return lines.map(([line]) => line).join('\n');
}

/** The granules that a statement reads, after all indexes. */
async function granulesOf(statement: SqlStatement): Promise<number> {
  const plan = await planOf(statement);
  return Number(/Granules: (\d+)$/m.exec(plan)?.[1]);
}

function list(statement: SqlStatement) {
  const { signal } = new AbortController();
  return driver.query(statement, { settings: QUERY_SETTINGS, signal });
}
