import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

/** All places of a metric in a period: their list, what it is compared with, and their way into the chart. */
const PARKS = '/metrics/nps/foot_traffic_monthly';

const MANIFEST = `format: 1
products:
  counties: { display_name: Counties }
datasets:
  counties.places:
    files: days.csv
    rows: [{ duplicates: first }]
    key: [fips]
    point: { latitude: latitude, longitude: longitude }
    fields:
      fips: { type: string }
      name: { type: string }
      state: { type: string }
      latitude: { type: float }
      longitude: { type: float }
  counties.days:
    files: days.csv
    key: [fips, day]
    period: { start: day, end: day }
    fields:
      fips: { type: string }
      day: { type: date }
      mobility: { type: integer, additive: none }
layers:
  counties:
    display_name: Counties
    feature_display_name: County
    dataset: counties.places
    feature_id: fips
    name: name
    address_components:
      state: { value: state, kind: taxonomy, label: State }
metrics:
  counties/mobility:
    display_name: Mobility of counties
    dataset: counties.days
    layer: counties
    feature_id: fips
    cadence: daily
    measure: { name: mobility, display_name: Mobility, field: mobility, kind: count, unit: Percent }
`;
const COUNTIES = 30;
const FALLEN = 17;

/** Days of four months. In April every county falls by a tenth, and one by more. */
function daysOfCounties(): string {
  const rows = ['fips,name,state,latitude,longitude,day,mobility'];
  for (let county = 0; county < COUNTIES; county += 1) {
    const fips = String(1000 + county);
    const state = county % 2 === 0 ? 'Alabama' : 'Oregon';
    const angle = (county / (COUNTIES - 1)) * 2 * Math.PI;
    // On a circle around the one that fell, which is in the middle of the map.
    const radius = county === FALLEN ? 0 : 5;
    const point = [radius * Math.sin(angle), radius * Math.cos(angle)].join(',');
    for (let day = 0; day < 122; day += 1) {
      const date = new Date(Date.UTC(2020, 2, 1 + day)).toISOString().slice(0, 10);
      const usual = 1000 + county * 10;
      const isApril = date.startsWith('2020-04');
      const value = isApril ? usual * (county === FALLEN ? 0.4 : 0.9) : usual;
      // Names repeat: the state tells them apart.
      rows.push(`${fips},County ${county % 15},${state},${point},${date},${Math.round(value)}`);
    }
  }
  return `${rows.join('\n')}\n`;
}

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'locmetrics.yaml'), MANIFEST);
  writeFileSync(join(folder, 'days.csv'), daysOfCounties());
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
});
afterAll(() => explorer.close());

test('three clicks find the county that fell most in April 2020', async () => {
  const { page, complaints } = await explorer.open('/metrics');
  await page.getByRole('link', { name: 'Mobility of counties' }).click();
  const period = page.getByRole('slider', { name: 'Period' });
  await firstRow(page).waitFor();
  const { width = 0 } = (await period.boundingBox()) ?? {};
  // The second of four months.
  await period.click({ position: { x: 8 + (width - 16) / 3, y: 12 } });
  await page
    .getByRole('heading', {
      name: 'Mean of Mobility in April 2020, compared with March 2020',
      exact: true,
    })
    .waitFor();
  await listOf(page).getByRole('button', { name: 'Change %' }).click();
  await expect.poll(() => firstRow(page).textContent()).toContain(`County ${FALLEN % 15}Oregon`);
  expect(await firstRow(page).textContent()).toContain('-60.0 %');
  await page.getByText('No sums: the values of Mobility cannot be added up.').waitFor();
  // It is in the chart already, and the address has all of it.
  const places = page.getByRole('list', { name: 'Places of the chart' });
  expect(await places.getByRole('listitem').first().textContent()).toContain('County 2');
  expect(readQuery(page)).toEqual({ at: '2020-04-01', sort: 'percent' });
  expect(complaints).toEqual([]);
});

test('the busiest place of a month is the first of the list', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  await choose(page, 'Period: month', 'July');
  await choose(page, 'Period: year', '2016');
  await page
    .getByRole('heading', { name: 'Recreation visits in July 2016, compared with July 2015' })
    .waitFor();
  await expect
    .poll(() => firstRow(page).textContent())
    .toContain('Great Smoky Mountains National Park');
  expect(await firstRow(page).locator('td').nth(3).textContent()).toBe('1,464,456');
  expect(complaints).toEqual([]);
});

test('three places over the years, and the chart as a picture', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  for (const name of ['Zion', 'Yosemite', 'Acadia']) {
    await page.getByRole('searchbox', { name: 'Find in the list' }).fill(name);
    await listOf(page)
      .getByRole('button', { name: new RegExp(`^${name} National Park`) })
      .click();
  }
  await choose(page, 'Show', 'Totals per year');
  const table = page.getByRole('table', { name: /^Values of/ });
  await table.getByRole('cell', { name: '2019', exact: true }).waitFor();
  expect(await table.getByRole('row').count()).toBe(46);
  const [svg, png] = [await save(page, 'SVG'), await save(page, 'PNG')];
  const text = svg.toString('utf8');
  expect(text).toContain('National park visits: Recreation visits, People');
  expect(text).toContain('Source: US National Park Service, nps/foot_traffic_monthly of ');
  expect(text.match(/<path [^>]*stroke-width="2"/g)).toHaveLength(3);
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  expect(complaints).toEqual([]);
});

test('a place that is pointed at is marked in list and chart, and a click adds it', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?features=["ZION","YOSE"]`);
  const row = listOf(page).getByRole('row', { name: /Zion National Park/ });
  const legend = page.getByRole('list', { name: 'Legend' }).getByRole('listitem');
  const zion = legend.filter({ hasText: 'Zion' });
  await row.hover();
  await expect.poll(() => zion.getAttribute('data-hovered')).toBe('true');
  await legend.filter({ hasText: 'Yosemite' }).hover();
  await expect.poll(() => zion.getAttribute('data-hovered')).toBe(null);
  const yosemite = listOf(page).getByRole('row', { name: /Yosemite National Park/ });
  expect(await yosemite.getAttribute('data-hovered')).toBe('true');
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
  await expect.poll(() => readQuery(page)['features']).toBe(`["${1000 + FALLEN}"]`);
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
  expect(await july.textContent()).toContain('1,256,948');
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
