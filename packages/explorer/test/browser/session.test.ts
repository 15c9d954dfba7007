import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { type Explorer, openExplorer } from './explorer.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

test('a token that ends while one works asks for another, and the view stays', async () => {
  const { sample } = explorer;
  const args = ['token', 'create', '--org', 'demo', '--name', 'short', '--json'];
  const { token, tokenId } = JSON.parse(runOnSample(sample, args));
  const { page } = await explorer.open('/datasets', { token });
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  runOnSample(sample, ['token', 'revoke', tokenId]);
  await page.getByRole('link', { name: 'States' }).click();
  const ended = await page.getByRole('alert').textContent();
  expect(ended).toContain('Sign in again to continue.');
  await page.getByLabel('Token').fill(sample.environment['LOCMETRICS_TOKEN'] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'States', level: 1 }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/datasets/mobility.states');
});

test('the address of a sign-in link signs in once, and is gone at once', async () => {
  const made = runOnSample(explorer.sample, ['explore', '--org', 'demo', '--json']);
  const { address } = JSON.parse(made);
  const page = await explorer.browser.newPage();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Datasets' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/datasets');
  await page.reload();
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  const second = await explorer.browser.newPage();
  await second.goto(address);
  expect(await second.getByRole('alert').textContent()).toContain('locmetrics explore');
  expect(second.url()).not.toContain('sign-in');
});

test('a new tab of the same browser is signed in by another one, and a sign-out ends both', async () => {
  const { page } = await explorer.open('/datasets');
  const context = page.context();
  const second = await context.newPage();
  await second.goto(`${explorer.url}/#/datasets/ml_visitation.places`);
  await second.getByRole('heading', { name: 'National parks', level: 1 }).waitFor();
  // The token is in the storage of the tabs alone.
  expect(
    await second.evaluate(() => JSON.stringify([localStorage, document.cookie])),
  ).not.toContain('lm_');
  expect(await context.cookies()).toEqual([]);
  await second.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  for (const tab of [page, second]) {
    await tab.reload();
    await tab.getByLabel('Token').waitFor();
    expect(await tab.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('lm_');
  }
});

test('a browser without another tab asks for the token, and another page of the origin gets none by itself', async () => {
  const { page } = await explorer.open('/datasets');
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  const other = await explorer.browser.newContext();
  const alone = await other.newPage();
  await alone.goto(`${explorer.url}/#/datasets`);
  await alone.getByLabel('Token').waitFor();
  expect(await alone.getByRole('alert').count()).toBe(0);
  await other.close();
});

test('signing out forgets the token', async () => {
  const { page } = await explorer.open('/datasets');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  await page.reload();
  await page.getByLabel('Token').waitFor();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('lm_');
});

test('colours follow the system until one chooses', async () => {
  const { page } = await explorer.open('/datasets', { context: { colorScheme: 'dark' } });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.getByRole('button', { name: 'Use light colours' }).click();
  await expect.poll(background).not.toBe(dark);
});

test('a service that goes away is told, and the page goes on when it is back', async () => {
  const { page } = await explorer.open('/datasets');
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  await explorer.stop();
  await page.getByRole('link', { name: 'States' }).click();
  await page.getByRole('alert').filter({ hasText: 'tries again every two seconds' }).waitFor();
  await explorer.start();
  await page.getByRole('cell', { name: 'FIPS code of the state, 2 digits.' }).waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('a view whose script is on its way says so, and a form that is half filled stays until then', async () => {
  const made = [
    'token',
    'create',
    '--org',
    'demo',
    '--name',
    'admin',
    '--scope',
    'catalog,metrics,admin',
    '--json',
  ];
  const { token } = JSON.parse(runOnSample(explorer.sample, made));
  const grant = '/admin/organisations/demo/grant';
  const { page, complaints } = await explorer.open(grant, { token });
  const form = page.getByRole('heading', { name: 'Add a grant', level: 1 });
  await form.waitFor();
  const what = page.getByRole('combobox', { name: 'Dataset or metric' });
  await what.fill('mobility.states');
  await what.press('Tab');
  const until = page.getByLabel('Until');
  await until.fill('2030-12-31');
  const release = await holdScript(page, 'audit');
  await page.getByRole('link', { name: 'Audit log' }).click();
  const reading = page.getByRole('status').getByText('Reading the view…');
  await reading.waitFor();
  await form.waitFor();
  expect(await until.inputValue()).toBe('2030-12-31');
  release();
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  await reading.waitFor({ state: 'detached' });
  expect(await form.count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('an open filter keeps what is entered while the next view is on its way', async () => {
  const { page, complaints } = await explorer.open('/datasets/mobility.states/records');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('combobox', { name: 'Field' }).fill('population');
  await page.getByRole('option', { name: /^population / }).click();
  const value = page.getByRole('textbox', { name: 'Value' });
  await value.fill('12');
  const release = await holdScript(page, 'metrics');
  // As the button of the browser that goes back.
  await page.evaluate(() => location.assign('#/metrics'));
  const reading = page.getByText('Reading the view…');
  await reading.waitFor();
  expect(await value.inputValue()).toBe('12');
  await value.fill('123');
  expect(await value.inputValue()).toBe('123');
  release();
  await page.getByRole('heading', { name: 'Metrics', level: 1 }).waitFor();
  await reading.waitFor({ state: 'detached' });
  expect(await value.count()).toBe(0);
  expect(complaints).toEqual([]);
});

/** Keeps the script of a view back until the returned function is called. */
async function holdScript(page: Page, view: string): Promise<() => void> {
  const release = Promise.withResolvers<void>();
  await page.route(`**/assets/${view}-*.js`, async (route) => {
    await release.promise;
    await route.continue();
  });
  return release.resolve;
}
