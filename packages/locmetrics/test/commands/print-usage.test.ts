import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { beforeAll, expect, test } from 'vitest';
import { RECORD } from '../metering/usage-record.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

beforeAll(async () => {
  for (const id of ['acme', 'globex']) {
    await runCommand(['org', 'create', id, '--id', id, '--data', inFolder('data')]);
  }
  const files = dataDirectory(inFolder('data')).usage;
  const ledger = openLedger({ files, sync: 'normal', observe: () => {} });
  const resource = 'shop/customers';
  await ledger.record(RECORD);
  await ledger.record({ ...RECORD, requestId: 'request-2', resource, rows: 40 });
  await ledger.record({ ...RECORD, requestId: '-request', organisationId: 'globex' });
  await ledger.close();
});

const MARCH = ['--from', '2026-03-01', '--to', '2026-03-31'];
const printUsage = (...flags: readonly string[]) =>
  runCommand(['usage', '--data', inFolder('data'), ...flags]);

test('usage is printed by organisation', async () => {
  const { code, data } = await printUsage(...MARCH);
  expect(code).toBe(0);
  expect(data).toMatchInlineSnapshot(`
    "ORGANISATION  REQUESTS  ROWS  BYTES
    acme          2         43    200
    globex        1         3     100
    "
  `);
});

test('usage of one organisation is printed with the requested groups', async () => {
  const { data } = await printUsage(...MARCH, '--org', 'acme', '--by', 'day, dataset');
  expect(data).toMatchInlineSnapshot(`
    "DAY         DATASET         REQUESTS  ROWS  BYTES
    2026-03-04  shop.stores     1         3     100
    2026-03-04  shop/customers  1         40    100
    "
  `);
});

test('usage is printed as CSV', async () => {
  const { data } = await printUsage(...MARCH, '--csv', '--by', 'operation,token');
  expect(data).toBe('operation,token,requests,rows,bytes\r\nlistRecords,token1,3,46,300\r\n');
});

test('single records are printed as a table, CSV and lines of JSON', async () => {
  const records = (...flags: readonly string[]) => printUsage(...MARCH, '--records', ...flags);
  expect((await records()).data).toMatchInlineSnapshot(`
    "TIME                      ORGANISATION  TOKEN   OPERATION    DATASET         ROWS  BYTES  REQUEST ID
    2026-03-04T05:06:07.890Z  acme          token1  listRecords  shop.stores     3     100    request-1
    2026-03-04T05:06:07.890Z  acme          token1  listRecords  shop/customers  40    100    request-2
    2026-03-04T05:06:07.890Z  globex        token1  listRecords  shop.stores     3     100    -request
    "
  `);
  const { data: csv } = await records('--csv', '--org', 'globex');
  // The apostrophe prevents a spreadsheet from reading the id as a formula.
  expect(csv).toBe(
    "time,organisation,token,operation,dataset,rows,bytes,requestId\r\n2026-03-04T05:06:07.890Z,globex,token1,listRecords,shop.stores,3,100,'-request\r\n",
  );
  const { data: json } = await records('--json', '--org', 'globex');
  expect(
    json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ organisation: 'globex', requestId: '-request', rows: 3 }]);
});

test('a month without usage is reported as such', async () => {
  const { code, data, messages } = await printUsage('--to', '2020-02-10');
  expect([code, data, messages]).toEqual([0, '', 'No usage from 2020-02-01 to 2020-02-10.\n']);
});

test.each([
  [['--org', 'acmee'], 1, "Unknown organisation 'acmee'.\nDid you mean 'acme'?\n"],
  [['--by', 'days'], 2, "--by: usage cannot be grouped by 'days'.\nDid you mean 'day'?\n"],
  [['--by', '"day'], 2, expect.stringMatching(/^--by: '"day' /)],
  [
    ['--from', '2026-02-29'],
    2,
    "--from: '2026-02-29' is not a calendar date.\nWrite for example --from 2026-01-31.\n",
  ],
  [
    ['--from', '2026-02-02', '--to', '2026-02-01'],
    2,
    'The first day 2026-02-02 is after the last day 2026-02-01.\nSwap --from and --to.\n',
  ],
] as const)('%j is refused with what to do', async (flags, code, messages) => {
  expect(await printUsage(...flags)).toEqual({ code, data: '', messages });
});

test('usage that waits in a data directory is merged by a command, once', async () => {
  const files = dataDirectory(inFolder('data')).usage;
  const ledger = openLedger({ files, sync: 'normal', observe: () => {} });
  await ledger.record({ ...RECORD, time: Date.parse('2026-05-01'), requestId: 'left behind' });
  await ledger.close();
  const merge = () => runCommand(['usage', 'merge', '--data', inFolder('data')]);
  expect(await merge()).toEqual({ code: 0, data: 'Merged 1 records.\n', messages: '' });
  expect((await merge()).data).toBe('Merged 0 records.\n');
  const { data } = await printUsage('--from', '2026-05-01', '--to', '2026-05-01', '--csv');
  expect(data).toBe('organisation,requests,rows,bytes\r\nacme,1,3,100\r\n');
});

test('a missing data directory is not created', async () => {
  const { code, messages } = await runCommand(['usage', '--data', inFolder('nowhere')]);
  expect(code).toBe(2);
  expect(messages).toMatch(/The data directory .* does not exist\./);
});
