import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessProblems } from './axe.ts';
import { FALLEN_COUNTY, publishCounties } from './counties.ts';
import { type Explorer, openExplorer } from './explorer.ts';

/** All places of a metric in a period: their list, what it is compared with, and their way into the chart. */
const PARKS = '/metrics/nps/foot_traffic_monthly';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
  publishCounties(explorer.sample);
});
afterAll(() => explorer.close());

test('a chart is saved as a picture, with its title, source and date', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?features=["ZION","YOSE","ACAD"]`);
  const [svg, png] = [await save(page, 'SVG'), await save(page, 'PNG')];
  const text = svg.toString('utf8');
  expect(text).toContain('National park visits: Recreation visits, People');
  expect(text).toContain('Source: US National Park Service, nps/foot_traffic_monthly of ');
  expect(text.match(/<path [^>]*stroke-width="2"/g)).toHaveLength(3);
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  expect(complaints).toEqual([]);
});

test('periods are played up to the last one, and one step back leads to where that began', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?at=2023-10-01`);
  await page.getByRole('button', { name: 'Play' }).click();
  await page
    .getByRole('heading', {
      name: 'Recreation visits in December 2023, compared with December 2022',
    })
    .waitFor();
  await page.getByRole('button', { name: 'Play' }).waitFor();
  expect(readQuery(page)['at']).toBe('2023-12-01');
  await page.goBack();
  await expect.poll(() => readQuery(page)['at']).toBe('2023-10-01');
  expect(complaints).toEqual([]);
});

test('a place that is pointed at is marked in list and chart, and a click adds it', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?features=["ZION","YOSE"]`);
  const row = listOf(page).getByRole('row', { name: /Zion National Park/ });
  const legend = page.getByRole('list', { name: 'Legend' }).getByRole('listitem');
  const zion = legend.filter({ hasText: 'Zion' });
  // The chart, which comes later, would move what is below it from under the pointer.
  await zion.waitFor();
  await row.hover();
  await expect.poll(() => zion.getAttribute('data-hovered')).toBe('true');
  await legend.filter({ hasText: 'Yosemite' }).hover();
  await expect.poll(() => zion.getAttribute('data-hovered')).toBe(null);
  const yosemite = listOf(page).getByRole('row', { name: /Yosemite National Park/ });
  await expect.poll(() => yosemite.getAttribute('data-hovered')).toBe('true');
  await firstRow(page).getByRole('button').click();
  await expect.poll(() => readQuery(page)['features']).toBe('["ZION","YOSE","GRSM"]');
  expect(complaints).toEqual([]);
});

test('the map marks the place of a row, its row the place of the map, and Enter on it adds it', async () => {
  const { page, complaints } = await explorer.open(
    '/metrics/counties/mobility?at=2020-04-01&sort=-percent',
  );
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await map.getByText('Mean of Mobility: change from March 2020 to April 2020, %').waitFor();
  const fallen = listOf(page).getByRole('row', { name: /-60\.0 %/ });
  const { width = 0, height = 0 } = (await map.boundingBox()) ?? {};
  await expect
    .poll(async () => {
      await map.hover({ position: { x: width / 2 + 20, y: height / 2 } });
      await map.hover({ position: { x: width / 2, y: height / 2 } });
      // It is the last row: the list moved there.
      return fallen.getAttribute('data-hovered', { timeout: 500 }).catch(() => null);
    })
    .toBe('true');
  const canvas = map.getByRole('region', { name: /^Map of Mean of Mobility: change/ });
  await canvas.press('Enter');
  await expect.poll(() => readQuery(page)['features']).toBe(`["${FALLEN_COUNTY}"]`);
  expect(complaints).toEqual([]);
});

test('a measure that ends before the others opens on its last period with values', async () => {
  // The distances of the sample end on 2 November 2020, those of its devices in April 2021.
  const { page } = await explorer.open('/metrics/mobility/m50_daily');
  await page
    .getByRole('heading', {
      name: 'Mean of Distance in October 2020, compared with September 2020',
      exact: true,
    })
    .waitFor();
  expect(await firstRow(page).textContent()).not.toContain('no value');
});

test('places are added up by state, against any other month', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?at=2023-07-01&against=2019-07-01`);
  await choose(page, 'Group by', 'State');
  await page
    .getByRole('heading', {
      name: 'Recreation visits by State in July 2023, compared with July 2019',
    })
    .waitFor();
  await page.getByRole('slider', { name: 'Compared with' }).waitFor();
  await listOf(page).getByRole('row', { name: /Utah/ }).getByRole('button').click();
  const table = page.getByRole('table', { name: /^Values of/ });
  await table.getByRole('columnheader', { name: 'Utah' }).waitFor();
  const july = table.getByRole('row', { name: /^Jul 2023/ });
  await expect.poll(() => july.textContent()).toContain('1,256,948');
  expect(await findAccessProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

function listOf(page: Page): Locator {
  return page.getByRole('table', { name: /: all rows$/ });
}

function firstRow(page: Page): Locator {
  return listOf(page).locator('tbody tr[aria-rowindex="2"]');
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function save(page: Page, name: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return readFileSync(await download.path());
}

/** The state in the address. */
function readQuery(page: Page): Readonly<Record<string, string>> {
  const [, query = ''] = new URL(page.url()).hash.split('?');
  return Object.fromEntries(new URLSearchParams(query));
}
