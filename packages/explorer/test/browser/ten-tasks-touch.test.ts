import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { type Actions, actionsOf, startCounting } from './count-actions.ts';
import { publishCounties } from './counties.ts';
import { type Explorer, openExplorer, twoFrames } from './explorer.ts';
import { publishShops } from './shops.ts';

/**
 * The ten tasks on a phone, with a finger, on one page. Whether the answers are right is tested with a mouse, in
 * `ten-tasks.test.ts`; here, whether a finger gets to them, with how many taps, and what is in view.
 */
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

let explorer: Explorer;
let page: Page;
let complaints: readonly string[] = [];
beforeAll(async () => {
  explorer = await openExplorer();
  publishCounties(explorer.sample);
  publishShops(explorer.sample, ['1,Blue', '2,Red']);
  publishShops(explorer.sample, ['1,Navy', '2,Red']);
  const scopes = 'catalog,metrics,usage,admin';
  const made = ['token', 'create', '--org', 'demo', '--name', 'touch', '--scope', scopes, '--json'];
  const { token } = JSON.parse(runOnSample(explorer.sample, made));
  const context = { ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] };
  ({ page, complaints } = await explorer.open('/datasets', { token, context }));
});
afterAll(() => explorer.close());

test('the busiest place of a month', async () => {
  await begin();
  await link('Metrics').tap();
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  await scrollDownTo(link('National park visits'));
  await link('National park visits').tap();
  await choose('Period: month', 'July');
  await choose('Period: year', '2016');
  const july = 'Recreation visits in July 2016, compared with July 2015';
  await page.getByRole('heading', { name: july }).waitFor();
  const busiest = listOf().getByRole('button', { name: /^Great Smoky Mountains/ });
  await busiest.waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => isInView(busiest)).toBe(true);
  await done({ clicks: 6, typed: 0 });
});

test('three places over the years', async () => {
  await begin();
  await link('Metrics').tap();
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  await scrollDownTo(link('National park visits'));
  await link('National park visits').tap();
  const search = page.getByRole('searchbox', { name: 'Find in the list' });
  for (const name of ['Zion', 'Yosemite', 'Acadia']) {
    await search.tap();
    await search.fill(name);
    await listOf()
      .getByRole('button', { name: new RegExp(`^${name} National Park`) })
      .tap();
  }
  await choose('Show', 'Totals per year');
  const years = page.getByRole('table', { name: /^Values of/ });
  await years.getByRole('cell', { name: '2019', exact: true }).waitFor();
  await done({ clicks: 10, typed: 3 });
});

test('the area that fell most between two periods', async () => {
  await begin();
  await find('mobility of counties', /^Mobility of counties/);
  const period = page.getByRole('slider', { name: 'Period' });
  await listOf().getByRole('row').nth(1).waitFor();
  const { width = 0 } = (await period.boundingBox()) ?? {};
  await period.tap({ position: { x: 8 + (width - 16) / 3, y: 12 } });
  await page
    .getByRole('heading', { name: /in April 2020, compared with March 2020$/ })
    .first()
    .waitFor();
  await listOf().getByRole('button', { name: 'Change %' }).tap();
  await expect.poll(() => listOf().getByRole('row').nth(1).textContent()).toContain('-60.0 %');
  await done({ clicks: 4, typed: 1 });
});

test('a map coloured by a value, filtered, with a box', async () => {
  await begin();
  await link('Neighborhoods').tap();
  await link('Map').tap();
  await drawn();
  const map = page.getByRole('region', { name: 'Map', exact: true });
  // Most of the map is seen before anything is scrolled.
  const { y = 0, height = 0 } = (await map.boundingBox()) ?? {};
  expect((PHONE.viewport.height - y) / height).toBeGreaterThan(0.75);
  await page.getByText('Colours, filters and box').tap();
  await choose('Colour by', 'Mean of population');
  await page.getByRole('button', { name: '+ Add filter' }).tap();
  const field = page.getByRole('combobox', { name: 'Field' });
  await field.tap();
  await field.fill('population');
  await tapOption(page.getByRole('option', { name: /^population / }));
  await choose('Condition', 'is more than (>)');
  await page.getByLabel('Value', { exact: true }).tap();
  await page.getByLabel('Value', { exact: true }).fill('3000');
  await page.getByRole('button', { name: 'Add the filter' }).tap();
  await page.getByText('Colours, filters and box · 1 filter').waitFor();
  await drawn();
  // To draw on it, the map comes into view.
  await page.getByRole('button', { name: 'Draw a box' }).tap();
  await expect.poll(() => isInView(map)).toBe(true);
  await dragAcross(map);
  await page.getByText('Colours, filters and box · 1 filter · a box').waitFor();
  await page.getByRole('link', { name: /^Show [\d,]+ records$/ }).waitFor();
  await done({ clicks: 14, typed: 2 });
});

test('one place by its name', async () => {
  await begin();
  await find('yosemite', /^Yosemite National Park/);
  await page.getByRole('heading', { name: 'National park visits', level: 1 }).waitFor();
  const table = page.getByRole('table', { name: /^Values of/ });
  await table.getByRole('columnheader', { name: 'Yosemite National Park' }).waitFor();
  await done({ clicks: 2, typed: 1 });
});

test('save all of what is shown', async () => {
  await begin();
  await page.evaluate(() => Object.assign(globalThis, { showSaveFilePicker: undefined }));
  await link('National parks').tap();
  await link('Records').tap();
  await page.getByRole('button', { name: 'Save all…' }).tap();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).tap(),
  ]);
  expect(download.suggestedFilename()).toBe('ml_visitation.places.csv');
  await done({ clicks: 4, typed: 0 });
});

test('copy the call', async () => {
  await begin();
  await link('National parks').tap();
  await link('Records').tap();
  await page.getByRole('button', { name: 'latitude' }).tap();
  await page.getByText('The call', { exact: true }).tap();
  const call = page.getByRole('region', { name: 'The call' });
  await call
    .getByText(/"latitude"/)
    .first()
    .waitFor();
  await call.getByRole('button', { name: 'Copy' }).tap();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('"latitude"');
  await done({ clicks: 5, typed: 0 });
});

test('give a customer two states, and see what they see', async () => {
  await begin();
  await link('Admin').tap();
  await page.getByRole('button', { name: 'Create organisation' }).tap();
  await page.getByRole('dialog').getByLabel('Name').fill('City of Somewhere');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).tap();
  await link('Add a grant').tap();
  await choose('Dataset or metric', 'ml_visitation.places');
  await page.getByRole('button', { name: 'Add a filter' }).tap();
  await choose('Field', 'region');
  for (const state of ['CA', 'NV']) {
    await page.getByRole('combobox', { name: 'Values' }).fill(state);
    await tapOption(page.getByRole('option', { name: new RegExp(`^${state} `) }));
    await page.getByRole('button', { name: `Remove ${state}`, exact: true }).waitFor();
  }
  await page.getByRole('button', { name: 'Add the grant' }).tap();
  await page.getByText(/^10 records with/).waitFor();
  await done({ clicks: 12, typed: 3 });
});

test('the usage of a customer, and a limit', async () => {
  await begin();
  await link('Admin').tap();
  await link('City of Somewhere').tap();
  await page.getByRole('region', { name: 'Limits' }).getByText('0 rows in 0 requests').waitFor();
  await page.getByRole('button', { name: 'Change limits' }).tap();
  await page.getByRole('dialog').getByLabel('Rows in a month').fill('1,000');
  await page.getByRole('dialog').getByRole('button', { name: 'Set limits' }).tap();
  await page.getByRole('status').getByText('The limits of City of Somewhere were set').waitFor();
  await done({ clicks: 4, typed: 1 });
});

test('what the last publish changed, and back', async () => {
  await begin();
  await link('Admin').tap();
  await link('Versions').tap();
  await link('town.shops').tap();
  await page.getByRole('button', { name: /^Compare/ }).tap();
  await page.getByText('1: name was “Blue”, and is “Navy”.').waitFor();
  await page.getByRole('button', { name: /^Switch back to/ }).tap();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch back' }).tap();
  await page.getByRole('status').getByText('town.shops was switched back').waitFor();
  await done({ clicks: 6, typed: 0 });
});

test('a list that was opening stays open when the page scrolls, and a tap opens a closed one', async () => {
  await begin();
  await link('National parks').tap();
  await link('Records').tap();
  // The page scrolls as the list opens, and on a busy machine no time passes either.
  await page.evaluate(() => {
    const now = performance.now();
    performance.now = () => now;
    const observer = new MutationObserver(() => {
      if (document.querySelector('[role="listbox"]') === null) return;
      observer.disconnect();
      scrollBy(0, 20);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole('button', { name: '+ Add filter' }).tap();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(20);
  await twoFrames(page);
  const list = page.getByRole('listbox');
  expect(await list.count()).toBe(1);
  await page.evaluate(() => Reflect.deleteProperty(performance, 'now'));
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Field' }).tap();
  await list.waitFor();
  await done({ clicks: 4, typed: 0 });
});

/** Goes to the first page, and counts what is done from there. */
async function begin(): Promise<void> {
  await page.goto(`${explorer.url}/#/datasets`);
  await page.reload();
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  await startCounting(page);
}

async function done(limit: Actions): Promise<void> {
  expect(await actionsOf(page)).toEqual(limit);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(complaints).toEqual([]);
}

function link(name: string): Locator {
  return page.getByRole('link', { name, exact: true });
}

function listOf(): Locator {
  return page.getByRole('table', { name: /: all rows$/ });
}

async function choose(label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).tap();
  await tapOption(page.getByRole('option', { name: option, exact: true }));
}

/** A list is not seen until it has its place; the page must not be scrolled to find it. */
async function tapOption(option: Locator): Promise<void> {
  await option.waitFor();
  await expect
    .poll(() => option.evaluate((one) => one.checkVisibility({ opacityProperty: true })))
    .toBe(true);
  await option.tap();
}

/** Finds it with the field at the top. The view that it leads to is not covered by a keyboard. */
async function find(text: string, option: RegExp): Promise<void> {
  await page.getByRole('searchbox', { name: /^Find datasets/ }).tap();
  await page.getByRole('dialog').getByRole('searchbox').fill(text);
  await tapOption(page.getByRole('option', { name: option }).first());
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
}

/**
 * Cards far from the window are not drawn, and the view before may have a link of the same name. So a card is looked for
 * until it is in view, and the way begins again at its end: a slow page can draw a card after it was passed.
 */
async function scrollDownTo(card: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const isDrawn = await card.evaluateAll(([first]) => {
        first?.scrollIntoView({ block: 'center' });
        return first !== undefined;
      });
      await twoFrames(page);
      if (isDrawn) return isInView(card);
      await page.evaluate(() => {
        const before = scrollY;
        scrollBy(0, 400);
        if (scrollY === before) scrollTo(0, 0);
      });
      return false;
    })
    .toBe(true);
}

async function drawn(): Promise<void> {
  await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
}

async function isInView(element: Locator): Promise<boolean> {
  // The border of a frame may be outside.
  return element.evaluateAll((found) =>
    found.some((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= -2 && bottom <= innerHeight + 2;
    }),
  );
}

async function dragAcross(map: Locator): Promise<void> {
  const { x, y, width, height } = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const finger = await page.context().newCDPSession(page);
  const at = (part: number) => [
    { x: x + width * (0.4 + part * 0.2), y: y + height * (0.3 + part * 0.2) },
  ];
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (const part of [0.3, 0.6, 1]) {
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(part) });
  }
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await finger.detach();
}
