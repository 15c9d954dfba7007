import { afterAll, beforeAll, expect, test } from 'vitest';
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
  expect(new URL(page.url()).hash).toBe('#/datasets');
  await page.getByRole('link', { name: 'National parks', exact: true }).click();
  await page.getByRole('heading', { name: 'National parks', level: 1 }).waitFor();
  await page
    .getByRole('cell', { name: 'Code of the park in the National Park Service.' })
    .waitFor();
  expect(new URL(page.url()).hash).toBe('#/datasets/ml_visitation.places');
  expect(complaints).toEqual([]);
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
  const { page } = await explorer.open('/datasets/ml_visitation.place');
  expect(await page.getByRole('alert').textContent()).toContain("'ml_visitation.places'");
});

test.for(['light', 'dark'] as const)(
  'axe finds nothing serious in %s colours',
  async (colorScheme) => {
    const { page } = await explorer.open('/datasets', { context: { colorScheme } });
    await page.getByRole('link', { name: 'National parks', exact: true }).waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'National parks', exact: true }).click();
    await page.getByRole('table', { name: 'Fields of National parks' }).waitFor();
    expect(await findAccessProblems(page)).toEqual([]);
  },
);
