import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessProblems } from './axe.ts';
import { findScreenProblems } from './every-screen.ts';
import { type Explorer, openExplorer, watchPage } from './explorer.ts';

const SITE = join(import.meta.dirname, '..', '..', '..', 'docs', 'dist');

const PAGES = [
  ['first', '', 'Documentation'],
  ['guide', 'how-to/hand-out-data/', 'Give customers access'],
  ['code', 'reference/typescript-client/', '@locmetrics/client'],
  ['tables', 'reference/configuration/', 'Configuration'],
  ['not-found', 'nothing/at/all', 'Page not found'],
] as const;

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await explorer.browser.newContext(options);
  const page = await context.newPage();
  const complaints = watchPage(page, explorer.url);
  await page.goto(`${explorer.url}/docs/${path}`);
  return { page, complaints };
}

test.each(PAGES)(
  '%s can be used by everybody, and fits each screen in light and dark',
  async (name, path, heading) => {
    const { page, complaints } = await open(path);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    expect(await findScreenProblems(page, `docs-${name}`)).toEqual([]);
    // The browser says that the page of an unknown address was not found.
    expect(complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([]);
    await page.context().close();
  },
);

test('the button that copies a block stays within it, even if it has one line', async () => {
  const { page } = await open('how-to/look-at-the-data/');
  await page.locator('.code-copy').first().waitFor({ state: 'attached' });
  const below = await page.locator('.code-frame').evaluateAll((frames) =>
    frames.map((frame) => {
      const [block, button] = [frame.querySelector('pre'), frame.querySelector('button')];
      const bottomOf = (part: Element | null): number => part?.getBoundingClientRect().bottom ?? 0;
      return bottomOf(button) - bottomOf(block);
    }),
  );
  expect(below.length).toBeGreaterThan(1);
  expect(Math.max(...below)).toBeLessThan(0);
  await page.context().close();
});

test('the search finds a page by its text, from the keyboard alone', async () => {
  const { page, complaints } = await open('');
  await page.keyboard.press('/');
  await page.keyboard.type('rollback');
  await page
    .getByRole('status')
    .getByText(/pages?$/)
    .waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/.+\//);
  expect(await page.locator('main').innerText()).toMatch(/rollback/i);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('the colours that are chosen stay, on the next page and in the explorer', async () => {
  const { page } = await open('', { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  const scheme = () => page.evaluate(() => document.documentElement.dataset['theme']);
  expect(await scheme()).toBe('dark');
  await page.goto(`${explorer.url}/docs/explanation/glossary/`);
  expect(await scheme()).toBe('dark');
  await page.getByRole('link', { name: 'Explorer' }).click();
  await page.waitForURL(`${explorer.url}/`);
  expect(await page.evaluate(() => localStorage.getItem('locmetrics.scheme'))).toBe('dark');
  await page.context().close();
});

test('code is copied, and the language that is chosen stays', async () => {
  const { page } = await open('project/documentation/', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const tabs = page.locator('code-tabs').first();
  const last = tabs.getByRole('tab').last();
  await last.click();
  const panel = tabs.getByRole('tabpanel');
  await panel.hover();
  await panel.getByRole('button', { name: 'Copy' }).click();
  await panel.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await panel.locator('pre').innerText());
  await page.reload();
  expect(await tabs.getByRole('tab').last().getAttribute('aria-selected')).toBe('true');
  expect(await findAccessProblems(page)).toEqual([]);
  await page.context().close();
});

test('the heaviest page loads less than 250 kB, with its scripts, styles and font', async () => {
  const context = await explorer.browser.newContext();
  const page = await context.newPage();
  const bytes = await loadedBytes(page, `${explorer.url}/docs/${heaviestPage()}`);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
  await context.close();
});

function heaviestPage(): string {
  const [heaviest = ''] = readdirSync(SITE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .sort((one, other) => sizeOf(other) - sizeOf(one));
  return heaviest.replace(/index\.html$/, '');
}

function sizeOf(file: string): number {
  return statSync(join(SITE, file)).size;
}

/** The bytes of all answers, as they were sent. */
async function loadedBytes(page: Page, url: string): Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
