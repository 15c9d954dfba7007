import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { findOverflows } from './every-screen.ts';
import { type Explorer, openExplorer } from './explorer.ts';

/** Names of any length stay within what is around them, and short words are not broken. */
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const ID = 'names_of_places_that_are_very_long_indeed_and_longer_still';
const FIELD = 'taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronuk';

/** Its first letters are those at the right. */
const ARABIC = `${'مدينة كبيرة جدا '.repeat(6)}(cities)`;

const MANIFEST = `format: 1
products:
  long: { display_name: ${LONG}, description: ${LONG} }
datasets:
  long.${ID}:
    display_name: ${LONG}
    description: https://example.com/${LONG}/${LONG}
    files: places.csv
    key: [id]
    period: { start: day, end: day }
    fields:
      id: { type: string, description: ${LONG} }
      ${FIELD}: { type: string, column: name, description: ${LONG} }
      day: { type: date, description: The day of the visits. }
      visits: { type: integer, description: The number of visits on that day. }
  long.points:
    files: points.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: string }
      ${FIELD}: { type: string, column: name }
      latitude: { type: float }
      longitude: { type: float }
  long.arabic:
    display_name: ${ARABIC}
    files: places.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string, description: ${ARABIC} }
layers:
  long_layer: { display_name: ${LONG}, dataset: long.${ID}, feature_id: id, name: ${FIELD} }
metrics:
  long/${FIELD}:
    display_name: ${LONG}
    description: ${LONG}
    dataset: long.${ID}
    layer: long_layer
    feature_id: id
    cadence: daily
    measure: { name: visits, field: visits, kind: count, unit: ${LONG} }
`;
const ROWS = `id,name,day,visits\n${LONG},${LONG},2024-01-01,5\nb,${ARABIC},2024-01-02,6\n`;

let explorer: Explorer;
let folder: string;
let token: string;
beforeAll(async () => {
  explorer = await openExplorer();
  folder = temporaryFolder();
  writeFileSync(join(folder, 'locmetrics.yaml'), MANIFEST);
  writeFileSync(join(folder, 'places.csv'), ROWS);
  const points = `id,name,latitude,longitude\n1,${ARABIC},40,-100\n`;
  writeFileSync(join(folder, 'points.csv'), points);
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
  runOnSample(explorer.sample, ['org', 'create', LONG, '--id', 'long']);
  runOnSample(explorer.sample, ['grant', 'add', 'long', '*']);
  const scopes = 'catalog,metrics,usage,admin';
  const made = ['token', 'create', '--org', 'long', '--name', LONG, '--scope', scopes, '--json'];
  token = JSON.parse(runOnSample(explorer.sample, made)).token;
});
afterAll(async () => {
  await explorer.close();
});

test.each([1280, 390])('at a width of %i nothing leaves its frame', async (width) => {
  const context = { viewport: { width, height: 844 } };
  const { page, complaints } = await explorer.open('/datasets', { token, context });
  for (const [path, heading] of [
    ['/datasets', 'Datasets'],
    [`/datasets/long.${ID}`, LONG],
    [`/datasets/long.${ID}/records`, LONG],
    ['/metrics', 'Metrics'],
    [`/metrics/long/${FIELD}`, LONG],
    ['/usage', 'Usage'],
    ['/admin/organisations', 'Organisations'],
    ['/admin/organisations/long', LONG],
    ['/admin/versions', 'Versions'],
    [`/admin/versions/long.${ID}`, `long.${ID}`],
  ] as const) {
    await page.goto(`${explorer.url}/#${path}`);
    await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    await page
      .getByText(/^Reading/)
      .first()
      .waitFor({ state: 'detached' });
    expect([path, ...(await findOverflows(page))]).toEqual([path]);
  }
  expect(complaints).toEqual([]);
});

test('no word of a table is broken on a phone, because the table scrolls', async () => {
  const context = { viewport: { width: 390, height: 844 } };
  const { page } = await explorer.open('/datasets/ml_visitation.places', { token, context });
  await page.getByRole('table').waitFor();
  expect(await findBrokenWords(page)).toEqual([]);
  await page.goto(`${explorer.url}/#/admin/versions/long.${ID}`);
  await page.getByRole('heading', { name: `long.${ID}`, level: 1 }).waitFor();
  await page.getByRole('table').waitFor();
  expect(await findBrokenWords(page)).toEqual([]);
});

test('a name from right to left begins where the others do, and loses its end, not its start', async () => {
  const { page, complaints } = await explorer.open('/datasets/long.arabic/records', { token });
  const cell = page.getByRole('cell', { name: ARABIC }).locator('[dir]');
  await cell.waitFor();
  const heading = page.getByRole('heading', { name: ARABIC, level: 1 });
  for (const one of [cell, heading]) {
    const { direction, textAlign } = await one.evaluate((element) => {
      const around = element.closest('[dir]') ?? element;
      const { direction, textAlign } = getComputedStyle(around);
      return { direction, textAlign };
    });
    expect({ direction, textAlign }).toEqual({ direction: 'rtl', textAlign: 'left' });
  }
  expect(complaints).toEqual([]);
});

/** Words of up to 20 characters in cells that take more than one line; a hyphen or slash may end a line. */
function findBrokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(
      document.querySelector('table') ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    const broken: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(
        /(?<!\S)[^\s\-/]{2,20}(?!\S)/gu,
      )) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) broken.push(word);
      }
    }
    return broken;
  });
}

test('a record on the map of a phone is as wide as its panel', async () => {
  const context = { viewport: { width: 390, height: 844 } };
  const path = '/datasets/long.points/map?at=%5B-100,40,12%5D';
  const { page } = await explorer.open(path, { token, context });
  await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
  await page.getByRole('region', { name: 'Map', exact: true }).locator('canvas').press('Enter');
  const field = page.getByText(FIELD, { exact: true });
  await field.waitFor();
  const over = await field.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(over).toBe(0);
  const panel = page.getByRole('region').filter({ has: field }).last();
  expect(await panel.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test('on a phone, long names of fields leave room for their meaning, and the choice of columns is not cut', async () => {
  const context = { viewport: { width: 390, height: 844 } };
  const { page } = await explorer.open(`/datasets/long.${ID}`, { token, context });
  const meaning = page.getByRole('columnheader', { name: 'Meaning' });
  await meaning.waitFor();
  expect((await meaning.boundingBox())?.x).toBeLessThan(250);
  await page.getByRole('link', { name: 'Records', exact: true }).click();
  await page.getByRole('button', { name: /^Columns/ }).click();
  const choice = page.getByRole('dialog', { name: 'Columns' });
  await choice.getByText(FIELD).waitFor();
  const over = await choice.evaluate(
    ({ scrollWidth, clientWidth, parentElement }) =>
      Math.max(scrollWidth, parentElement?.scrollWidth ?? 0) - clientWidth,
  );
  expect(over).toBeLessThanOrEqual(0);
});
