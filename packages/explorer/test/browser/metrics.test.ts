import { readFileSync } from 'node:fs';
import { type Client, createClient } from '@locmetrics/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';

const PARKS = '/metrics/nps/foot_traffic_monthly';
const DISTANCE = '/metrics/mobility/m50_daily';
/** The first two series, as the theme has them. */
const LIGHT = ['#0072b2', '#c2500a'] as const;
const DARK = ['#56b4e9', '#f08a3c'] as const;

let explorer: Explorer;
let client: Client;
beforeAll(async () => {
  explorer = await openExplorer();
  const { environment } = explorer.sample;
  client = createClient({
    url: explorer.url,
    token: environment['LOCMETRICS_TOKEN'] ?? '',
    billingContext: environment['LOCMETRICS_ORG'],
  });
});
afterAll(() => explorer.close());

test('a metric is found from the navigation, and suggests places at first', async () => {
  const { page, complaints } = await explorer.open('/datasets');
  await page.getByRole('link', { name: 'Metrics', exact: true }).click();
  await page.getByRole('heading', { name: 'Catalog nps' }).waitFor();
  await page.getByText('33,395').waitFor();
  await page.getByRole('link', { name: 'National park visits', exact: true }).click();
  await page.getByRole('heading', { name: 'National park visits', level: 1 }).waitFor();
  await chartOf(page).waitFor();
  const places = page.getByRole('list', { name: 'Places of the chart' }).getByRole('listitem');
  await expect.poll(() => places.count()).toBe(3);
  // The busiest ones in the last month, not the first of the alphabet.
  expect(await places.first().textContent()).toContain('Great Smoky Mountains National Park');
  await page.getByText('The first of the list, until you choose some of its rows.').waitFor();
  await page.getByText('Always applied: Obfuscated is false.').waitFor();
  expect(complaints).toEqual([]);
});

test('two parks found by search are drawn in their colours, and the table has their values', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  await addPlace(page, 'zion', 'Zion National Park Utah');
  await addPlace(page, 'yosem', 'Yosemite National Park California');
  await page.getByRole('columnheader', { name: 'Yosemite National Park' }).waitFor();
  expect(readQuery(page, 'features')).toBe('["ZION","YOSE"]');
  await expect.poll(() => findColours(page, LIGHT)).toEqual([true, true]);
  const expected = await readFromService(['ZION', 'YOSE'], {});
  await expect.poll(() => readTable(page)).toEqual(expected.toReversed());
  await page.getByRole('button', { name: 'Remove Zion National Park' }).click();
  await page
    .getByRole('columnheader', { name: 'Zion National Park' })
    .waitFor({ state: 'detached' });
  expect(readQuery(page, 'features')).toBe('["YOSE"]');
  await expect.poll(() => focusedName(page)).toBe('Remove Yosemite National Park');
  expect(complaints).toEqual([]);
});

test('a supporting value is charted in place of the main one', async () => {
  const { page } = await explorer.open(`${PARKS}?features=["YOSE"]`);
  await choose(page, { label: 'Measure', option: 'Tent campers' });
  await page.getByRole('heading', { name: 'Tent campers, People' }).waitFor();
  expect(readQuery(page, 'measure')).toBe('tent_campers');
  const expected = await readFromService(['YOSE'], {}, 'tent_campers');
  expect(new Set(expected.map(([, count]) => count)).size).toBeGreaterThan(100);
  await expect.poll(() => readTable(page)).toEqual(expected.toReversed());
});

test('the years of a park are lines over the months', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?features=["ZION","YOSE"]`);
  await choose(page, { label: 'Show', option: 'Year over year' });
  await page.getByRole('columnheader', { name: '2023', exact: true }).waitFor();
  expect(readQuery(page, 'compare')).toBe('years');
  const values = await readFromService(['ZION'], { start: '2022-01-01' });
  const [first2022, first2023] = [values[0]?.[1], values[12]?.[1]];
  await expect
    .poll(async () => (await readTable(page))[0]?.slice(0, 3))
    .toEqual(['January', first2023, first2022]);
  const rows = await readTable(page);
  expect(rows[1]?.[0]).toBe('February');
  expect(rows).toHaveLength(12);
  await choose(page, { label: 'Years of', option: 'Yosemite National Park' });
  await page.getByText('Yosemite National Park, one line for each year').waitFor();
  expect(readQuery(page, 'place')).toBe('YOSE');
  expect(complaints).toEqual([]);
});

test('a change is against the same month of the year before, also at the start of the period', async () => {
  const address = `${PARKS}?features=["ZION"]&from=2023-01-01&compare=change`;
  const { page, complaints } = await explorer.open(address);
  await page.getByText('Change from the same month a year earlier.').waitFor();
  await expect.poll(async () => (await readTable(page)).length).toBe(12);
  const rows = await readTable(page);
  const values = await readFromService(['ZION'], { start: '2022-01-01' });
  const toNumber = (text = ''): number => Number(text.replaceAll(',', ''));
  const [before, now] = [toNumber(values[0]?.[1]), toNumber(values[12]?.[1])];
  const change = Number(rows.at(-1)?.[1]);
  expect(change).toBeCloseTo(((now - before) / before) * 100, 1);
  expect(complaints).toEqual([]);
});

test('a day without a value is a gap of the line, and absent in the table', async () => {
  // The source has no row of 29 May 2020.
  const period = 'from=2020-05-25&to=2020-06-02';
  const { page, complaints } = await explorer.open(`${DISTANCE}?features=["01"]&${period}`);
  await chartOf(page).waitFor();
  expect((await readTable(page)).find(([day]) => day === 'May 29, 2020')).toEqual([
    'May 29, 2020',
    'absent',
  ]);
  await expect.poll(() => findColours(page, LIGHT.slice(0, 1))).toEqual([true]);
  const columns = await findColumns(page, LIGHT[0]);
  // Of eight days the fourth; the line is on both sides of it.
  expect(columns.some((share) => share > 2.5 / 8 && share < 3 / 8)).toBe(true);
  expect(columns.some((share) => share > 3.2 / 8 && share < 4.8 / 8)).toBe(false);
  expect(columns.some((share) => share > 5 / 8 && share < 5.5 / 8)).toBe(true);
  expect(complaints).toEqual([]);
});

test('a period is in the address, and a shared address shows the same', async () => {
  const { page } = await explorer.open(PARKS);
  await addPlace(page, 'acadia', 'Acadia National Park Maine');
  await page.getByRole('button', { name: 'Last year' }).click();
  await choose(page, { label: 'Measure', option: 'Tent campers' });
  await page.getByRole('heading', { name: 'Tent campers, People' }).waitFor();
  expect(readQuery(page, 'from')).toBe('2023-01-01');
  expect(readQuery(page, 'measure')).toBe('tent_campers');
  await expect.poll(async () => (await readTable(page)).length).toBe(12);
  const rows = await readTable(page);
  const other = await explorer.open(new URL(page.url()).hash.slice(1));
  await other.page.getByRole('heading', { name: 'Tent campers, People' }).waitFor();
  await chartOf(other.page).waitFor();
  await expect.poll(() => readTable(other.page)).toEqual(rows);
  await page.getByLabel('To', { exact: true }).fill('2023-06-30');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await readTable(page)).length).toBe(6);
  expect(readQuery(page, 'to')).toBe('2023-06-30');
  await page.goBack();
  await expect.poll(async () => (await readTable(page)).length).toBe(12);
});

test('a typed day applies once it is complete, and a removed one with Enter', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?features=["YOSE"]`);
  const from = page.getByLabel('From', { exact: true });
  await from.focus();
  await page.keyboard.type('06012022');
  await expect.poll(() => readQuery(page, 'from')).toBe('2022-06-01');
  // The field has the focus still, and no year of fewer digits was applied.
  expect(await from.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(async () => (await readTable(page)).length).toBe(19);
  await from.fill('');
  expect(readQuery(page, 'from')).toBe('2022-06-01');
  await page.keyboard.press('Enter');
  await expect.poll(() => readQuery(page, 'from')).toBe(null);
  await page.getByLabel('To', { exact: true }).fill('2022-12-31');
  await expect.poll(() => readQuery(page, 'to')).toBe('2022-12-31');
  await from.fill('2023-02-01');
  await expect.poll(() => readQuery(page, 'from')).toBe('2023-02-01');
  expect(readQuery(page, 'to')).toBe(null);
  expect(complaints).toEqual([]);
});

test('the file of CSV has what the table has', async () => {
  const { page, complaints } = await explorer.open(
    `${DISTANCE}?features=["01","02"]&from=2020-05-25&to=2020-06-02`,
  );
  await chartOf(page).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('m50_daily-m50.csv');
  const text = readFileSync(await download.path(), 'utf8');
  const [head, ...rows] = text.trimEnd().split('\r\n');
  expect(head).toBe('\uFEFFFirst day,Last day,"Alabama (01), km","Alaska (02), km"');
  const table = await readTable(page);
  expect(rows.map((row) => row.split(',').slice(2))).toEqual(
    table.toReversed().map(([, ...cells]) => cells.map((cell) => (cell === 'absent' ? '' : cell))),
  );
  expect(rows.at(4)).toBe('2020-05-29,2020-05-29,,');
  expect(complaints).toEqual([]);
});

test('places are limited by what they belong to', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  const values = page.getByRole('combobox', { name: 'Values of State' });
  await values.pressSequentially('hawa');
  await page.getByRole('option', { name: 'Hawaii' }).click();
  await page.getByRole('button', { name: 'Remove the filter State Hawaii' }).waitFor();
  const places = page.getByRole('list', { name: 'Places of the chart' });
  await places.getByText('Haleakalā').waitFor();
  expect(readQuery(page, 'components')).toBe('[{"component":"us_state_2020","values":["15"]}]');
  await page.getByRole('button', { name: 'Remove the filter State Hawaii' }).click();
  await places.getByText('Great Smoky Mountains National Park').waitFor();
  expect(complaints).toEqual([]);
});

test('the keyboard alone adds a place and reads the chart', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  const search = page.getByRole('searchbox', { name: 'Find in the list' });
  await search.waitFor();
  while ((await focusedName(page)) !== 'Find in the list') await page.keyboard.press('Tab');
  await page.keyboard.type('denali');
  const row = listOf(page).getByRole('button', { name: /^Denali/ });
  await row.waitFor();
  while (!(await row.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('columnheader', { name: /Denali/ }).waitFor();
  await expect.poll(() => row.getAttribute('aria-pressed')).toBe('true');
  const chart = chartOf(page);
  while (!(await chart.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('Tab');
  }
  await expect
    .poll(() => chart.getAttribute('aria-valuetext'))
    .toMatch(/^Dec 2023, in People: Denali/);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/^Nov 2023/);
  await page.keyboard.press('Home');
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/^Jan 1979/);
  expect(complaints).toEqual([]);
});

test('the call has the request of the screen', async () => {
  const { page } = await explorer.open(`${PARKS}?features=["ZION"]&from=2023-01-01`);
  await page.getByText('The call', { exact: true }).click();
  const call = page.getByRole('region', { name: 'The call' });
  for (const part of ['ZION', 'billingContext', '2023-01-01']) {
    await expect.poll(() => call.textContent()).toContain(part);
  }
});

test('a chart follows the scheme at once', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?features=["ZION","YOSE"]`, {
    context: { colorScheme: 'light' },
  });
  await chartOf(page).waitFor();
  await expect.poll(() => findColours(page, LIGHT)).toEqual([true, true]);
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  await expect.poll(() => findColours(page, DARK)).toEqual([true, true]);
  expect(await findColours(page, LIGHT)).toEqual([false, false]);
  expect(complaints).toEqual([]);
});

test('a phone shows chart and table below each other, without scrolling sideways', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?features=["ZION","YOSE"]`, {
    context: { viewport: { width: 390, height: 844 } },
  });
  const [chart, table] = [chartOf(page), tableOf(page)];
  await chart.waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const [chartBox, tableBox] = [await chart.boundingBox(), await table.boundingBox()];
  expect(tableBox?.y).toBeGreaterThan((chartBox?.y ?? 0) + (chartBox?.height ?? 0));
  // The whole page, with list, map and table in their own frames.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThan(3600);
  expect(complaints).toEqual([]);
});

test('a metric of one period has a bar for each place', async () => {
  const { page, complaints } = await explorer.open('/metrics/census/population_2020');
  const bars = page.getByRole('list', { name: 'Legend' }).getByRole('listitem');
  await bars.first().waitFor();
  await expect
    .poll(() => bars.allTextContents())
    .toEqual(['060730187001 37,892', '482015429022 19,522', '120950171111 18,071']);
  expect(complaints).toEqual([]);
});

test('a damaged address says what is wrong with it', async () => {
  const { page } = await explorer.open(`${PARKS}?from=2023-02-30`);
  expect(await page.getByRole('alert').textContent()).toContain(
    `'from' in the address is "2023-02-30", but must be a day as YYYY-MM-DD.`,
  );
});

test('an unknown metric is told with the nearest name', async () => {
  const { page } = await explorer.open('/metrics/nps/foot_traffic_month');
  expect(await page.getByRole('alert').textContent()).toContain('foot_traffic_monthly');
  await page.getByRole('heading', { name: 'There is no such metric', level: 1 }).waitFor();
});

/** The chart, not the sliders of periods. */
function chartOf(page: Page) {
  return page.getByRole('slider', { name: /^Chart of/ });
}

/** The table of the values of the chart, not the list of all places. */
function tableOf(page: Page) {
  return page.getByRole('table', { name: /^Values of/ });
}

/** The list of all places. */
function listOf(page: Page) {
  return page.getByRole('table', { name: /: all rows$/ });
}

async function addPlace(page: Page, text: string, name: string): Promise<void> {
  const search = page.getByRole('searchbox', { name: 'Find in the list' });
  await search.fill(text);
  await listOf(page).getByRole('button', { name, exact: true }).click();
}

async function choose(
  page: Page,
  { label, option }: { readonly label: string; readonly option: string },
): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** A part of the state in the address. */
function readQuery(page: Page, name: string): string | null {
  const [, query = ''] = new URL(page.url()).hash.split('?');
  return new URLSearchParams(query).get(name);
}

function focusedName(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element instanceof HTMLInputElement) return element.labels?.[0]?.textContent;
    return element?.getAttribute('aria-label');
  });
}

/** The rows of the table, without its head. */
async function readTable(page: Page): Promise<string[][]> {
  await tableOf(page).waitFor();
  return tableOf(page).evaluate((table) =>
    [...table.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((cell) => (cell.textContent ?? '').replace('–', '')),
    ),
  );
}

/** The values of the parks as the table shows them, asked with the client; by default those of the main measure. */
async function readFromService(
  features: readonly string[],
  period: { readonly start?: string },
  supporting?: string,
): Promise<string[][]> {
  const values = await client
    .metricValues({
      catalogId: 'nps',
      metricId: 'foot_traffic_monthly',
      featureFilter: features,
      ...(period.start === undefined ? {} : { observationPeriodFilter: period }),
    })
    .all();
  const format = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const rows = Map.groupBy(values, ({ observationPeriod: { start } }) =>
    Date.UTC(start.year, start.month - 1),
  );
  return [...rows]
    .toSorted(([one], [other]) => one - other)
    .map(([month, of]) => [
      format.format(month),
      ...features.map((id) => {
        const found = of.find(({ mapFeatureV2 }) => mapFeatureV2.featureId === id);
        const measure =
          supporting === undefined
            ? found?.value
            : found?.supportingValuesList.find(({ name }) => name === supporting);
        return measure?.count?.toLocaleString('en-US') ?? 'absent';
      }),
    ]);
}

/** Whether the chart has pixels of each colour. */
async function findColours(page: Page, colours: readonly string[]): Promise<boolean[]> {
  await chartOf(page).locator('canvas').waitFor();
  return Promise.all(colours.map(async (colour) => (await findColumns(page, colour)).length > 0));
}

/** The places from left (0) to right (1) at which the plot has pixels of a colour. */
function findColumns(page: Page, colour: string): Promise<number[]> {
  return chartOf(page).evaluate((element, hex) => {
    const canvas = element.querySelector('canvas');
    const plot = element.querySelector('.u-over')?.getBoundingClientRect();
    if (canvas === null || plot === undefined) throw new Error('There is no chart.');
    // A copy, because Chromium complains about a canvas that is drawn to and read often.
    const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
      willReadFrequently: true,
    });
    if (context === null) throw new Error('There is no copy of the chart.');
    context.drawImage(canvas, 0, 0);
    const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    const { left } = canvas.getBoundingClientRect();
    const scale = canvas.width / canvas.clientWidth;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const columns = new Set<number>();
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.every((part, index) => Math.abs((data[at + index] ?? -1) - part) <= 2)) {
        columns.add((at / 4) % canvas.width);
      }
    }
    return [...columns].map((x) => (x / scale + left - plot.left) / plot.width);
  }, colour);
}
