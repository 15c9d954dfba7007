import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { findScreenProblems } from './every-screen.ts';
import { type Explorer, openExplorer } from './explorer.ts';
import { openReadyCall } from './open-ready-call.ts';

type View = {
  readonly name: string;
  readonly path: string;
  readonly heading: string;
  /** Opens a part of the view. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

const PARKS = '/datasets/ml_visitation.places';
const REGION = encodeURIComponent('[{"fieldName":"region","operator":"!=","value":"CA"}]');
const VISITS = '/metrics/nps/foot_traffic_monthly';

const VIEWS: readonly View[] = [
  { name: 'datasets', path: '/datasets', heading: 'Visitation' },
  {
    name: 'find',
    path: '/datasets',
    heading: 'Visitation',
    prepare: async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('park');
      await page
        .getByRole('option', { name: /^National park visits/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'overview',
    path: PARKS,
    heading: 'National parks',
    prepare: async (page) => {
      const row = page.getByRole('row', { name: /^us_state text/ });
      await row.scrollIntoViewIfNeeded();
      await row.getByRole('link', { name: 'California' }).waitFor();
    },
  },
  {
    name: 'records',
    path: `${PARKS}/records?filters=${REGION}&order=city`,
    heading: 'National parks',
    prepare: (page) => page.getByRole('cell').first().waitFor(),
  },
  {
    name: 'record',
    path: `${PARKS}/records?record=1`,
    heading: 'National parks',
    prepare: (page) => page.getByRole('dialog').getByText('Filter by this value').first().waitFor(),
  },
  {
    name: 'map',
    path: `/datasets/ml_visitation.neighborhoods/map?at=%5B-96,38,4%5D&colour=sum:population`,
    heading: 'Neighborhoods',
    prepare: (page) =>
      page
        .getByRole('region', { name: 'Legend' })
        .getByText(/^Sum of population/)
        .waitFor(),
  },
  {
    name: 'map-categories',
    path: `${PARKS}/map?at=%5B-110.5471695,44.59824417,7%5D&colour=value:region`,
    heading: 'National parks',
    prepare: async (page) => {
      await page.getByRole('region', { name: 'Legend' }).getByRole('button').first().waitFor();
      await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
      await page.getByRole('region', { name: /^Map of National parks/ }).press('Enter');
      await page.getByRole('region', { name: 'Yellowstone National Park' }).waitFor();
    },
  },
  { name: 'metrics', path: '/metrics', heading: 'Metrics' },
  {
    name: 'metric',
    path: `${VISITS}?features=["ZION","YOSE"]&sort=percent`,
    heading: 'National park visits',
    prepare: (page) => page.getByRole('slider', { name: /^Chart of/ }).waitFor(),
  },
  {
    name: 'metric-grouped',
    path: `${VISITS}?at=2023-07-01&group={"kind":"component","id":"us_state_2020"}&compare=totals`,
    heading: 'National park visits',
    prepare: (page) => page.getByRole('table', { name: /: all rows$/ }).waitFor(),
  },
  {
    name: 'metric-bars',
    path: '/metrics/census/population_2020',
    heading: 'Population',
    prepare: (page) =>
      page.getByRole('list', { name: 'Legend' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'calls-of-dataset',
    path: '/datasets/cafes.visits',
    heading: 'Café visits by month (synthetic)',
    prepare: (page) => openReadyCall(page, 'Count the records and places of each date'),
  },
  {
    name: 'calls-of-metric',
    path: '/metrics/cafes/visits',
    heading: 'Café visits (synthetic)',
    prepare: (page) => openReadyCall(page, 'Compare with a year earlier'),
  },
  {
    name: 'usage',
    path: '/usage',
    heading: 'Usage',
    prepare: (page) => page.getByRole('heading', { name: 'By token' }).waitFor(),
  },
  { name: 'organisations', path: '/admin/organisations', heading: 'Organisations' },
  {
    name: 'organisation',
    path: '/admin/organisations/demo',
    heading: 'Demo',
    prepare: (page) => page.getByText(/^It sees \d+ datasets/).waitFor(),
  },
  { name: 'grant', path: '/admin/organisations/demo/grant', heading: 'Add a grant' },
  { name: 'versions', path: '/admin/versions', heading: 'Versions' },
  {
    name: 'dataset-versions',
    path: '/admin/versions/ml_visitation.places',
    heading: 'ml_visitation.places',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Report of/ })
        .first()
        .click();
      await page.getByRole('region', { name: 'Report' }).waitFor();
    },
  },
  { name: 'audit', path: '/admin/audit', heading: 'Audit log' },
  {
    name: 'sign-in',
    path: '/datasets',
    heading: 'Locmetrics',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Token').waitFor();
    },
  },
];

let explorer: Explorer;
let token: string;
beforeAll(async () => {
  explorer = await openExplorer();
  const scopes = 'catalog,metrics,usage,admin';
  const made = ['token', 'create', '--org', 'demo', '--name', 'views', '--scope', scopes, '--json'];
  token = JSON.parse(runOnSample(explorer.sample, made)).token;
});
afterAll(() => explorer.close());

test.each(VIEWS)(
  '$name can be used by everybody, and fits each screen in light and dark',
  async ({ name, path, heading, prepare }) => {
    const context = { viewport: { width: 1440, height: 900 } };
    const { page, complaints } = await explorer.open(path, { token, context });
    if (name !== 'sign-in') {
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
    }
    await prepare?.(page);
    await page.waitForLoadState('networkidle');
    expect(await findScreenProblems(page, name)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

test('the first view loads less than 200 kB, and a map less than 1 MB more, without its tiles', async () => {
  const context = await explorer.browser.newContext();
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  let underWay = 0;
  page.on('request', () => underWay++);
  page.on('requestfailed', () => underWay--);
  page.on('requestfinished', (request) => {
    underWay--;
    if (request.url().includes('.mvt')) return;
    sizes.push(request.sizes().then((size) => size.responseBodySize));
  });
  const loaded = async (): Promise<number> => {
    // A busy machine pauses between an answer and what it asks for next, so the page has to be idle several times.
    for (let idle = 0, known = sizes.length; idle < 5; known = sizes.length) {
      await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
      idle = underWay === 0 && sizes.length === known ? idle + 1 : 0;
    }
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
  await page.goto(`${explorer.url}/#token=${token}`);
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  const first = await loaded();
  expect(first).toBeGreaterThan(50_000);
  expect(first).toBeLessThan(200_000);
  // So near that the counties are loaded too.
  await page.goto(`${explorer.url}/#/datasets/ml_visitation.places/map?at=%5B-110,44,6%5D`);
  await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
  const withMap = (await loaded()) - first;
  expect(withMap).toBeGreaterThan(500_000);
  expect(withMap).toBeLessThan(1_000_000);
  await context.close();
});
