import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { actionsOf, startCounting } from './count-actions.ts';
import { publishCounties } from './counties.ts';
import { type Explorer, openExplorer } from './explorer.ts';
import { publishShops } from './shops.ts';

/**
 * The ten tasks with nothing but a keyboard, on one page. Whether the answers are right is tested with a mouse, in
 * `ten-tasks.test.ts`; here, whether the focus gets to everything, is seen there, and is never lost.
 */
let explorer: Explorer;
let page: Page;
let complaints: readonly string[] = [];
let tabs = 0;
beforeAll(async () => {
  explorer = await openExplorer();
  publishCounties(explorer.sample);
  publishShops(explorer.sample, ['1,Blue', '2,Red']);
  publishShops(explorer.sample, ['1,Navy', '2,Red']);
  const scopes = 'catalog,metrics,usage,admin';
  const made = ['token', 'create', '--org', 'demo', '--name', 'keys', '--scope', scopes, '--json'];
  const { token } = JSON.parse(runOnSample(explorer.sample, made));
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = { viewport: { width: 1440, height: 900 }, permissions };
  ({ page, complaints } = await explorer.open('/datasets', { token, context }));
});
afterAll(() => explorer.close());

test('the busiest place of a month', async () => {
  await begin();
  await enter(link('Metrics'));
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  await enter(link('National park visits'));
  await choose('Period: month', 'July');
  await choose('Period: year', '2016');
  const july = 'Recreation visits in July 2016, compared with July 2015';
  await page.getByRole('heading', { name: july }).waitFor();
  await enter(listOf().getByRole('button', { name: /^Great Smoky Mountains/ }));
  await page.getByRole('button', { name: 'Remove Great Smoky Mountains National Park' }).waitFor();
  await done({ typed: 0, tabs: 50 });
});

test('three places over the years, taken away again', async () => {
  await begin();
  await enter(link('Metrics'));
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  await enter(link('National park visits'));
  const search = page.getByRole('searchbox', { name: 'Find in the list' });
  await tabTo(search);
  for (const name of ['Zion', 'Yosemite', 'Acadia']) {
    await page.keyboard.press('Control+a');
    await page.keyboard.type(name);
    await enter(listOf().getByRole('button', { name: new RegExp(`^${name} National Park`) }));
    await page.getByRole('button', { name: `Remove ${name} National Park` }).waitFor();
    await tabTo(search, 'Shift+Tab');
  }
  await choose('Show', 'Totals per year');
  const years = page.getByRole('table', { name: /^Values of/ });
  await years.getByRole('cell', { name: '2019', exact: true }).waitFor();
  await enter(page.getByRole('button', { name: 'Remove Zion National Park' }));
  await hasFocus(page.getByRole('button', { name: 'Remove Yosemite National Park' }));
  await done({ typed: 3, tabs: 90 });
});

test('the area that fell most between two periods', async () => {
  await begin();
  await page.keyboard.press('/');
  await hasFocus(page.getByRole('dialog').getByRole('searchbox'));
  await page.keyboard.type('mobility of counties');
  await enterOption(/^Mobility of counties/);
  await page.getByRole('heading', { name: 'Mobility of counties', level: 1 }).waitFor();
  await hasFocus(page.getByRole('main'));
  await tabTo(page.getByRole('slider', { name: 'Period' }));
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page
    .getByRole('heading', { name: /in April 2020, compared with March 2020$/ })
    .first()
    .waitFor();
  await enter(listOf().getByRole('button', { name: 'Change %' }));
  await expect.poll(() => listOf().getByRole('row').nth(1).textContent()).toContain('-60.0 %');
  await done({ typed: 1, tabs: 30 });
});

test('a map coloured by a value, filtered, with a box, and without them again', async () => {
  await begin();
  await enter(link('Neighborhoods'));
  await enter(link('Map'));
  await drawn();
  await hasFocus(link('Map'));
  await choose('Colour by', 'Mean of population');
  await enter(page.getByRole('button', { name: '+ Add filter' }));
  await hasFocus(page.getByRole('combobox', { name: 'Field' }));
  await page.keyboard.type('population');
  const option = page.getByRole('option', { name: /^population / });
  await option.waitFor();
  while ((await option.getAttribute('data-focused')) === null) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await choose('Condition', 'is more than (>)');
  await tabTo(page.getByLabel('Value', { exact: true }));
  await page.keyboard.type('3000');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove population is more than 3000' }).waitFor();
  await hasFocus(page.getByRole('button', { name: '+ Add filter' }));
  await drawn();
  await enter(page.getByRole('button', { name: 'Use this view as the box' }), 'Shift+Tab');
  await page.getByRole('link', { name: /^Show [\d,]+ records$/ }).waitFor();
  await enter(page.getByRole('button', { name: 'Remove the box' }));
  await page.getByRole('link', { name: 'Show the records' }).waitFor();
  await enter(
    page.getByRole('button', { name: 'Remove population is more than 3000' }),
    'Shift+Tab',
  );
  await hasFocus(page.getByRole('button', { name: '+ Add filter' }));
  await drawn();
  await enter(page.getByRole('button', { name: 'Draw a box' }), 'Shift+Tab');
  await page.getByRole('button', { name: 'Stop drawing' }).waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(page.getByRole('button', { name: 'Draw a box' }));
  await tabTo(page.getByRole('region', { name: /^Map of Neighborhoods/ }));
  await tabTo(page.getByText('The call for these records'));
  await done({ typed: 2, tabs: 80 });
});

test('one place by its name', async () => {
  await begin();
  await page.keyboard.press('/');
  await hasFocus(page.getByRole('dialog').getByRole('searchbox'));
  await page.keyboard.type('yosemite');
  await enterOption(/^Yosemite National Park/);
  await page.getByRole('heading', { name: 'National park visits', level: 1 }).waitFor();
  await hasFocus(page.getByRole('main'));
  await done({ typed: 1, tabs: 0 });
});

test('save all of what is shown, and turn the pages', async () => {
  await begin();
  await page.evaluate(() => Object.assign(globalThis, { showSaveFilePicker: undefined }));
  await enter(link('National parks'));
  await enter(link('Records'));
  await enter(page.getByRole('button', { name: 'Save all…' }));
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });
  await tabTo(save);
  await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  await hasFocus(page.getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('button', { name: 'Save all…' }));
  await enter(page.getByRole('button', { name: 'Open record 1', exact: true }));
  await page.getByRole('dialog', { name: 'Acadia National Park' }).waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(page.getByRole('button', { name: 'Open record 1', exact: true }));
  // From the last page there is no way but back, and from the first none but on.
  await enter(page.getByRole('button', { name: 'Next →' }));
  await page.getByText('Records 51–63 of 63').waitFor();
  await hasFocus(page.getByRole('button', { name: '← Previous' }));
  await page.keyboard.press('Enter');
  await page.getByText('Records 1–50 of 63').waitFor();
  await hasFocus(page.getByRole('button', { name: 'Next →' }));
  await done({ typed: 0, tabs: 110 });
});

test('copy the call', async () => {
  await begin();
  await enter(link('National parks'));
  await enter(link('Records'));
  await enter(page.getByRole('button', { name: 'latitude' }));
  const summary = page.getByText('The call', { exact: true });
  await enter(summary);
  const call = page.getByRole('region', { name: 'The call' });
  await call
    .getByText(/"latitude"/)
    .first()
    .waitFor();
  await enter(call.getByRole('button', { name: 'Copy' }));
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"latitude"');
  await done({ typed: 0, tabs: 110 });
});

test('give a customer two states, and see what they see', async () => {
  await begin();
  await enter(link('Admin'));
  await enter(page.getByRole('button', { name: 'Create organisation' }));
  await hasFocus(page.getByRole('dialog').getByLabel('Name'));
  await page.keyboard.type('City of Keys');
  await page.keyboard.press('Enter');
  await page.getByText('It sees no dataset.').waitFor();
  await hasFocus(page.getByRole('main'));
  await enter(link('Add a grant'));
  await tabTo(page.getByRole('combobox', { name: 'Dataset or metric' }));
  await page.keyboard.type('ml_visitation.places');
  await page.getByRole('option', { name: /^ml_visitation.places/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await enter(page.getByRole('button', { name: 'Add a filter' }));
  // The filter is above the button that added it.
  await hasFocus(page.getByRole('button', { name: /Field$/ }));
  await choose('Field', 'region');
  await tabTo(page.getByRole('combobox', { name: 'Values' }));
  for (const state of ['CA', 'NV']) {
    await page.keyboard.type(state);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${state}`, exact: true }).waitFor();
  }
  await enter(page.getByRole('button', { name: 'Add the grant' }));
  await page.getByText(/^10 records with/).waitFor();
  await enter(page.getByRole('button', { name: /^Remove the grant of/ }));
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Escape');
  await hasFocus(page.getByRole('button', { name: /^Remove the grant of/ }));
  await done({ typed: 4, tabs: 80 });
});

test('the usage of a customer, and a limit', async () => {
  await begin();
  await enter(link('Admin'));
  await enter(link('City of Keys'));
  await page.getByRole('region', { name: 'Limits' }).getByText('0 rows in 0 requests').waitFor();
  await enter(page.getByRole('button', { name: 'Change limits' }));
  await tabTo(page.getByRole('dialog').getByLabel('Rows in a month'));
  await page.keyboard.type('1,000');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('The limits of City of Keys were set').waitFor();
  await hasFocus(page.getByRole('button', { name: 'Change limits' }));
  await done({ typed: 1, tabs: 50 });
});

test('what the last publish changed, and back', async () => {
  await begin();
  await enter(link('Admin'));
  await enter(link('Versions'));
  await enter(link('town.shops'));
  await enter(page.getByRole('button', { name: /^Compare/ }));
  await page.getByText('1: name was “Blue”, and is “Navy”.').waitFor();
  await enter(page.getByRole('button', { name: /^Switch back to/ }));
  await enter(page.getByRole('alertdialog').getByRole('button', { name: 'Switch back' }));
  await page.getByRole('status').getByText('town.shops was switched back').waitFor();
  // The button that opened the dialog is gone.
  await expect.poll(isFocusLost).toBe(false);
  await done({ typed: 0, tabs: 60 });
});

/** Goes to the first page, and counts what is done from there. */
async function begin(): Promise<void> {
  await page.goto(`${explorer.url}/#/datasets`);
  await page.reload();
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  await startCounting(page);
  tabs = 0;
}

/** `tabs`: the most presses of Tab. */
async function done(limit: { readonly typed: number; readonly tabs: number }): Promise<void> {
  expect(await actionsOf(page)).toEqual({ clicks: 0, typed: limit.typed });
  expect(tabs).toBeLessThanOrEqual(limit.tabs);
  expect(complaints).toEqual([]);
}

function link(name: string): Locator {
  return page.getByRole('link', { name, exact: true });
}

function listOf(): Locator {
  return page.getByRole('table', { name: /: all rows$/ });
}

async function drawn(): Promise<void> {
  await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
}

/** Goes on with Tab until this has the focus. It had a place before, and each stop shows it. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  // A page that was just opened has none.
  if (tabs > 0) await expect.poll(isFocusLost).toBe(false);
  for (let presses = 0; presses < 120; presses += 1) {
    if (await target.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press(key);
    tabs += 1;
    const unseen = await page.evaluate(findUnseenFocus);
    expect(unseen).toBeUndefined();
  }
  throw new Error(`Tab does not get to ${target}.`);
}

async function enter(target: Locator, key?: 'Shift+Tab'): Promise<void> {
  await tabTo(target, key);
  await page.keyboard.press('Enter');
}

async function choose(label: string, option: string): Promise<void> {
  const select = page.getByRole('button', { name: new RegExp(`${label}$`) });
  await enter(select);
  await page.getByRole('listbox').waitFor();
  await page.keyboard.type(option);
  await hasFocus(page.getByRole('option', { name: option, exact: true }));
  await page.keyboard.press('Enter');
  await hasFocus(select);
}

/** Enter opens the first of what was found, once it is marked. */
async function enterOption(name: RegExp): Promise<void> {
  const option = page.getByRole('option', { name }).first();
  await expect.poll(() => option.getAttribute('data-focused')).toBe('true');
  await page.keyboard.press('Enter');
}

async function hasFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((one) => one === document.activeElement)).toBe(true);
}

function isFocusLost(): Promise<boolean> {
  return page.evaluate(() => document.activeElement === document.body);
}

/** The name of what has the focus without a ring or out of view. Runs in the page. */
function findUnseenFocus(): string | undefined {
  const focused = document.activeElement;
  // Behind the last control is the browser itself.
  if (focused === null || focused === document.body) return undefined;
  const parts = [focused, ...(focused.closest('label')?.querySelectorAll('*') ?? [])];
  const isRinged = parts.some((part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(part);
    return outlineStyle !== 'none' && outlineWidth !== '0px';
  });
  const { top, bottom } = focused.getBoundingClientRect();
  const isInView = bottom > 0 && top < innerHeight;
  return isRinged && isInView ? undefined : focused.outerHTML.slice(0, 200);
}
