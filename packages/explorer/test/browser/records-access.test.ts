import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

const PARKS = '/datasets/ml_visitation.places/records';
const MARKUP = '<img src=x onerror="document.title=1">';

let explorer: Explorer;
let folder = '';
beforeAll(async () => {
  explorer = await openExplorer();
  folder = temporaryFolder();
  publishMarkup();
});
afterAll(async () => {
  await explorer.close();
});

test('markup in names, meanings and values stays text', async () => {
  const { page, complaints } = await explorer.open('/datasets/markup.places/records');
  await page.getByRole('heading', { name: `Places ${MARKUP}` }).waitFor();
  await page.getByRole('cell', { name: MARKUP, exact: true }).waitFor();
  await page.getByRole('button', { name: 'Open record 1', exact: true }).click();
  const panel = page.getByRole('dialog');
  await panel.getByText(`Name ${MARKUP}`).waitFor();
  await panel.getByRole('button', { name: 'Filter by this value of name' }).click();
  await page.getByRole('button', { name: `Change name is ${MARKUP}` }).click();
  await page.getByRole('combobox', { name: 'Value' }).press('ArrowDown');
  await page.getByRole('option', { name: MARKUP }).waitFor();
  await page.screenshot();
  expect(await page.title()).toContain('Locmetrics');
  expect(await page.locator('img[src=x]').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('numbers have separators but years have none, and formulas are harmless in the CSV', async () => {
  const { page } = await explorer.open('/datasets/markup.places/records');
  await page.getByRole('cell', { name: '1,234,567', exact: true }).waitFor();
  await page.getByRole('cell', { name: '1999', exact: true }).waitFor();
  const day = page.getByRole('cell', { name: 'Feb 3, 2024', exact: true });
  expect(await day.getByTitle('2024-02-03').count()).toBe(1);
  await page.getByRole('cell', { name: 'yes', exact: true }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save this page as CSV' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toBe(
    [
      '\uFEFFid,name,visits,open_year,opened,is_open',
      `a,"${MARKUP.replaceAll('"', '""')}",1234567,1999,2024-02-03,true`,
      "b,'=1+1,-5,2001,,false",
      '',
    ].join('\r\n'),
  );
});

test('the keyboard alone adds a filter, opens a record, and goes to the next page', async () => {
  const { page } = await explorer.open(`${PARKS}?size=25`);
  await page.getByRole('table').waitFor();
  const { keyboard } = page;
  await tabTo(page, '+ Add filter');
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a filter' });
  await dialog.waitFor();
  await hasFocus(page.getByRole('combobox', { name: 'Field' }));
  await keyboard.type('park_type');
  await chooseByArrow(page.getByRole('option', { name: /^park_type / }));
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await hasFocus(page.getByRole('combobox', { name: 'Value' }));
  await keyboard.type('national park');
  await chooseByArrow(page.getByRole('option', { name: 'National Park', exact: true }));
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change park_type is National Park' }).waitFor();
  const range = page.getByRole('navigation', { name: 'Pages' }).getByRole('status');
  await range.getByText('Records 1–25 of').waitFor();

  await tabTo(page, '1');
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo(page, 'Next →');
  await keyboard.press('Enter');
  await range.getByText('Records 26–').waitFor();
  await tabTo(page, '✕', { backwards: true });
  await keyboard.press('Enter');
  await range.getByText('of 63').waitFor();
});

test('on a phone the page does not scroll sideways', async () => {
  const filters = encodeURIComponent(
    JSON.stringify([
      { fieldName: 'region', operator: 'in', values: ['CA', 'AK', 'UT', 'AZ', 'CO'] },
      { fieldName: 'location_name', operator: 'contains', value: 'national park '.repeat(8) },
    ]),
  );
  const context = { viewport: { width: 390, height: 844 } };
  for (const path of [PARKS, `${PARKS}?filters=${filters}&box=[-170,20,-60,72]`]) {
    const { page } = await explorer.open(path, { context });
    await page.getByRole('table').waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('combobox', { name: 'Field' }).waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }
});

test.for(['light', 'dark'] as const)(
  'axe finds nothing serious in %s colours',
  async (colorScheme) => {
    const filters = encodeURIComponent(
      JSON.stringify([{ fieldName: 'region', operator: '!=', value: 'CA' }]),
    );
    const { page } = await explorer.open(`${PARKS}?filters=${filters}&order=city`, {
      context: { colorScheme },
    });
    await page.getByRole('table').waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    await page.getByRole('button', { name: /^Columns/ }).click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Change region is not CA' }).click();
    await page.getByRole('dialog', { name: 'Change the filter' }).waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open record 1', exact: true }).click();
    await page.getByRole('dialog').getByText('Filter by this value').first().waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    await page.goto(`${explorer.url}/#${PARKS}?filters=${filters.replace('CA', '')}`);
    await page.getByRole('alert').waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
  },
);

test('a grant hides a field from columns, filters and records, and its records from the total', async () => {
  const token = createReader('coast', [
    '--filter',
    'region == CA',
    '--field',
    'location_id,location_name,region,latitude',
  ]);
  const { page, complaints } = await explorer.open(PARKS, { token });
  await page.getByRole('navigation', { name: 'Pages' }).getByText('Records 1–9 of 9').waitFor();
  await expect.poll(() => page.getByRole('columnheader').count()).toBe(5);
  await page.getByRole('button', { name: 'Columns: 4 of 4' }).click();
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(4);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('option').first().waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(4);
  // Their names are all of their text.
  expect(await findAccessProblems(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'Field' }).fill('city');
  await page.getByText('No field has this in its name or description.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open record 1', exact: true }).click();
  const panel = page.getByRole('dialog');
  await panel.getByText('Code of the park in the National Park Service.').waitFor();
  await expect.poll(() => panel.getByRole('term').count()).toBe(4);
  expect(complaints).toEqual([]);

  const { page: shared } = await explorer.open(`${PARKS}?fields=["city"]`, { token });
  expect(await shared.getByRole('alert').textContent()).toContain("Unknown field 'city'");
  await shared.getByRole('button', { name: 'Show the columns and the order' }).click();
  await shared.getByRole('columnheader', { name: 'latitude' }).waitFor();
});

test('pages whose rights changed start again, and say so', async () => {
  const token = createReader('reader', [], 'ml_visitation.*');
  const { page } = await explorer.open(`${PARKS}?size=25`, { token });
  const range = page.getByRole('navigation', { name: 'Pages' }).getByRole('status');
  await range.getByText('Records 1–25 of 63').waitFor();
  runOnSample(explorer.sample, [
    'grant',
    'add',
    'reader',
    'ml_visitation.places',
    '--filter',
    'region != AK',
  ]);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Back to the first page').waitFor();
  await range.getByText(/^Records 1–25 of 5\d$/).waitFor();
});

test('a version that is published meanwhile is told, and shown if asked for', async () => {
  const { page } = await explorer.open('/datasets/markup.places/records');
  await page.getByRole('cell', { name: '1,234,567', exact: true }).waitFor();
  publishMarkup('c,New place,7,2020,,true\n');
  // The way back to the view asks again what is published, as it does by itself each minute.
  await page.getByRole('columnheader', { name: 'visits' }).getByRole('button').click();
  await page.getByText('A new version was published in the meantime.').waitFor();
  await page.getByRole('cell', { name: 'New place', exact: true }).waitFor();
});

/** Goes on with Tab until the control with this text has the focus. */
async function tabTo(page: Page, text: string, { backwards = false } = {}): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press(backwards ? 'Shift+Tab' : 'Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim());
    if (focused === text) return;
  }
  throw new Error(`Tab does not reach '${text}'.`);
}

async function hasFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((one) => one === document.activeElement)).toBe(true);
}

/** Goes down in a list, which may still be narrowed, until this option is marked, and takes it. */
async function chooseByArrow(option: Locator): Promise<void> {
  const { keyboard } = option.page();
  await option.waitFor();
  while ((await option.getAttribute('data-focused')) === null) await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
}

/** By how much the page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - innerWidth);
}

/** A token of an organisation of its own with a grant of the parks. */
function createReader(
  org: string,
  grant: readonly string[],
  pattern = 'ml_visitation.places',
): string {
  runOnSample(explorer.sample, ['org', 'create', org, '--id', org]);
  runOnSample(explorer.sample, ['grant', 'add', org, pattern, ...grant]);
  return runOnSample(explorer.sample, ['token', 'create', '--org', org, '--name', 'test']).trim();
}

/** Publishes a dataset with markup in its names, its meanings and its values. */
function publishMarkup(more = ''): void {
  const quoted = JSON.stringify;
  writeFileSync(
    join(folder, 'places.csv'),
    [
      'id,name,visits,open_year,opened,is_open',
      `a,"${MARKUP.replaceAll('"', '""')}",1234567,1999,2024-02-03,true`,
      'b,=1+1,-5,2001,,false',
      more,
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'locmetrics.yaml'),
    [
      'format: 1',
      'datasets:',
      '  markup.places:',
      `    display_name: ${quoted(`Places ${MARKUP}`)}`,
      '    files: places.csv',
      '    key: [id]',
      '    fields:',
      '      id: { type: string }',
      `      name: { type: string, description: ${quoted(`Name ${MARKUP}`)} }`,
      '      visits: { type: integer }',
      '      open_year: { type: integer }',
      '      opened: { type: date }',
      '      is_open: { type: boolean }',
      '',
    ].join('\n'),
  );
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
}
