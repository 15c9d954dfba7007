import { randomUUID } from 'node:crypto';
import {
  openClickhouseEngine,
  type QueryLimits,
} from '@locmetrics/cluster/clickhouse/engine/open-clickhouse-engine';
import { QUERY_SETTINGS } from '@locmetrics/cluster/clickhouse/query-settings';
import { createTableSql, recordTable } from '@locmetrics/cluster/clickhouse/record-table';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { createServiceContext } from '@locmetrics/server/service/service-context';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIG, NAME_START, SLOW_FILTERS } from '../conformance/big-table.ts';
import { openPlainCatalog } from '../conformance/engines/plain-catalog.ts';
import { askService } from '../conformance/engines/service-under-test.ts';
import { refusalOf } from '../conformance/refusal.ts';
import { delay } from '../support/delay.ts';
import { openChdbDriver } from './open-chdb.ts';

/** The slow query takes seconds if it is not stopped, on one thread. Its end may take some of them on a busy machine. */
const SLOW = { filters: SLOW_FILTERS, countOnly: true };
const ROWS = 3_000_000;
const AT_ONCE_MS = 2_000;

const database = `cancelled_${randomUUID()}`;
const driver = openChdbDriver();
beforeAll(async () => {
  const table = recordTable(database, BIG);
  await driver.command(`CREATE DATABASE ${quoteIdentifier(database)}`);
  await driver.command(
    createTableSql(table, BIG.dataset, {
      content: { hasFewTexts: () => false, isPresent: () => false },
      hasTextIndexes: true,
    }),
  );
  const name = `concat('${NAME_START}', toString(number))`;
  await driver.command(
    `INSERT INTO ${table} SELECT number, number, ${name}, ${name}, ${name} FROM numbers(${ROWS})`,
  );
});
afterAll(() => driver.command(`DROP DATABASE ${quoteIdentifier(database)} SYNC`));

test('the slow query takes longer than the tests allow', async () => {
  const service = openBigService({ queryTimeoutMs: 600_000 });
  const caller = new AbortController();
  const asked = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  await delay(AT_ONCE_MS + 100);
  caller.abort();
  expect(await asked).toContain('CANCELLED');
});

test('a query past its deadline is refused, and ends in the database', async () => {
  const service = openBigService({ queryTimeoutMs: 50 });
  expect(
    await within(50 + AT_ONCE_MS, refusalOf(service.listRecords(SLOW))),
  ).toMatchInlineSnapshot(`
    "DEADLINE_EXCEEDED
    The query took longer than 50 ms.
    Narrow the filters, or ask for fewer records."
  `);
  await expect.poll(runningQueries, { timeout: AT_ONCE_MS }).toEqual([]);
});

test.each([0, 1, 5, 20, 100])(
  'a query whose caller goes away after %d ms ends in the database, and the next one is answered',
  async (afterMs) => {
    const service = openBigService();
    const caller = new AbortController();
    const asked = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
    await delay(afterMs);
    caller.abort();
    expect(await within(afterMs + AT_ONCE_MS, asked)).toContain('CANCELLED');
    await expect.poll(runningQueries, { timeout: AT_ONCE_MS }).toEqual([]);
    const answer = service.listRecords({ pageSize: 1 });
    expect((await within(AT_ONCE_MS, answer)).rows).toHaveLength(1);
  },
);

test('if the queue is full, the next query is refused as overloaded', async () => {
  const service = openBigService();
  const caller = new AbortController();
  const running = refusalOf(service.listRecords({ ...SLOW, signal: caller.signal }));
  const waiting = service.listRecords({ pageSize: 1 });
  expect(
    await within(AT_ONCE_MS, refusalOf(service.listRecords({ pageSize: 1 }))),
  ).toMatchInlineSnapshot(`
    "OVERLOADED
    Too many queries are waiting for the database.
    Try again after a second."
  `);
  caller.abort();
  expect(await within(AT_ONCE_MS, running)).toContain('CANCELLED');
  expect((await within(AT_ONCE_MS, waiting)).rows).toHaveLength(1);
});

test('a query over the time limit of the database is told as past its deadline', async () => {
  expect(await refusalUnder({ timeMaxMs: 100 })).toMatchInlineSnapshot(`
    "DEADLINE_EXCEEDED
    The database stopped the query at its time limit.
    Narrow the filters, or ask for fewer records."
  `);
});

test('a query over the memory limit of the database is told as too much at once', async () => {
  expect(await refusalUnder({ memoryMaxBytes: 100_000 })).toMatchInlineSnapshot(`
    "OVERLOADED
    The database has no capacity for the query.
    Try again after a second."
  `);
});

test('a query that reads too many rows is told to narrow its filters', async () => {
  expect(await refusalUnder({ rowsReadMax: 100_000 })).toMatchInlineSnapshot(`
    "DEADLINE_EXCEEDED
    The query reads more rows than the database allows.
    Narrow the filters, or ask for fewer records."
  `);
  const narrow = openBigService({ limits: { rowsReadMax: 100_000 } });
  expect((await narrow.listRecords({ pageSize: 1 })).rows).toHaveLength(1);
});

function refusalUnder(limits: QueryLimits): Promise<string> {
  return refusalOf(openBigService({ limits }).listRecords(SLOW));
}

function openBigService({
  queryTimeoutMs = 60_000,
  limits = {},
}: {
  readonly queryTimeoutMs?: number;
  readonly limits?: QueryLimits;
} = {}) {
  const catalog = openPlainCatalog();
  catalog.publish(BIG);
  const options = { driver, database, connectionsMax: 1, waitingMax: 1 };
  const engine = openClickhouseEngine({ ...options, limits: { threadsMax: 1, ...limits } });
  const parts = { catalog, engine, pageTokenKey: () => new Uint8Array(32) };
  return askService(createServiceContext({ ...parts, queryTimeoutMs }), BIG.dataset.name);
}

/** The texts of the queries on the tables of this test that the database still runs. */
async function runningQueries() {
  const text = `SELECT query FROM system.processes WHERE position(query, {p1:String}) > 0 AND position(query, 'system.processes') = 0`;
  return driver.query(
    { text, parameters: [{ type: 'string', value: database }] },
    { settings: QUERY_SETTINGS, signal: new AbortController().signal },
  );
}

/** The answer, if it arrives within the time. */
async function within<Answer>(timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
