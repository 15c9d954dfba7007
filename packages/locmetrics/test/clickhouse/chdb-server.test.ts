import { openHttpDriver } from '@locmetrics/cluster/clickhouse/http/open-http-driver';
import { QUERY_SETTINGS } from '@locmetrics/cluster/clickhouse/query-settings';
import type { SqlParameter } from '@locmetrics/core/sql/sql-dialect';
import { afterAll, expect, test } from 'vitest';
import { startChdbServer } from './start-chdb-server.ts';

const server = await startChdbServer();
const open = () =>
  openHttpDriver({
    url: server.url,
    username: 'default',
    password: '',
    connectionsMax: 4,
    timeoutMs: 30_000,
  });
const driver = open();
afterAll(async () => {
  await driver.close();
  await server.stop();
});

test('values are bound over HTTP as they are, in the address and in the body', async () => {
  const text = 'a\'b\\ \t\n\r"ä{p2:String}';
  const texts = [text, "c'\\", ''];
  expect(
    await query('SELECT {p1:String}, {p2:Array(String)}, {p3:Int64}, {p4:Float64}, {p5:Bool}', [
      { type: 'string', value: text },
      { type: 'string', value: texts },
      { type: 'integer', value: -(2n ** 63n) },
      { type: 'float', value: 1.1e-300 },
      { type: 'boolean', value: true },
    ]),
  ).toEqual([[text, texts, -(2n ** 63n), 1.1e-300, true]]);
  const many = Array.from({ length: 10_000 }, (_, index) => `${text} ${index}`);
  expect(
    await query('SELECT length({p1:Array(String)}), {p1:Array(String)}[10000]', [
      { type: 'string', value: many },
    ]),
  ).toEqual([[10_000n, many.at(-1)]]);
});

test('clients at once get their own answers, and settings of one query do not reach another', async () => {
  const others = [open(), open()];
  const sums = await Promise.all(
    [driver, ...others].flatMap((one, client) =>
      [1, 2, 3].map((number) =>
        one.query(
          {
            text: "SELECT {p1:Int64}, getSetting('max_threads') FROM system.one",
            parameters: [{ type: 'integer', value: BigInt(client * 10 + number) }],
          },
          {
            settings: { ...QUERY_SETTINGS, max_threads: number },
            signal: new AbortController().signal,
          },
        ),
      ),
    ),
  );
  expect(sums.map(([row]) => row?.map(Number))).toEqual(
    [0, 1, 2].flatMap((client) => [1, 2, 3].map((number) => [client * 10 + number, number])),
  );
  await Promise.all(others.map(({ close }) => close()));
});

test('an error has the number of the database', async () => {
  await expect(query('SELECT * FROM missing')).rejects.toMatchObject({ code: 60 });
  await expect(driver.command('DROP DATABASE missing')).rejects.toMatchObject({ code: 81 });
});

test('a cancelled query ends in the database', async () => {
  const caller = new AbortController();
  const running = `SELECT count() FROM system.processes WHERE query LIKE '%slow_number%' AND query NOT LIKE '%processes%'`;
  const ended = query(
    'SELECT count() FROM (SELECT number AS slow_number FROM system.numbers LIMIT 100000000000)',
    [],
    caller.signal,
  ).catch((error: unknown) => error);
  await expect.poll(() => query(running)).toEqual([[1n]]);
  caller.abort(new Error('The caller went away.'));
  expect(await ended).toBe(caller.signal.reason);
  await expect.poll(() => query(running)).toEqual([[0n]]);
});

function query(
  text: string,
  parameters: readonly SqlParameter[] = [],
  signal = new AbortController().signal,
) {
  return driver.query({ text, parameters }, { settings: QUERY_SETTINGS, signal });
}
