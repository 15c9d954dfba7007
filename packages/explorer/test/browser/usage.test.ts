import { readFileSync } from 'node:fs';
import { createClient } from '@locmetrics/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
  runOnSample(explorer.sample, ['limits', 'set', 'demo', '--rows-per-day', '100000']);
  runOnSample(explorer.sample, ['limits', 'set', 'demo', '--concurrent', '2']);
});
afterAll(() => explorer.close());

test('the numbers equal those of the ledger, by dataset, operation and token', async () => {
  const client = connect();
  for (let request = 0; request < 3; request += 1) {
    await client.listRecords({ dataReferenceName: 'mobility.states', pageSize: 40 });
  }
  const { page, complaints } = await explorer.open('/usage?measure=rows');
  const [states] = await client
    .usage({ groupBy: ['dataset'] })
    .all()
    .then((rows) => rows.filter(({ dataset }) => dataset === 'mobility.states'));
  expect(states).toMatchObject({ requests: 3, rows: 120 });
  const row = page.getByRole('row', { name: /mobility\.states/ });
  await row.waitFor();
  // The first view has asked for the datasets meanwhile.
  await page.reload();
  await row.waitFor();
  expect(await row.getByRole('cell').allTextContents()).toEqual([
    ...['mobility.states', expect.stringMatching(/ %$/), '3', '120'],
    expect.stringMatching(/ (?:B|kB)$/),
  ]);
  const { total } = await client.readUsage();
  await page.getByText('The days as a table').click();
  const today = page.getByRole('region', { name: 'Usage by day' }).getByRole('row').last();
  expect(await today.getByRole('cell').allTextContents()).toMatchObject({
    1: String(total.requests),
    2: String(total.rows),
  });
  await page.getByText('120 used, 99,880 left').waitFor();
  await page.getByRole('heading', { name: 'By token' }).waitFor();
  expect(await page.getByText('this one, demo').count()).toBe(1);
  expect(await findAccessProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the period is in the address, and what it has is saved as CSV', async () => {
  const { page, complaints } = await explorer.open('/usage');
  await page.getByRole('button', { name: '7 days' }).click();
  await expect.poll(() => page.url()).toMatch(/from=.*to=/);
  await page.getByLabel('From', { exact: true }).fill('2020-01-01');
  await page.getByLabel('To', { exact: true }).fill('2020-01-31');
  await page.getByText('from Jan 1, 2020 to Jan 31, 2020').waitFor();
  await page.getByRole('cell', { name: /./ }).first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'This month' }).click();
  await page.getByRole('cell', { name: 'listRecords' }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^usage-.*\.csv$/);
  const csv = readFileSync(await download.path(), 'utf8');
  expect(csv.split('\r\n')[0]).toBe('day,dataset,operation,token,requests,rows,bytes');
  expect(csv).toContain('mobility.states,listRecords');
  expect(complaints).toEqual([]);
});

test('a damaged address says what is wrong, and a token without the scope is not offered the view', async () => {
  const { page } = await explorer.open('/usage?from=yesterday');
  await page.getByText('\'from\' in the address is "yesterday"').waitFor();
  const token = JSON.parse(
    runOnSample(explorer.sample, [
      ...['token', 'create', '--org', 'demo', '--name', 'reader', '--scope', 'catalog', '--json'],
    ]),
  ).token;
  const reader = await explorer.open('/usage', { token });
  await reader.page.getByRole('alert').getByText(/usage/).first().waitFor();
  expect(await reader.page.getByRole('link', { name: 'Usage' }).count()).toBe(0);
});

function connect() {
  const { environment } = explorer.sample;
  return createClient({
    url: explorer.url,
    token: environment['LOCMETRICS_TOKEN'] ?? '',
    retries: 2,
  });
}
