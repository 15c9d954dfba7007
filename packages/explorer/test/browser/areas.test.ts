import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { areaFiles } from './areas.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

/** Areas with outlines, of which some values are withheld and some are absent. */

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(areaFiles())) writeFileSync(join(folder, name), text);
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
});
afterAll(() => explorer.close());

test('a withheld value is told from an absent one in list, map, chart and table', async () => {
  const { page, complaints } = await explorer.open(
    '/metrics/areas/visits?at="2025-05-01"&features=["z2","z3"]',
  );
  const row = (zone: string): Locator =>
    page.getByRole('table', { name: /^Visits in May 2025/ }).getByRole('row', { name: zone });
  await row('Zone 2').getByText('withheld').waitFor();
  expect(await row('Zone 3').textContent()).toContain('no value');
  await page.getByText('7 rows. 1 withheld: too small to show. 1 without a value.').waitFor();
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByText('Withheld: too small to show').waitFor();
  expect(await legend.getByRole('listitem').allTextContents()).toContain('No value');
  const values = page.getByRole('table', { name: /^Values of Visits/ });
  const may = values.getByRole('row', { name: 'May 2025' });
  expect(await may.getByRole('cell').allTextContents()).toEqual([
    'May 2025',
    'withheld',
    '–absent',
  ]);
  const chart = page.getByRole('slider', { name: /^Chart of Visits/ });
  await chart.press('End');
  await expect
    .poll(() => chart.getAttribute('aria-valuetext'))
    .toBe('May 2025, in People: Zone 2 withheld; Zone 3 absent');
  const svg = await saved(page, page.getByRole('button', { name: 'SVG', exact: true }).first());
  expect(svg).toContain('Withheld: too small to show');
  expect(await findAccessProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

/** The text of the file that a button saves. */
async function saved(page: Page, button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFileSync(await download.path(), 'utf8');
}
