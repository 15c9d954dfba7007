import { openHttpDriver } from '@locmetrics/cluster/clickhouse/http/open-http-driver';
import { expect, test } from 'vitest';
import { refusalOf } from '../conformance/refusal.ts';

/** A server of Debian that is started for the test; undefined where there is none: see `run.ts` and `chdb-server.test.ts`. */
const URL_OF_SERVER = process.env['LOCMETRICS_TEST_CLICKHOUSE_URL'];
const SETTINGS = { output_format_json_quote_64bit_integers: 1 };

test('a server that cannot be reached is told with its address', async () => {
  await using driver = openDriver('http://127.0.0.1:1');
  expect(await refusalOf(driver.command('SELECT 1'))).toMatchInlineSnapshot(`
    "NOT_READY
    The database at 127.0.0.1:1 does not answer.
    Try again after a second."
  `);
  expect(await refusalOf(query(driver, 'SELECT 1'))).toContain('NOT_READY');
});

test.skipIf(URL_OF_SERVER === undefined)('numbers and texts come back exactly', async () => {
  await using driver = openDriver();
  const text = `SELECT toInt64('9223372036854775807'), toUInt8(7), 1e16, 1.5e-300, 'ä"', NULL, toNullable(toInt64(-1))`;
  expect(await query(driver, text)).toEqual([[2n ** 63n - 1n, 7, 1e16, 1.5e-300, 'ä"', null, -1n]]);
});

test.skipIf(URL_OF_SERVER === undefined)('an error has the number of the database', async () => {
  await using driver = openDriver();
  await expect(query(driver, 'SELECT * FROM missing')).rejects.toMatchObject({ code: 60 });
  await expect(driver.command('DROP DATABASE missing')).rejects.toMatchObject({ code: 81 });
});

test.skipIf(URL_OF_SERVER === undefined)('a cancelled query ends on the server', async () => {
  await using driver = openDriver();
  const caller = new AbortController();
  const running = `SELECT count() FROM system.processes WHERE query LIKE '%slow_number%' AND query NOT LIKE '%processes%'`;
  const slow = query(
    driver,
    'SELECT count() FROM (SELECT number AS slow_number FROM system.numbers LIMIT 100000000000)',
    caller.signal,
  );
  const ended = slow.catch((error: unknown) => error);
  await expect.poll(() => query(driver, running)).toEqual([[1n]]);
  caller.abort(new Error('The caller went away.'));
  expect(await ended).toBe(caller.signal.reason);
  await expect.poll(() => query(driver, running)).toEqual([[0n]]);
});

function openDriver(url = URL_OF_SERVER ?? '') {
  const options = { username: 'default', password: '', connectionsMax: 2, timeoutMs: 10_000 };
  const driver = openHttpDriver({ url, ...options });
  return { ...driver, [Symbol.asyncDispose]: driver.close };
}

function query(
  driver: ReturnType<typeof openHttpDriver>,
  text: string,
  signal = new AbortController().signal,
) {
  return driver.query({ text, parameters: [] }, { settings: SETTINGS, signal });
}
