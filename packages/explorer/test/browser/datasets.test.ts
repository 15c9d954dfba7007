import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

test('datasets are listed by product, and each opens with its fields', async () => {
  const { page, complaints } = await explorer.open('/');
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe('#/datasets');
  await page.getByRole('link', { name: 'National parks', exact: true }).click();
  await page.getByRole('heading', { name: 'National parks', level: 1 }).waitFor();
  await page
    .getByRole('cell', { name: 'Code of the park in the National Park Service.' })
    .waitFor();
  expect(new URL(page.url()).hash).toBe('#/datasets/ml_visitation.places');
  const row = page.getByRole('row', { name: /^us_state text/ });
  await row.scrollIntoViewIfNeeded();
  await row.getByRole('link', { name: 'California' }).waitFor();
  await page
    .getByRole('link', { name: 'Open the map of National parks' })
    .locator('circle')
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'National park visits', exact: true }).waitFor();
  await row.getByRole('link', { name: 'California' }).click();
  await page.getByRole('table', { name: 'Records of National parks' }).waitFor();
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain('"value":"California"');
  expect(complaints).toEqual([]);
});

test('a slash finds a place, and Enter opens it; Escape gives the focus back', async () => {
  const { page, complaints } = await explorer.open('/datasets');
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('yosemite');
  await page.getByRole('option', { name: /^Yosemite National Park/ }).waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  // The first Escape empties the field, the second one closes the dialog.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const field = page.getByRole('searchbox', { name: /^Find datasets/ });
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.type('yosemite');
  await page.getByRole('option', { name: /^Yosemite National Park/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'National park visits', level: 1 }).waitFor();
  expect(new URL(page.url()).hash).toContain('YOSE');
  expect(complaints).toEqual([]);
});

test('Enter opens the first of what was typed before the dialog was there', async () => {
  const { page, complaints } = await explorer.open('/datasets');
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  let load = (): void => {};
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(/\/find-dialog-[^/]*\.js$/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.keyboard.press('/');
  await page.keyboard.type('national park visits');
  load();
  await page
    .getByRole('option', { name: /^National park visits/ })
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'National park visits', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

test('what is typed just before the dialog takes the focus is kept', async () => {
  const { page, complaints } = await explorer.open('/datasets');
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  const loading = Promise.withResolvers<void>();
  await page.route(/\/find-dialog-[^/]*\.js$/, async (route) => {
    await loading.promise;
    await route.continue();
  });
  await page.keyboard.press('/');
  await page.keyboard.type('yosem');
  await page.evaluate(() => {
    const { focus } = HTMLElement.prototype;
    HTMLElement.prototype.focus = function (...options) {
      if (this.closest('[role="dialog"]') !== null) {
        HTMLElement.prototype.focus = focus;
        document.execCommand('insertText', false, 'ite');
      }
      focus.apply(this, options);
    };
  });
  loading.resolve();
  const field = page.getByRole('dialog').getByRole('searchbox');
  await expect.poll(() => field.inputValue()).toBe('yosemite');
  await page.getByRole('option', { name: /^Yosemite National Park/ }).waitFor();
  expect(complaints).toEqual([]);
});

test.each(['', 'n'])(
  'Enter opens the first of what was typed after “%s”, not of a list that is not drawn again yet',
  async (before) => {
    const { page, complaints } = await explorer.open('/datasets');
    await page.getByRole('heading', { name: 'Visitation' }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('option').first().waitFor();
    const field = page.getByRole('dialog').getByRole('searchbox');
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type(before);
    if (before !== '') await field.and(page.locator('[aria-activedescendant]')).waitFor();
    const keyboard = await page.context().newCDPSession(page);
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
    // The page is busy until both are sent, and so gets Enter right after the text.
    await Promise.all([
      page.evaluate(() => {
        const end = performance.now() + 1000;
        while (performance.now() < end);
      }),
      keyboard.send('Input.insertText', { text: 'neighborhoods'.slice(before.length) }),
      keyboard.send('Input.dispatchKeyEvent', { ...enter, type: 'keyDown', text: '\r' }),
      keyboard.send('Input.dispatchKeyEvent', { ...enter, type: 'keyUp' }),
    ]);
    await page.getByRole('heading', { name: 'Neighborhoods', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  },
);

test('the filter of a list is in the address', async () => {
  const { page } = await explorer.open('/datasets');
  await page.getByRole('searchbox', { name: 'Filter the datasets' }).fill('park month');
  await page.getByText('1 of 7 datasets').waitFor();
  await expect.poll(() => new URL(page.url()).hash).toContain('find=park');
  await page.reload();
  await page.getByText('1 of 7 datasets').waitFor();
});

test('a token in the address is taken out of it, and kept for the tab', async () => {
  const { page } = await explorer.open('/datasets');
  expect(page.url()).not.toContain('token');
  await page.reload();
  await page.getByRole('heading', { name: 'Datasets' }).waitFor();
});

test('a wrong token is refused with the reason, and a right one signs in', async () => {
  const page = await explorer.browser.newPage();
  await page.goto(explorer.url);
  await page.getByLabel('Token').fill('lm_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByRole('alert').textContent()).toMatch(/token/i);
  await page.getByLabel('Token').fill(explorer.sample.environment['LOCMETRICS_TOKEN'] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Datasets' }).waitFor();
});

test('a dataset that does not exist is told with the nearest name', async () => {
  for (const view of ['', '/records', '/map']) {
    const { page } = await explorer.open(`/datasets/ml_visitation.place${view}`);
    await page.getByRole('heading', { name: 'There is no such dataset', level: 1 }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain("'ml_visitation.places'");
    expect(await page.getByRole('navigation', { name: 'Views of the dataset' }).count()).toBe(0);
  }
});

test('a customer reads nothing that only the owner of the data can do', async () => {
  const { sample } = explorer;
  runOnSample(sample, ['org', 'create', 'Customer', '--id', 'customer']);
  const scopes = 'catalog,metrics,usage';
  const made = ['token', 'create', '--org', 'customer', '--name', 'c', '--scope', scopes, '--json'];
  const { token } = JSON.parse(runOnSample(sample, made));
  const { page } = await explorer.open('/datasets', { token });
  await page.getByText('Ask the owner of the data to give Customer access.').waitFor();
  const texts = [await page.locator('body').innerText()];
  for (const [path, heading] of [
    ['/metrics', 'Metrics'],
    ['/usage', 'Usage'],
    ['/admin/organisations', 'Administration'],
    ['/admin/versions', 'Administration'],
    ['/none', 'Page not found'],
  ] as const) {
    await page.goto(`${explorer.url}/#${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await isRead(page);
    texts.push(await page.locator('body').innerText());
  }
  runOnSample(sample, ['grant', 'add', 'customer', '*']);
  for (const [path, tab] of [
    ['', 'Overview'],
    ['/records', 'Records'],
    ['/map', 'Map'],
  ] as const) {
    await page.goto(`${explorer.url}/#/datasets/ml_visitation.places${path}`);
    const views = page.getByRole('navigation', { name: 'Views of the dataset' });
    await views.locator('[aria-current=page]').getByText(tab, { exact: true }).waitFor();
    await isRead(page);
    for (const summary of await page.locator('summary').all()) await summary.click();
    texts.push(await page.locator('body').innerText());
  }
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  texts.push(await page.locator('body').innerText());
  expect(texts.filter((text) => OF_OWNERS.test(text))).toEqual([]);
});

/** Waits until neither a view nor a part of it is on its way. */
async function isRead(page: Page): Promise<void> {
  await expect.poll(() => page.getByText(/^Reading/).count()).toBe(0);
}

/** Commands, files of the owner, and scopes that are given on the command line. */
const OF_OWNERS = /locmetrics [a-z]|npm |manifest|--scope|demo\.env|machine of the service/;

test('a view that is chosen right after a filter was typed is opened, however late its script comes', async () => {
  const { page } = await explorer.open('/datasets');
  await page.clock.install();
  const script = Promise.withResolvers<void>();
  await page.route('**/assets/usage-*.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  await page.getByRole('searchbox', { name: 'Filter the datasets' }).fill('parks');
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByText('Reading the view…').waitFor();
  // The filter waits for more letters, shorter than this.
  await page.clock.fastForward(1000);
  script.resolve();
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
});
