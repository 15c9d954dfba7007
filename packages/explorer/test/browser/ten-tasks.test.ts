import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type ListRecordsResponse } from '@locmetrics/client';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { queryFiles } from '../../../locmetrics/test/support/query-files.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { type Actions, actionsOf, startCounting } from './count-actions.ts';
import { daysOfCounties, publishCounties } from './counties.ts';
import { type Explorer, openExplorer } from './explorer.ts';
import { publishShops } from './shops.ts';

/**
 * What people come to the explorer for. Each task begins at the first page, is done with the pointer, and has a number of
 * clicks and of texts to type. The answers are compared with the files that were published.
 */
const SOURCES = join(import.meta.dirname, '..', '..', '..', 'locmetrics', 'sample', 'data');
const PARK_MONTHS = join(SOURCES, 'foot_traffic_month.csv.gz');
const PARKS = join(SOURCES, 'places.csv');
const NEIGHBORHOODS = join(SOURCES, 'neighborhoods.parquet');

let explorer: Explorer;
let token = '';
beforeAll(async () => {
  explorer = await openExplorer();
  publishCounties(explorer.sample);
  const scopes = 'catalog,metrics,usage,admin';
  const made = ['token', 'create', '--org', 'demo', '--name', 'tasks', '--scope', scopes, '--json'];
  token = JSON.parse(runOnSample(explorer.sample, made)).token;
});
afterAll(() => explorer.close());

test('the busiest place of a month', async () => {
  const { page, done } = await begin();
  await page.getByRole('link', { name: 'Metrics', exact: true }).click();
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'National park visits', exact: true }).click();
  await choose(page, 'Period: month', 'July');
  await page
    .getByRole('heading', { name: /^Recreation visits in July / })
    .first()
    .waitFor();
  await choose(page, 'Period: year', '2016');
  await page
    .getByRole('heading', { name: 'Recreation visits in July 2016, compared with July 2015' })
    .waitFor();
  const [busiest] = await queryFiles(
    `SELECT location_name, visits_sum FROM '${PARK_MONTHS}'
    WHERE observation_start_date = '2016-07-01' ORDER BY visits_sum DESC LIMIT 1`,
  );
  // The rows of the year before stay until those of 2016 are read.
  await expect
    .poll(() => firstRow(page).locator('td').nth(3).textContent())
    .toBe(Number(busiest?.['visits_sum']).toLocaleString('en-US'));
  expect(await firstRow(page).textContent()).toContain(busiest?.['location_name']);
  await done({ clicks: 6, typed: 0 });
});

test('three places over the years', async () => {
  const { page, done } = await begin();
  await page.getByRole('link', { name: 'Metrics', exact: true }).click();
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'National park visits', exact: true }).click();
  for (const name of ['Zion', 'Yosemite', 'Acadia']) {
    await page.getByRole('searchbox', { name: 'Find in the list' }).fill(name);
    await listOf(page)
      .getByRole('button', { name: new RegExp(`^${name} National Park`) })
      .click();
  }
  await choose(page, 'Show', 'Totals per year');
  const table = page.getByRole('table', { name: /^Values of/ });
  await table.getByRole('cell', { name: '2019', exact: true }).waitFor();
  const years = await queryFiles(
    `PIVOT (SELECT year(observation_start_date)::INTEGER AS year, location_id, visits_sum FROM '${PARK_MONTHS}'
      WHERE location_id IN ('ZION', 'YOSE', 'ACAD'))
    ON location_id IN ('ZION', 'YOSE', 'ACAD') USING sum(visits_sum) ORDER BY year DESC`,
  );
  await expect
    .poll(() => cellsOf(table))
    .toEqual(
      years.map(({ year, ZION, YOSE, ACAD }) => [
        String(year),
        ...[ZION, YOSE, ACAD].map((value) => Number(value).toLocaleString('en-US')),
      ]),
    );
  await done({ clicks: 7, typed: 3 });
});

test('the area that fell most between two periods', async () => {
  const { page, done } = await begin();
  await page.keyboard.press('/');
  await page.keyboard.type('mobility of count');
  const option = page.getByRole('option', { name: /^Mobility of counties/ });
  await option.waitFor();
  await listed(page);
  await option.click();
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
  const file = join(temporaryFolder(), 'days.csv');
  writeFileSync(file, daysOfCounties());
  const [fallen] = await queryFiles(
    `SELECT name || state AS name, round(100 * (avg(mobility) FILTER (month(day) = 4)
      / avg(mobility) FILTER (month(day) = 3) - 1), 1) AS percent
    FROM '${file}' GROUP BY name, state, fips ORDER BY percent LIMIT 1`,
  );
  await expect
    .poll(() => firstRow(page).textContent())
    .toContain(`${Number(fallen?.['percent']).toFixed(1)} %`);
  expect(await firstRow(page).textContent()).toContain(fallen?.['name']);
  await page.getByText('No sums: the values of Mobility cannot be added up.').waitFor();
  // It is in the chart already, and the address has all of it.
  const places = page.getByRole('list', { name: 'Places of the chart' });
  await expect.poll(() => places.getByRole('listitem').first().textContent()).toContain('County 2');
  expect(page.url()).toMatch(/\?at=2020-04-01&sort=percent$/);
  await done({ clicks: 3, typed: 1 });
});

test('a map coloured by a value, filtered, with a box', async () => {
  const { page, done } = await begin();
  await page.getByRole('link', { name: 'Neighborhoods', exact: true }).click();
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await choose(page, 'Colour by', 'Mean of population');
  await page.getByRole('button', { name: '+ Add filter' }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('population');
  await page.getByRole('option', { name: /^population / }).click();
  await choose(page, 'Condition', 'is more than (>)');
  await page.getByLabel('Value', { exact: true }).fill('3000');
  await page.getByRole('button', { name: 'Add the filter' }).click();
  await page.getByRole('button', { name: 'Remove population is more than 3000' }).waitFor();
  await drawn(page);
  await page.getByRole('button', { name: 'Draw a box' }).click();
  await dragAcross(page.getByRole('region', { name: 'Map', exact: true }));
  const link = page.getByRole('link', { name: /^Show [\d,]+ records$/ });
  await link.waitFor();
  const box = JSON.parse(new URLSearchParams(page.url().split('?')[1]).get('box') ?? '');
  const [west, south, east, north] = box.map(Number);
  const [expected] = await queryFiles(
    `SELECT count(*)::INTEGER AS count FROM '${NEIGHBORHOODS}' WHERE population > 3000
    AND longitude BETWEEN ${west} AND ${east} AND latitude BETWEEN ${south} AND ${north}`,
  );
  expect(Number(expected?.['count'])).toBeGreaterThan(100);
  expect(await link.textContent()).toBe(
    `Show ${Number(expected?.['count']).toLocaleString('en-US')} records`,
  );
  await page
    .getByRole('region', { name: 'Legend' })
    .getByText(/^Mean of population in each cell/)
    .waitFor();
  await done({ clicks: 11, typed: 2 });
});

test('one place by its name', async () => {
  const { page, done } = await begin();
  await page.keyboard.press('/');
  await page.keyboard.type('yosemite');
  const option = page.getByRole('option', { name: /^Yosemite National Park/ }).first();
  await option.waitFor();
  await listed(page);
  await option.click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'National park visits', level: 1 }).waitFor();
  const [latest] = await queryFiles(
    `SELECT visits_sum FROM '${PARK_MONTHS}' WHERE location_id = 'YOSE'
    ORDER BY observation_start_date DESC LIMIT 1`,
  );
  const table = page.getByRole('table', { name: /^Values of/ });
  await table.getByRole('columnheader', { name: 'Yosemite National Park' }).waitFor();
  await expect
    .poll(async () => (await cellsOf(table))[0]?.[1])
    .toBe(Number(latest?.['visits_sum']).toLocaleString('en-US'));
  await done({ clicks: 1, typed: 1 });
});

test('save all of what is shown', async () => {
  const { page, done } = await begin();
  // The chooser of files is not for scripts.
  await page.evaluate(() => Object.assign(globalThis, { showSaveFilePicker: undefined }));
  await page.getByRole('link', { name: 'National parks', exact: true }).click();
  await page.getByRole('link', { name: 'Records', exact: true }).click();
  await page.getByRole('button', { name: 'Save all…' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  const columns = 'location_id, location_name, latitude::DOUBLE AS latitude';
  const saved = `SELECT ${columns} FROM read_csv('${await download.path()}') ORDER BY location_id`;
  const source = `SELECT ${columns} FROM read_csv('${PARKS}') ORDER BY location_id`;
  expect(await queryFiles(saved)).toEqual(await queryFiles(source));
  await done({ clicks: 4, typed: 0 });
});

test('copy the call, and run it', async () => {
  const { page, done } = await begin({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('link', { name: 'National parks', exact: true }).click();
  await page.getByRole('link', { name: 'Records', exact: true }).click();
  await page.getByRole('button', { name: 'latitude' }).click();
  await page.getByText('The call', { exact: true }).click();
  const call = page.getByRole('region', { name: 'The call' });
  await call
    .getByText(/"latitude"/)
    .first()
    .waitFor();
  await call.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = spawnSync('bash', ['-c', copied], {
    env: { ...process.env, ...explorer.sample.environment },
    encoding: 'utf8',
  });
  const { records }: ListRecordsResponse = JSON.parse(stdout);
  const southernmost = await queryFiles(
    `SELECT location_name FROM '${PARKS}' ORDER BY latitude LIMIT 10`,
  );
  expect(records.slice(0, 10).map(({ fields }) => fields['location_name'])).toEqual(
    southernmost.map((row) => row['location_name']),
  );
  await done({ clicks: 5, typed: 0 });
});

test('give a customer two states, and see what they see', async () => {
  const { page, done } = await begin();
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('City of Somewhere');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('status').getByText('City of Somewhere was created').waitFor();
  await page.getByText('It sees no dataset.').waitFor();
  await page.getByRole('link', { name: 'Add a grant' }).click();
  await choose(page, 'Dataset or metric', 'ml_visitation.places');
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await choose(page, 'Field', 'region');
  for (const state of ['CA', 'NV']) {
    await page.getByRole('combobox', { name: 'Values' }).fill(state);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${state}`, exact: true }).waitFor();
  }
  const words = page.getByRole('region', { name: 'What it allows' });
  await words.getByText('Only where region is one of CA, NV.').waitFor();
  await words.getByRole('button', { name: 'Add the grant' }).click();
  const [expected] = await queryFiles(
    `SELECT count(*)::INTEGER AS count, list(location_name ORDER BY location_name) AS names
    FROM '${PARKS}' WHERE region IN ('CA', 'NV')`,
  );
  await page.getByText(new RegExp(`^${expected?.['count']} records with`)).waitFor();
  await page.getByRole('cell', { name: 'Yosemite National Park' }).first().waitFor();
  await done({ clicks: 10, typed: 3 });
  // The customer itself sees just these.
  const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
  const made = ['token', 'create', '--org', id, '--name', 'reader', '--scope', 'catalog', '--json'];
  const seen = await fetch(`${explorer.url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${JSON.parse(runOnSample(explorer.sample, made)).token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ dataReferenceName: 'ml_visitation.places', pageSize: 100 }),
  });
  const { records }: ListRecordsResponse = await seen.json();
  expect(records.map(({ fields }) => fields['location_name']).toSorted()).toEqual(
    expected?.['names'],
  );
});

test('the usage of a customer, and a limit', async () => {
  runOnSample(explorer.sample, ['org', 'create', 'Limited', '--id', 'limited']);
  runOnSample(explorer.sample, ['grant', 'add', 'limited', 'mobility.states']);
  const made = [...['token', 'create', '--org', 'limited', '--name', 'reader'], '--json'];
  const customer = JSON.parse(runOnSample(explorer.sample, made)).token;
  const client = createClient({ url: explorer.url, token: customer });
  for (let request = 0; request < 3; request += 1) {
    await client.listRecords({ dataReferenceName: 'mobility.states', pageSize: 40 });
  }
  const { page, done } = await begin();
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByRole('link', { name: 'Limited' }).click();
  const limits = page.getByRole('region', { name: 'Limits' });
  await limits.getByText('120 rows in 3 requests').waitFor();
  await page.getByRole('button', { name: 'Change limits' }).click();
  await page.getByRole('dialog').getByLabel('Rows in a month').fill('1,000');
  await page.getByRole('dialog').getByRole('button', { name: 'Set limits' }).click();
  await page.getByRole('status').getByText('The limits of Limited were set').waitFor();
  const listed = JSON.parse(runOnSample(explorer.sample, ['limits', 'list', 'limited', '--json']));
  expect(listed).toMatchObject({ limits: [{ rowsPerMonth: 1000 }] });
  await done({ clicks: 4, typed: 1 });
  // The customer reads the same, with one click.
  const other = await explorer.open('/datasets', { token: customer });
  await other.page.getByRole('link', { name: 'Usage', exact: true }).click();
  await other.page.getByText('120 used, 880 left').waitFor();
});

test('what the last publish changed, and back', async () => {
  publishShops(explorer.sample, ['1,Blue', '2,Red', '3,Grey']);
  publishShops(explorer.sample, ['1,Navy', '2,Red', '4,Green']);
  const { page, done } = await begin();
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByRole('link', { name: 'Versions', exact: true }).click();
  await page.getByRole('link', { name: 'town.shops' }).click();
  await page.getByRole('button', { name: /^Compare/ }).click();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await comparison.getByText('1: name was “Blue”, and is “Navy”.').waitFor();
  await page.getByRole('button', { name: /^Switch back to/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch back' }).click();
  await page.getByRole('status').getByText('town.shops was switched back').waitFor();
  const records = await fetch(`${explorer.url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dataReferenceName: 'town.shops' }),
  });
  const answer: ListRecordsResponse = await records.json();
  expect(answer.records.map(({ fields }) => fields['name'])).toEqual(['Blue', 'Red', 'Grey']);
  await done({ clicks: 6, typed: 0 });
});

/** Opens the first page, and counts what is done in it. `done` compares that with what the task took so far. */
async function begin(context = {}) {
  const { page, complaints } = await explorer.open('/datasets', { token, context });
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  await startCounting(page);
  return {
    page,
    done: async (limit: Actions): Promise<void> => {
      expect(await actionsOf(page)).toEqual(limit);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  };
}

function listOf(page: Page): Locator {
  return page.getByRole('table', { name: /: all rows$/ });
}

function firstRow(page: Page): Locator {
  return listOf(page).locator('tbody tr[aria-rowindex="2"]');
}

/** Waits until the options stay: places that are found later move them. */
async function listed(page: Page): Promise<void> {
  let before = '';
  await expect
    .poll(
      async () => {
        const last = before;
        before = await page.getByRole('listbox').innerText();
        return before === last;
      },
      { interval: 500 },
    )
    .toBe(true);
}

async function cellsOf(table: Locator): Promise<readonly (readonly string[])[]> {
  return await table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map(({ textContent }) => textContent ?? '')),
    );
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Waits until all that the map reads is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
}

async function dragAcross(map: Locator): Promise<void> {
  await map.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const { mouse } = map.page();
  await mouse.move(x + width * 0.4, y + height * 0.3);
  await mouse.down();
  await mouse.move(x + width * 0.6, y + height * 0.7, { steps: 5 });
  await mouse.up();
}
