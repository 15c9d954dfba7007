import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';

const PARKS = '/datasets/ml_visitation.places/records';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

test('a value is offered while it is typed, and the filter gives the total of the service', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await chooseField(page, 'us_state', 'Name of that state');
  await page.getByRole('combobox', { name: 'Value' }).fill('cal');
  await page.getByRole('option', { name: 'California' }).click();
  await page.getByRole('button', { name: 'Add the filter' }).click();
  await page.getByRole('button', { name: 'Change us_state is California' }).waitFor();
  await expectRange(page, 'Records 1–8 of 8');
  const filters = [{ fieldName: 'us_state', operator: '==', value: 'California' }];
  expect(await countOf('ml_visitation.places', filters)).toBe(8);
  await expect.poll(() => cells(page, 'region')).toEqual(Array.from({ length: 8 }, () => 'CA'));
  expect(complaints).toEqual([]);
});

test('offered values are those that the other filters leave, and a long list says that it is cut', async () => {
  const { page } = await explorer.open(PARKS);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await chooseField(page, 'location_name');
  await page.getByRole('combobox', { name: 'Value' }).click();
  await page.getByText('The first 20 are shown: type to find more.').waitFor();
  const filters = [{ fieldName: 'region', operator: '==', value: 'ME' }];
  const { page: other } = await explorer.open(addressOf(PARKS, { filters }));
  await expectRange(other, 'Records 1–1 of 1');
  await other.getByRole('button', { name: 'Add filter' }).click();
  await chooseField(other, 'location_name');
  await other.getByRole('combobox', { name: 'Value' }).click();
  await other.getByRole('option', { name: 'Acadia National Park' }).waitFor();
  await expect.poll(() => other.getByRole('option').count()).toBe(1);
});

test('a filter has the operators of its field, is changed at its place, and removed', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await chooseField(page, 'latitude');
  await chooseCondition(page, 'is at least (>=)');
  await page.getByRole('textbox', { name: 'Value' }).fill('60');
  await page.getByRole('button', { name: 'Add the filter' }).click();
  await page.getByRole('button', { name: 'Change latitude is at least 60' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('65');
  await page.getByRole('button', { name: 'Change the filter' }).click();
  await page.getByRole('button', { name: 'Change latitude is at least 65' }).waitFor();
  const north = await countOf('ml_visitation.places', [
    { fieldName: 'latitude', operator: '>=', value: '65' },
  ]);
  await expectRange(page, `Records 1–${north} of ${north}`);

  await page.getByRole('button', { name: 'Add filter' }).click();
  await chooseField(page, 'region');
  await chooseCondition(page, 'is one of (in)');
  await page.getByRole('combobox', { name: 'Value' }).fill('A');
  await page.getByRole('option', { name: 'AK', exact: true }).click();
  await page.getByRole('button', { name: 'Take out AK' }).waitFor();
  // A value that no record of the other filter has.
  await page.getByRole('combobox', { name: 'Value' }).fill('CA');
  await page.getByText('No value contains this text.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add value' }).click();
  await page.getByRole('button', { name: 'Take out CA' }).waitFor();
  await page.getByRole('button', { name: 'Add the filter' }).click();
  await page.getByRole('button', { name: 'Change region is one of AK, CA' }).waitFor();

  await page.getByRole('button', { name: 'Add filter' }).click();
  await chooseField(page, 'is_obfuscated');
  await page.getByRole('button', { name: 'Add the filter' }).click();
  await page.getByText('No record matches all of the filters.').waitFor();
  await page.getByRole('button', { name: 'Remove is_obfuscated is yes' }).click();
  await expectRange(page, `Records 1–${north} of ${north}`);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expectRange(page, 'Records 1–50 of 63');
  expect(complaints).toEqual([]);
});

test('a filter on a date takes a day, and one for absent values takes none', async () => {
  const { page } = await explorer.open('/datasets/mobility.state_day/records');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await chooseField(page, 'observation_date');
  await chooseCondition(page, 'is on or after (>=)');
  await page.getByLabel('Value', { exact: true }).fill('2021-03-01');
  await page.getByRole('button', { name: 'Add the filter' }).click();
  await page.getByRole('button', { name: /^Change .* is on or after Mar 1, 2021$/ }).waitFor();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await chooseField(page, 'm50');
  await chooseCondition(page, 'is empty');
  await page.getByRole('button', { name: 'Add the filter' }).click();
  await page.getByRole('button', { name: 'Change m50 is empty' }).waitFor();
  const total = await countOf('mobility.state_day', [
    { fieldName: 'observation_date', operator: '>=', value: '2021-03-01' },
    { fieldName: 'm50', operator: 'is_empty' },
  ]);
  await expectRange(page, `of ${total.toLocaleString('en-US')}`);
});

test('a heading orders by its column: ascending, descending, and as before', async () => {
  const { page } = await explorer.open(PARKS);
  const heading = page.getByRole('columnheader', { name: 'latitude' });
  const press = (): Promise<void> => heading.getByRole('button').click();
  await press();
  await heading.and(page.locator('[aria-sort=ascending]')).waitFor();
  await expect.poll(async () => (await cells(page, 'location_id'))[0]).toBe('NPSA');
  await press();
  await heading.and(page.locator('[aria-sort=descending]')).waitFor();
  await expect.poll(async () => (await cells(page, 'location_id'))[0]).toBe('GAAR');
  await press();
  await expect.poll(async () => (await cells(page, 'location_id'))[0]).toBe('ACAD');
  expect(await heading.getAttribute('aria-sort')).toBeNull();
});

test('a press on a row opens no other record while the records of another order are on their way', async () => {
  const { page } = await explorer.open(PARKS);
  const acadia = page.getByRole('cell', { name: 'Acadia National Park' });
  await acadia.waitFor();
  const arrived = Promise.withResolvers<void>();
  await page.route('**/v3/catalog/listRecords', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.getByRole('columnheader', { name: 'latitude' }).getByRole('button').click();
  await page.locator('[aria-busy=true]').filter({ has: acadia }).waitFor();
  await acadia.click();
  await page.getByRole('button', { name: 'Open record 1', exact: true }).click();
  arrived.resolve();
  await expect.poll(async () => (await cells(page, 'location_id'))[0]).toBe('NPSA');
  expect(page.url()).not.toContain('record=');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('records with equal values are ordered by further fields: with Shift, or from a list', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  const heading = (name: RegExp) =>
    page.getByRole('columnheader', { name }).getByRole('button', { name });
  const first = async () => (await cells(page, 'location_id'))[0];
  await heading(/^park_type$/).click();
  await heading(/^latitude$/).click({ modifiers: ['Shift'] });
  await heading(/^latitude number 2 of the order, ascending$/).press('Shift+Enter');
  await heading(/^latitude number 2 of the order, descending$/).waitFor();
  const text = () => page.getByRole('columnheader', { name: 'latitude' }).textContent();
  expect(await text()).toContain('↓2');
  await expect.poll(() => page.url()).toContain('order=park_type&thenBy=%5B%22-latitude%22%5D');
  await page.getByText('The call', { exact: true }).click();
  const call = page.getByRole('region', { name: 'The call' });
  await call.getByText(/"thenBy": \[\{"fieldName": "latitude", "direction": "DESC"\}\]/).waitFor();
  // It has a table, too.
  await page.getByText('The call', { exact: true }).click();
  const options = {
    orderBy: { fieldName: 'park_type' },
    thenBy: [{ fieldName: 'latitude', direction: 'DESC' }],
  };
  const request = { dataReferenceName: 'ml_visitation.places', fields: ['location_id'], options };
  const { records } = await list(request);
  await expect.poll(first).toBe(records[0]?.fields['location_id']);
  // A finger has no Shift.
  await page.getByRole('button', { name: /Then by…/ }).click();
  await page.getByRole('option', { name: 'latitude ↓2' }).click();
  await heading(/^latitude$/).waitFor();
  expect(page.url()).not.toContain('thenBy');
  expect(complaints).toEqual([]);
});

test('pages go to the last and back, each with other records', async () => {
  const { page } = await explorer.open(addressOf(PARKS, { size: 25 }));
  await expectRange(page, 'Records 1–25 of 63');
  const first = await cells(page, 'location_id');
  await page.getByRole('button', { name: 'Next' }).click();
  await expectRange(page, 'Records 26–50 of 63');
  await page.getByRole('button', { name: 'Next' }).click();
  await expectRange(page, 'Records 51–63 of 63');
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  expect((await cells(page, 'location_id')).at(-1)).toBe('ZION');
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expectRange(page, 'Records 1–25 of 63');
  expect(await cells(page, 'location_id')).toEqual(first);
});

test('an address shows the same page and the same open record to another reader', async () => {
  const { page } = await explorer.open(addressOf(PARKS, { size: 25 }));
  await page.getByRole('button', { name: 'Next' }).click();
  await expectRange(page, 'Records 26–50 of 63');
  const [, second] = await cells(page, 'location_id');
  await page.getByRole('button', { name: 'Open record 27', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByText(second ?? '', { exact: true })
    .waitFor();
  const { page: other } = await explorer.open(new URL(page.url()).hash.slice(1));
  await other
    .getByRole('dialog')
    .getByText(second ?? '', { exact: true })
    .waitFor();
  await other.keyboard.press('Escape');
  await expectRange(other, 'Records 26–50 of 63');
  await other.getByRole('button', { name: 'Previous' }).click();
  await expectRange(other, 'Records 1–25 of 63');
});

test('a request that nobody waits for any more is cancelled', async () => {
  const { page } = await explorer.open('/datasets/ml_visitation.places');
  // Never answered, as if the service took long.
  await page.route('**/v3/catalog/listRecords', () => {});
  // The overview asks for other records.
  const asked = page.waitForRequest(
    (request) =>
      request.url().endsWith('/v3/catalog/listRecords') &&
      request.postDataJSON().pageSize !== undefined,
  );
  await page.getByRole('link', { name: 'Records', exact: true }).click();
  const request = await asked;
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect.poll(() => request.failure()?.errorText).toBe('net::ERR_ABORTED');
});

test('an address shows the same records to another reader', async () => {
  const { page } = await explorer.open(PARKS);
  await page.getByRole('button', { name: /^Columns/ }).click();
  await page
    .getByRole('dialog', { name: 'Columns' })
    .getByText('placekey', { exact: true })
    .click();
  await page.getByRole('checkbox', { name: 'placekey', checked: false }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'longitude' }).getByRole('button').click();
  await page.getByRole('button', { name: 'Records per page' }).click();
  await page.getByRole('option', { name: '25 per page' }).click();
  await expectRange(page, 'Records 1–25 of 63');
  await expect.poll(async () => (await cells(page, 'location_id'))[0]).toBe('NPSA');
  const { hash } = new URL(page.url());
  expect(Object.keys(Object.fromEntries(new URLSearchParams(hash.split('?')[1])))).toEqual(
    expect.arrayContaining(['fields', 'order', 'size']),
  );
  const other = await explorer.open(hash.slice(1));
  await expectRange(other.page, 'Records 1–25 of 63');
  const rows = (of: Page): Promise<readonly string[]> => of.getByRole('row').allTextContents();
  const shown = await rows(page);
  await expect.poll(() => rows(other.page)).toEqual(shown);
  expect(await other.page.getByRole('columnheader', { name: 'placekey' }).count()).toBe(0);
});

test('a damaged address says which part is damaged', async () => {
  const { page } = await explorer.open(`${PARKS}?size=7`);
  expect(await page.getByRole('alert').textContent()).toContain("'size' in the address is 7");
});

test('a record opens in full, gives its JSON and a filter, and the focus returns', async () => {
  const { page, complaints } = await explorer.open(PARKS, {
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await page.getByRole('cell', { name: 'Arches National Park' }).waitFor();
  const open = page.getByRole('button', { name: 'Open record 2', exact: true });
  await open.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Arches National Park' });
  // A field that is not included by default.
  await panel.getByText('Intermountain').waitFor();
  await panel.getByText('State of the address, two letters.').waitFor();
  await panel.getByRole('button', { name: 'Copy as JSON' }).click();
  await panel.getByRole('button', { name: 'Copied' }).waitFor();
  const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied).toMatchObject({ location_id: 'ARCH', is_obfuscated: false });
  expect(await panel.getByRole('link', { name: 'Show on the map' }).getAttribute('href')).toContain(
    '/datasets/ml_visitation.places/map?',
  );
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true);

  await page.getByRole('cell', { name: 'Arches National Park' }).click();
  await panel.getByRole('button', { name: 'Filter by this value of region' }).click();
  await page.getByRole('button', { name: 'Change region is UT' }).waitFor();
  await expectRange(page, 'Records 1–5 of 5');
  expect(complaints).toEqual([]);
});

test('a refused filter says at its place why, and what to do', async () => {
  const filters = [
    { fieldName: 'region', operator: '==', value: 'CA' },
    { fieldName: 'latitude', operator: '>=', value: 'north' },
  ];
  const { page } = await explorer.open(addressOf(PARKS, { filters }));
  const refused = page.getByRole('listitem').filter({ hasText: 'latitude is at least north' });
  await refused.getByRole('alert').waitFor();
  expect(await refused.getByRole('alert').textContent()).toBe(
    "The value 'north' does not fit the float field 'latitude'. Send a finite number such as 8.331.",
  );
  await expect.poll(() => page.getByRole('alert').count()).toBe(1);
  await page.getByRole('button', { name: 'Change latitude is at least north' }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('37');
  await page.getByRole('button', { name: 'Change the filter' }).click();
  await page.getByRole('table').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('a box is a part of the selection: it leads to the map, and is removed like a filter', async () => {
  const { page } = await explorer.open(addressOf(PARKS, { box: [-124.5, 32.5, -114.1, 42] }));
  const chip = page.getByRole('listitem').filter({ hasText: 'in the box' });
  expect(await chip.textContent()).toContain('32.50° N to 42.00° N, 124.50° W to 114.10° W');
  expect(await chip.getByRole('link').getAttribute('href')).toContain('/map?box=');
  const options = { boundingBox: { minLng: -124.5, minLat: 32.5, maxLng: -114.1, maxLat: 42 } };
  const inside = await countOf('ml_visitation.places', [], options);
  await expectRange(page, `Records 1–${inside} of ${inside}`);
  await chip.getByRole('button', { name: /^Remove/ }).click();
  await expectRange(page, 'Records 1–50 of 63');
});

test('the page is saved as CSV with the columns that it shows', async () => {
  const { page } = await explorer.open(
    addressOf(PARKS, { fields: ['location_id', 'longitude', 'us_cbsa_2023'], size: 25 }),
  );
  await expectRange(page, 'Records 1–25 of 63');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save this page as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('ml_visitation.places-1-25.csv');
  const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
  expect(lines.slice(0, 2)).toEqual([
    '\uFEFFlocation_id,longitude,us_cbsa_2023',
    'ACAD,-68.247501,',
  ]);
  expect(lines).toHaveLength(27);
});

test('of many columns, those with a word in their name are shown alone', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  await page.getByRole('button', { name: /^Columns/ }).click();
  await page.getByRole('textbox', { name: 'Find columns' }).fill('itude');
  await page.getByRole('button', { name: 'Only these 2' }).click();
  await page.getByRole('button', { name: 'Columns: 2 of 23' }).waitFor();
  expect(new URLSearchParams(page.url().split('?')[1]).get('fields')).toBe(
    '["latitude","longitude"]',
  );
  expect(complaints).toEqual([]);
});

/** Chooses a field by a part of its name or meaning. */
async function chooseField(page: Page, name: string, typed = name): Promise<void> {
  await page.getByRole('combobox', { name: 'Field' }).fill(typed);
  await page.getByRole('option', { name: new RegExp(`^${name} `) }).click();
}

async function chooseCondition(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Condition' }).click();
  await page.getByRole('option', { name: label, exact: true }).click();
}

/** Waits until the pager says which records are shown. */
async function expectRange(page: Page, text: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByText(text).waitFor();
}

/** The texts of a column. */
async function cells(page: Page, column: string): Promise<readonly string[]> {
  return await page.getByRole('table').evaluate((table, name) => {
    const headings = [...table.querySelectorAll('thead th')];
    const index = headings.findIndex((th) => th.textContent?.startsWith(`${name}`));
    return [...table.querySelectorAll('tbody tr')].map(
      (row) => row.children[index]?.textContent ?? '',
    );
  }, column);
}

function addressOf(path: string, state: Readonly<Record<string, unknown>>): string {
  const query = Object.entries(state).map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return `${path}?${query.join('&')}`;
}

/** The total that the service itself gives. */
async function countOf(
  dataReferenceName: string,
  filters: readonly Readonly<Record<string, string>>[],
  options: object = {},
): Promise<number> {
  return (await list({ dataReferenceName, filters, options, countOnly: true })).totalSize;
}

/** An answer of the service itself, as the contract describes it. */
type Listed = {
  readonly totalSize: number;
  readonly records: readonly { readonly fields: Readonly<Record<string, string>> }[];
};

async function list(request: object): Promise<Listed> {
  const response = await fetch(`${explorer.url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${explorer.sample.environment['LOCMETRICS_TOKEN']}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(request),
  });
  return (await response.json()) as Listed;
}
