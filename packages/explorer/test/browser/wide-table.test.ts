import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { type Explorer, openExplorer } from './explorer.ts';

const COLUMNS = Array.from({ length: 200 }, (_, index) => `m${index}`);

/** Column `m5` of record 3 is 1005 × 3. */
const WIDE = [
  ['id', 'area', ...COLUMNS].join(','),
  ...[1, 2, 3, 4].map((id) =>
    [id, id < 3 ? 'north' : 'south', ...COLUMNS.map((_, index) => (1000 + index) * id)].join(','),
  ),
].join('\n');

const MANIFEST = `format: 1
products:
  wide: { display_name: Wide }
datasets:
  wide.rows:
    files: wide.csv
    key: [id]
    fields:
      id: { type: string }
      area: { type: string }
${COLUMNS.map((name) => `      ${name}: { type: integer }`).join('\n')}
  wide.totals:
    files: wide.csv
    key: [id]
    totals: { area: south }
    fields:
      id: { type: string }
      area: { type: string }
${COLUMNS.map((name) => `      ${name}: { type: integer }`).join('\n')}
`;

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'wide.csv'), WIDE);
  writeFileSync(join(folder, 'locmetrics.yaml'), MANIFEST);
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
});
afterAll(() => explorer.close());

const rowOf = (page: Page, field: string) =>
  page.getByRole('row').filter({ has: page.getByText(field, { exact: true }) });

test('a table of 200 columns is profiled in parts, as they come into view', async () => {
  const { page, complaints } = await explorer.open('/datasets');
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/listRecords')) requests += 1;
  });
  await page.goto(`${explorer.url}/#/datasets/wide.rows`);
  await rowOf(page, 'm0').getByTitle('4000').waitFor();
  // No field has a description.
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    ...['Field', 'Absent', 'Distinct', 'Least and greatest', 'Values'],
  ]);
  const first = requests;
  expect(first).toBeLessThan(40);
  const last = rowOf(page, 'm199');
  expect(await last.getByTitle('4796').count()).toBe(0);
  await last.scrollIntoViewIfNeeded();
  await last.getByTitle('4796').waitFor();
  expect(requests - first).toBeLessThan(40);
  expect(complaints).toEqual([]);
});

test('the numbers of records, which open them, stay in view while a wide table is scrolled', async () => {
  const { page, complaints } = await explorer.open('/datasets/wide.rows/records');
  const open = page.getByRole('button', { name: 'Open record 1', exact: true });
  await open.waitFor();
  const before = await open.boundingBox();
  const last = page.getByRole('columnheader', { name: /^m199/ });
  await last.scrollIntoViewIfNeeded();
  expect((await last.boundingBox())?.x).toBeLessThan(1280);
  expect(await open.boundingBox()).toEqual(before);
  await open.click();
  await page.getByRole('dialog').waitFor();
  expect(complaints).toEqual([]);
});

test('a table with totals is counted field by field, as they come into view', async () => {
  const { page } = await explorer.open('/datasets');
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v3/catalog/')) requests += 1;
  });
  await page.goto(`${explorer.url}/#/datasets/wide.totals`);
  await rowOf(page, 'm0').getByTitle('4000').waitFor();
  expect(requests).toBeLessThan(150);
  const last = rowOf(page, 'm199');
  await last.scrollIntoViewIfNeeded();
  await last.getByTitle('4796').waitFor();
});

test('a caller who sees some rows gets the numbers of these', async () => {
  const { sample } = explorer;
  runOnSample(sample, ['org', 'create', 'north', '--id', 'north']);
  runOnSample(sample, [
    ...['grant', 'add', 'north', 'wide.*', '--filter', 'area == north', '--field', 'id,area,m0'],
  ]);
  const { token } = JSON.parse(
    runOnSample(sample, ['token', 'create', '--org', 'north', '--name', 'test', '--json']),
  );
  const { page, complaints } = await explorer.open('/datasets/wide.rows', { token });
  const row = rowOf(page, 'm0');
  await row.getByTitle('2000').waitFor();
  expect(await row.textContent()).not.toMatch(/3,000|4,000/);
  expect(await rowOf(page, 'm1').count()).toBe(0);
  expect(complaints).toEqual([]);
});
