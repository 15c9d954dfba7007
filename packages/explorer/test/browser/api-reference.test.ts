import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

const PHONE = { width: 360, height: 740 };

test('an operation is found by a search, and a call of it carries the token of the explorer', async () => {
  const { page, complaints } = await explorer.open('/datasets');
  await openReference(page);
  await page.getByText('Calls use your token demo').waitFor();
  await openOperation(page, 'records of a dataset', 'List the records of a dataset');
  const call = page.waitForRequest(/listRecords$/);
  const answer = page.waitForResponse(/listRecords$/);
  await callOperation(page, 'post /v3/catalog/listRecords');
  const token = explorer.sample.environment['LOCMETRICS_TOKEN'];
  expect((await call).headers()['authorization']).toBe(`Bearer ${token}`);
  expect((await answer).status()).toBe(200);
  await page.getByRole('dialog').getByText('200 OK').waitFor();
  expect(complaints).toEqual([]);
});

test('without a session a token is entered once, and nothing keeps it', async () => {
  const { page, complaints } = await openAlone();
  await page.getByText('Not signed in').waitFor();
  await page
    .getByRole('textbox', { name: 'Token' })
    .first()
    .fill(explorer.sample.environment['LOCMETRICS_TOKEN'] ?? '');
  await openOperation(page, 'Describe the caller', 'Describe the caller');
  const answer = page.waitForResponse(/caller$/);
  await callOperation(page, 'get /v1/caller');
  expect((await answer).status()).toBe(200);
  const kept = await page.evaluate(async () => [
    JSON.stringify([localStorage, sessionStorage, document.cookie, location.href]),
    await indexedDB.databases(),
  ]);
  expect(kept).toEqual([expect.not.stringContaining('lm_'), []]);
  expect(complaints).toEqual([]);
});

test('a sign-out in the explorer takes the token away', async () => {
  const { page } = await explorer.open('/datasets');
  const second = await page.context().newPage();
  await openReference(second);
  await second.getByText('Calls use your token').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await second.getByText('Not signed in').waitFor();
  expect(await second.getByRole('textbox', { name: 'Token' }).first().inputValue()).toBe('');
});

test('a call is shown for the TypeScript client', async () => {
  const { page, complaints } = await openAlone();
  await page.getByRole('button', { name: 'Datasets and records' }).first().waitFor();
  await openOperation(page, 'records of a dataset', 'List the records of a dataset');
  const call = page.getByRole('region', { name: 'List the records of a dataset' }).first();
  await call.getByTestId('client-picker').first().click();
  await page.getByRole('option', { name: 'TypeScript client' }).click();
  await call.getByText('await client.listRecords({').waitFor();
  await call.getByText(`url: '${explorer.url}'`).waitFor();
  expect(complaints).toEqual([]);
});

test('calls are shown in several languages', async () => {
  const { page } = await openAlone();
  await openOperation(page, 'records of a dataset', 'List the records of a dataset');
  const call = page.getByRole('region', { name: 'List the records of a dataset' }).first();
  await call.getByText('curl http').waitFor();
  for (const [language, text] of [
    ['Python', 'requests.post('],
    ['JavaScript', 'fetch('],
  ] as const) {
    await page.goto(`${explorer.url}/docs/api/`);
    await page.getByRole('tab', { name: language }).click();
    await openOperation(page, 'records of a dataset', 'List the records of a dataset');
    await page.getByText(text).first().waitFor();
  }
});

test.each(['light', 'dark'] as const)(
  'axe finds nothing in %s colours: the start, the search, an operation, a call and its answer',
  { timeout: 600_000 },
  async (colorScheme) => {
    const { page, complaints } = await explorer.open('/datasets', { context: { colorScheme } });
    await openReference(page);
    const found = [await findAccessProblems(page)];
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('combobox').fill('records');
    found.push(await findAccessProblems(page));
    await page.keyboard.press('Escape');
    await openOperation(page, 'records of a dataset', 'List the records of a dataset');
    found.push(await findAccessProblems(page));
    await callOperation(page, 'post /v3/catalog/listRecords');
    await page.getByRole('dialog').getByText('200 OK').waitFor();
    found.push(await findAccessProblems(page));
    expect(found.flat()).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

test('it fits a phone, keeps the colours that were chosen, and leads back', async () => {
  const { page } = await explorer.open('/datasets', {
    context: { viewport: PHONE, colorScheme: 'light' },
  });
  await openReference(page);
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Use light colours' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  expect(await findAccessProblems(page)).toEqual([]);
  const links = page.getByRole('navigation', { name: 'Locmetrics' });
  expect(await links.getByRole('link', { name: 'Documentation' }).getAttribute('href')).toBe('..');
  await links.getByRole('link', { name: 'Explorer' }).click();
  await page.getByRole('heading', { name: 'Datasets' }).waitFor();
});

async function openReference(page: Page): Promise<void> {
  await page.goto(`${explorer.url}/docs/api/`);
  await page.getByRole('heading', { name: 'Locmetrics' }).waitFor();
}

async function openAlone() {
  const context = await explorer.browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(explorer.url)) complaints.push(request.url());
  });
  await openReference(page);
  return { page, complaints };
}

async function openOperation(page: Page, term: string, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(term);
  await page.getByRole('option', { name: title }).first().click();
  await page.getByRole('heading', { name: title }).first().waitFor();
}

async function callOperation(page: Page, operation: string): Promise<void> {
  await page.getByRole('button', { name: 'Test Request' }).filter({ hasText: operation }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).first().click();
}
