import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { areaFiles, crowdFiles } from './areas.ts';
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
  const buttons = await page.getByRole('group', { name: 'Zoom' }).boundingBox();
  const below = await legend.boundingBox();
  expect((buttons?.y ?? 0) + (buttons?.height ?? 0)).toBeLessThan(below?.y ?? 0);
  const values = page.getByRole('table', { name: /^Values of Visits/ });
  const may = values.getByRole('row', { name: 'May 2025' });
  await expect
    .poll(() => may.getByRole('cell').allTextContents())
    .toEqual(['May 2025', 'withheld', '–absent']);
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

test('the legend of the map of a metric leaves places out, and another legend shows all again', async () => {
  const { page, complaints } = await explorer.open(
    '/metrics/areas/visits?at="2025-04-01"&against="none"',
  );
  const legend = page.getByRole('region', { name: 'Legend' });
  const entries = legend.getByRole('button');
  await legend.getByRole('heading', { name: 'Visits in April 2025, People' }).waitFor();
  await settled(page);
  const canvas = page.locator('canvas.maplibregl-canvas');
  const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
  // Two rows of four zones fill the map. In the north east is Zone 8, which has the most visits.
  const zone = Math.min((width - 48) / 4, (height - 48) / 2);
  const most = { position: { x: width / 2 + 1.5 * zone, y: height / 2 - zone / 2 } };
  const tooltip = page.getByRole('region', { name: 'Map', exact: true }).getByText('810 People');
  const pointAt = async (): Promise<void> => {
    await canvas.hover({ position: { x: width / 2, y: 4 } });
    await canvas.hover(most);
  };
  await pointAt();
  await tooltip.waitFor();
  await entries.last().press('Enter');
  await expect.poll(() => readQuery(page)['hidden']).toMatch(/^\["#\d"\]$/);
  // The address changes before the map is drawn again.
  await expect.poll(() => entries.last().getAttribute('aria-pressed')).toBe('false');
  await settled(page);
  await expect
    .poll(async () => {
      await pointAt();
      return tooltip.count();
    })
    .toBe(0);
  expect(await findAccessProblems(page)).toEqual([]);
  await choose(page, 'Group by', 'District');
  await legend.getByRole('heading', { name: 'Visits by District in April 2025, People' }).waitFor();
  expect(readQuery(page)['hidden']).toBeUndefined();
  await expect.poll(() => pressed(entries)).not.toContain('false');
  expect(complaints).toEqual([]);
});

test('records are shown in the outlines of their places, by a measure and a period, and the legend filters', async () => {
  const { page, complaints } = await explorer.open('/datasets/areas.visits');
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByRole('heading', { name: 'Sum of visits, May 2025' }).waitFor();
  const entries = legend.getByRole('listitem');
  await expect
    .poll(async () => (await entries.allTextContents()).slice(-2))
    .toEqual(['No value', 'Withheld: too small to show']);
  await page.getByText('7 areas with records').waitFor();
  await choose(page, 'Period', 'March 2025');
  await legend.getByRole('heading', { name: 'Sum of visits, March 2025' }).waitFor();
  await page.getByText('8 areas with records').waitFor();
  const first = legend.getByRole('button').first();
  await first.click();
  await expect.poll(() => first.getAttribute('aria-pressed')).toBe('false');
  expect(readQuery(page)).toEqual({ period: '2025-03-01', hidden: '["#0"]' });
  await settled(page);
  expect(await findAccessProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('of records with totals of others, the map of areas shows the totals and says so, or with one press their parts', async () => {
  const { page, complaints } = await explorer.open('/datasets/areas.people/map');
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByRole('heading', { name: 'Sum of people, May 2025' }).waitFor();
  await page
    .getByText(
      `Some records are the totals of others. Shown are those: sex is All 'sexes', age is 999.`,
    )
    .waitFor();
  expect(await legend.getByRole('listitem').allTextContents()).toEqual(['80']);
  await settled(page);
  const svg = await saved(page, page.getByRole('button', { name: 'Save the map as SVG' }));
  expect(svg).toContain("sex is All 'sexes' · age is 999");
  const parts = page.getByRole('button', { name: 'Show their parts' });
  await parts.click();
  await page.getByRole('button', { name: "Remove sex is not All 'sexes'" }).waitFor();
  await page.getByRole('button', { name: 'Remove age is not 999' }).click();
  await page.getByText('Shown are those: age is 999.').waitFor();
  await expect.poll(() => legend.getByRole('listitem').allTextContents()).toEqual(['80']);
  expect(readQuery(page)).toEqual({
    filters: JSON.stringify([{ fieldName: 'sex', operator: '!=', value: "All 'sexes'" }]),
  });
  await settled(page);
  expect(await findAccessProblems(page)).toEqual([]);
  await parts.click();
  await choose(page, 'Colour by', 'Mean of people');
  await expect.poll(() => legend.getByRole('listitem').allTextContents()).toEqual(['20']);
  expect(await page.getByText('Shown are those').count()).toBe(0);
  expect(complaints.filter((one) => !one.includes('status of 400'))).toEqual([]);
});

test('a total that is no area is left out of the map of areas', async () => {
  const { page, complaints } = await explorer.open('/datasets/areas.halls/map');
  const legend = page.getByRole('region', { name: 'Legend' });
  await page.getByText('Shown are their parts: zone is not all.').waitFor();
  await page.getByText('8 areas with records.').waitFor();
  await expect.poll(() => legend.getByRole('listitem').allTextContents()).toEqual(['5']);
  expect(await page.getByRole('button', { name: 'Show their parts' }).count()).toBe(0);
  expect(complaints.filter((one) => !one.includes('status of 400'))).toEqual([]);
});

test('a box on the map of areas leaves the areas that it touches, or the records with points in it', async () => {
  const { page, complaints } = await explorer.open('/datasets/areas.visits/map');
  const draw = page.getByRole('button', { name: 'Draw a box' });
  const canvas = page.locator('canvas.maplibregl-canvas');
  await page.getByText('7 areas with records').waitFor();
  await settled(page);
  await draw.press('Enter');
  await page.keyboard.press('Escape');
  await draw.click();
  const { x = 0, y = 0, width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
  const [middle, centre] = [x + width / 2, y + height / 2];
  await page.mouse.move(middle - 60, centre - 60);
  await page.mouse.down();
  await page.mouse.move(middle - 20, centre + 40, { steps: 4 });
  await page.mouse.up();
  await page.getByText('2 areas with records').waitFor();
  const values = [{ fieldName: 'zone', operator: 'in', values: ['z2', 'z6'] }];
  expect(readQuery(page)).toEqual({ filters: JSON.stringify(values) });
  await page.getByRole('button', { name: 'Remove zone is one of z2, z6' }).click();
  await page.getByText('7 areas with records').waitFor();
  await page.goto(`${explorer.url}/#/datasets/areas.districts/map?shape="areas"`);
  await page.getByText('2 areas with records').waitFor();
  await settled(page);
  await page.getByRole('button', { name: 'Use this view as the box' }).press('Enter');
  await page.getByRole('link', { name: 'Show 2 records' }).waitFor();
  expect(readQuery(page)).toEqual({ shape: 'areas', box: expect.stringMatching(/^\[-?\d/) });
  await settled(page);
  expect(await findAccessProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the map of areas goes to a place', async () => {
  const { page, complaints } = await explorer.open('/datasets/areas.districts/map?shape="areas"');
  await page.getByText('2 areas with records').waitFor();
  await settled(page);
  await page.getByRole('combobox', { name: 'Go to a place' }).fill('Reykjav');
  await page.getByRole('option', { name: /^Reykjav/ }).click();
  const view = page.getByRole('button', { name: 'Use this view as the box' });
  const isInView = async (): Promise<boolean> => {
    await view.press('Enter');
    const [west, south, east, north] = JSON.parse(readQuery(page)['box'] ?? '[0,0,0,0]');
    return west < -21.9 && east > -21.9 && south < 64.1 && north > 64.1;
  };
  await expect.poll(isInView).toBe(true);
  await page.getByRole('link', { name: 'Show 0 records' }).waitFor();
  expect(complaints).toEqual([]);
});

test('records are shown in their areas by a category, and an area has its records and its metrics', async () => {
  const { page, complaints } = await explorer.open(
    '/datasets/areas.visits/map?period="2025-05-01"&colour="value:mood"',
  );
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByRole('heading', { name: 'Categories of mood, May 2025' }).waitFor();
  await expect
    .poll(() => legend.getByRole('listitem').allTextContents())
    .toEqual(['calm', 'busy', 'closed']);
  await settled(page);
  // The middle of the map is the corner of four zones; to its north west is Zone 6.
  const canvas = page.locator('canvas.maplibregl-canvas');
  const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
  await canvas.click({ position: { x: width / 2 - 20, y: height / 2 - 20 } });
  const details = page.getByRole('region', { name: 'Zone 6' });
  await details.getByText('closed').waitFor();
  await details.getByRole('link', { name: 'Visits of zones' }).waitFor();
  await details.getByRole('link', { name: 'Show its records' }).click();
  const table = page.getByRole('table').first();
  await table.getByRole('cell', { name: '620' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a map is saved as shapes with its title, legend, source and date', async () => {
  const { page, complaints } = await explorer.open('/metrics/areas/visits?at="2025-05-01"');
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByText('Withheld: too small to show').waitFor();
  await settled(page);
  const svg = await saved(page, page.getByRole('button', { name: 'Save the map as SVG' }));
  const { text, fills } = await page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
    if (parsed.querySelector('parsererror') !== null) throw new Error('The SVG is not valid.');
    const all = [...parsed.querySelectorAll('svg svg path')];
    return {
      text: parsed.documentElement.textContent,
      fills: [...new Set(all.map((path) => path.getAttribute('fill')))],
    };
  }, svg);
  expect(text).toContain('Visits in May 2025, People');
  expect(text).toContain('Withheld: too small to show');
  expect(text).toMatch(/Source: areas\/visits of .* · Natural Earth.* · [A-Z][a-z]+ \d+, \d{4}/);
  expect(fills).toEqual(expect.arrayContaining(['url(#hatch)', 'url(#withheld-hatch)']));
  // The greatest and the least class of the palette.
  expect(fills).toEqual(expect.arrayContaining(['rgba(12,44,132,1)', 'rgba(199,233,180,1)']));
  expect(complaints).toEqual([]);
});

test('a map keeps the title of the values that it shows until those of another period are read', async () => {
  for (const { path, period, march, before, after } of [
    {
      ...{ path: '/metrics/areas/visits?at="2025-04-01"', period: 'Period: month', march: 'March' },
      ...{ before: 'Visits in April 2025, People', after: 'Visits in March 2025, People' },
    },
    {
      ...{ path: '/metrics/areas/moods?at="2025-04-01"', period: 'Period: month', march: 'March' },
      ...{ before: 'Mood in April 2025', after: 'Mood in March 2025' },
    },
    {
      path: '/datasets/areas.visits/map?period="2025-04-01"',
      ...{ period: 'Period', march: 'March 2025' },
      ...{ before: 'Sum of visits, April 2025', after: 'Sum of visits, March 2025' },
    },
  ]) {
    const { page, complaints } = await explorer.open(path);
    const heading = page.getByRole('region', { name: 'Legend' }).getByRole('heading');
    await heading.getByText(before).waitFor();
    await settled(page);
    const arrived = Promise.withResolvers<void>();
    await page.route(/\/v[13]\//, async (route) => {
      await arrived.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/v[13]\//);
    await choose(page, period, march);
    await asked;
    expect(await heading.textContent()).toBe(before);
    arrived.resolve();
    await heading.getByText(after).waitFor();
    expect(complaints).toEqual([]);
  }
});

test('groups that are areas have a map', async () => {
  const { page, complaints } = await explorer.open('/metrics/areas/visits?at="2025-04-01"');
  await choose(page, 'Group by', 'District');
  await page
    .getByRole('heading', { name: /^Visits by District in April 2025/ })
    .first()
    .waitFor();
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByRole('heading', { name: 'Visits by District in April 2025, People' }).waitFor();
  await settled(page);
  const canvas = page.locator('canvas.maplibregl-canvas');
  const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
  await canvas.hover({ position: { x: width * 0.7, y: height / 2 } });
  // Zones 3, 4, 7 and 8.
  await page.getByText('2,240 People').waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('on a phone a map is fitted to the part above its legend', async () => {
  const address = '/metrics/areas/visits?at="2025-04-01"&against="none"';
  const context = { viewport: { width: 390, height: 844 } };
  const { page } = await explorer.open(address, { context });
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await map.getByText('Visits in April 2025, People').waitFor();
  await settled(page);
  const { width = 0, height = 0 } = (await map.boundingBox()) ?? {};
  // The last zone of the lower one of two rows: they are as wide as the map, and in the middle of this part.
  const middle = (40 + height * 0.65) / 2;
  await map.click({
    position: { x: 12 + ((width - 24) * 7) / 8, y: middle + (width - 24) / 8 },
  });
  await expect.poll(() => readQuery(page)['features']).toBe('["z4"]');
});

test('on a phone each entry of a legend has one line', async () => {
  const address = '/metrics/nps/foot_traffic_monthly?at="2023-07-01"&against="none"';
  const context = { viewport: { width: 390, height: 844 } };
  const { page } = await explorer.open(address, { context });
  const entries = page.getByRole('region', { name: 'Legend' }).getByRole('button');
  await entries.first().waitFor();
  const heights = await entries.evaluateAll((all) => all.map((one) => one.clientHeight));
  expect(heights.length).toBeGreaterThan(4);
  expect(heights.filter((height) => height > 30)).toEqual([]);
});

test('a measure of categories has a list, counts over time and a map in its colours', async () => {
  const { page, complaints } = await explorer.open('/metrics/areas/moods?at="2025-05-01"');
  await page.getByRole('heading', { name: 'Mood in May 2025' }).waitFor();
  const list = page.getByRole('table', { name: 'Mood in May 2025: all rows' });
  const sixth = list.getByRole('row', { name: 'Zone 6' });
  await sixth.getByText('closed').waitFor();
  expect(await sixth.getByRole('button').innerText()).toMatch(/^Zone 6\s+west$/);
  await expect.poll(() => list.getByRole('row').count()).toBe(8);
  const bars = page.getByRole('list', { name: 'Numbers of places by Mood over months' });
  await bars.getByRole('button', { name: 'May 2025: calm 3, closed 2, busy 2' }).waitFor();
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByRole('heading', { name: 'Mood in May 2025' }).waitFor();
  await expect
    .poll(() => legend.getByRole('listitem').allTextContents())
    .toEqual(['calm', 'closed', 'busy']);
  await legend.getByRole('button', { name: 'busy' }).click();
  await expect.poll(() => readQuery(page)['hidden']).toBe('["#2"]');
  await expect.poll(() => pressed(legend.getByRole('button'))).toEqual(['true', 'true', 'false']);
  await legend.getByRole('button', { name: 'busy' }).click();
  await expect.poll(() => readQuery(page)['hidden']).toBeUndefined();
  await bars.getByRole('button', { name: /^Mar 2025/ }).click();
  await page.getByRole('heading', { name: 'Mood in March 2025' }).first().waitFor();
  const march = page.getByRole('table', { name: 'Mood in March 2025: all rows' });
  await march.getByRole('button', { name: 'Zone 8' }).click();
  const places = page.getByRole('table', { name: 'Categories of the chosen places' });
  await expect
    .poll(() => places.getByRole('row').allTextContents())
    .toEqual(['MonthZone 8', 'May 2025no value', 'Apr 2025calm', 'Mar 2025closed']);
  expect(readQuery(page)).toEqual({ at: '2025-03-01', features: '["z8"]' });
  expect(await findAccessProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('of more categories than can be counted, the last periods are; a chosen period is not cut', async () => {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(crowdFiles())) writeFileSync(join(folder, name), text);
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
  const { page, complaints } = await explorer.open('/metrics/crowd/moods');
  await page.getByText('Counted from March 2025 on: all 25,000 values are more than').waitFor();
  const bars = page.getByRole('list', { name: 'Numbers of places by Mood over months' });
  await expect
    .poll(() => bars.getByRole('button').evaluateAll((all) => all.map((one) => one.ariaLabel)))
    .toEqual([
      expect.stringMatching(/^Mar 2025: /),
      ...Array.from({ length: 6 }, () => expect.any(String)),
      expect.stringMatching(/^Oct 2025: /),
    ]);
  await page.goto(`${explorer.url}/#/metrics/crowd/moods?from="2025-01-01"&to="2025-09-30"`);
  await page.getByText('22,500 values are too many: up to 20,000 are counted here.').waitFor();
  expect(complaints).toEqual([]);
});

/** Whether each entry of a legend is shown. */
async function pressed(entries: Locator): Promise<readonly (string | null)[]> {
  return Promise.all((await entries.all()).map((entry) => entry.getAttribute('aria-pressed')));
}

/** Waits until the map has drawn all that it shows. */
async function settled(page: Page): Promise<void> {
  await expect
    .poll(() => page.getByRole('region', { name: 'Map', exact: true }).getAttribute('aria-busy'))
    .toBe('false');
}

/** The state in the address. */
function readQuery(page: Page): Readonly<Record<string, string>> {
  const [, query = ''] = new URL(page.url()).hash.split('?');
  return Object.fromEntries(new URLSearchParams(query));
}

/** The text of the file that a button saves. */
async function saved(page: Page, button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFileSync(await download.path(), 'utf8');
}
