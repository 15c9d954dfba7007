import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

test('what is looked at does not use up rows, and the page says what is left of both', async () => {
  const token = createCaller('looker', ['--rows-per-month', '1000']);
  const { page, complaints } = await explorer.open('/datasets/mobility.states/records', { token });
  await page.getByRole('row').nth(50).waitFor();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByText('0 used, 1,000 left').waitFor();
  const looked = page.getByRole('listitem').filter({ hasText: 'Rows to look at in a month' });
  await looked.getByText('50 used, 50 left').waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('beyond the rows to look at, the page offers to use those of the limits', async () => {
  const token = createCaller('small', ['--rows-per-day', '100']);
  const { page } = await explorer.open('/datasets/mobility.states/records', { token });
  const notice = page
    .getByRole('alert')
    .filter({ hasText: 'Your organisation has looked at as many rows as it may' });
  await notice.getByText('It may look at 10 rows a day (UTC) without using them up.').waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Use rows of the limits' }).click();
  await page.getByText('What you look at now uses rows of your limits.').waitFor();
  await page.getByRole('row').nth(50).waitFor();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByText('50 used, 50 left').waitFor();
});

test('the tiles of a map that were refused are drawn with rows of the limits', async () => {
  const token = createCaller('mapper', ['--rows-per-day', '600', '--viewed-rows', '1']);
  const yellowstone = '?at=%5B-110.5471695,44.59824417,7%5D';
  const { page } = await explorer.open(`/datasets/ml_visitation.places/map${yellowstone}`, {
    token,
  });
  const offer = page.getByRole('button', { name: 'Use rows of the limits' });
  await offer.waitFor();
  const tile = page.waitForResponse(
    (response) => response.url().includes('.mvt') && response.status() === 200,
  );
  await offer.click();
  await tile;
  await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
  await page.getByRole('region', { name: 'Map', exact: true }).click();
  await page.getByRole('region', { name: 'Yellowstone National Park' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a picture that costs many of the rows to look at is drawn only if asked for, and says its cost', async () => {
  const token = createCaller('careful', ['--rows-per-month', '2000']);
  const { page, complaints } = await explorer.open('/datasets/ml_visitation.places', { token });
  await page.getByText(/It costs up to [\d,]+ rows\./).waitFor();
  await page.getByRole('button', { name: 'Show a small map' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a list that costs many of the rows to look at says its cost, and is read only if asked for', async () => {
  const token = createCaller('lister', ['--rows-per-month', '100000']);
  const { page, complaints } = await explorer.open('/metrics/census/population_2020', { token });
  await page.getByText('To show the list costs about 5,000 rows.').waitFor();
  await page.getByText('They are rows that your organisation may look at besides').waitFor();
  expect(await page.getByRole('table', { name: /: all rows$/ }).count()).toBe(0);
  expect(await findAccessProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show the list', exact: true }).press('Enter');
  await page.getByRole('table', { name: /: all rows$/ }).waitFor();
  await page.getByText(/^The first 5,000 of 242,335 rows in this order/).waitFor();
  expect(complaints).toEqual([]);
});

/** An organisation that sees all, with limits and a token. */
function createCaller(id: string, limits: readonly string[]): string {
  const { sample } = explorer;
  runOnSample(sample, ['org', 'create', id, '--id', id]);
  runOnSample(sample, ['grant', 'add', id, '*']);
  runOnSample(sample, ['limits', 'set', id, ...limits]);
  return JSON.parse(
    runOnSample(sample, ['token', 'create', '--org', id, '--name', 'test', '--json']),
  ).token;
}
