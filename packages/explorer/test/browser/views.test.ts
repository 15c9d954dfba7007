import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

/** Pictures of every view, to be looked at after a change. */
const PICTURES = join(import.meta.dirname, '..', 'screenshots');

const VIEWS = [
  ['datasets', '/datasets', 'Visitation'],
  ['fields', '/datasets/ml_visitation.places', 'National parks'],
  ['records', '/datasets/ml_visitation.neighborhoods/records', 'Neighborhoods'],
  [
    'map',
    '/datasets/ml_visitation.neighborhoods/map?at=%5B-96,38,4%5D&colour=sum:population',
    'Neighborhoods',
  ],
  ['metrics', '/metrics', 'Metrics'],
  ['metric', '/metrics/nps/foot_traffic_monthly', 'National park visits'],
  ['usage', '/usage', 'Usage'],
  ['organisations', '/admin/organisations', 'Organisations'],
  ['organisation', '/admin/organisations/demo', 'Demo'],
  ['grant', '/admin/organisations/demo/grant', 'Add a grant'],
  ['versions', '/admin/versions', 'Versions'],
  ['dataset-versions', '/admin/versions/ml_visitation.places', 'ml_visitation.places'],
  ['audit', '/admin/audit', 'Audit log'],
] as const;

const SCREENS = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
] as const;

let explorer: Explorer;
let token: string;
beforeAll(async () => {
  explorer = await openExplorer();
  const scopes = 'catalog,metrics,usage,admin';
  const made = ['token', 'create', '--org', 'demo', '--name', 'views', '--scope', scopes, '--json'];
  token = JSON.parse(runOnSample(explorer.sample, made)).token;
  mkdirSync(PICTURES, { recursive: true });
});
afterAll(() => explorer.close());

describe.each(SCREENS)('%s', (screen, context) => {
  test.each(VIEWS)('%s can be used by everybody, and fits', async (name, path, heading) => {
    const { page, complaints } = await explorer.open(path, { token, context });
    await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(PICTURES, `${name}-${screen}.png`) });
    expect(await findAccessProblems(page)).toEqual([]);
    const [wide, seen] = await page.evaluate(() => [
      document.scrollingElement?.scrollWidth,
      innerWidth,
    ]);
    expect(wide).toBeLessThanOrEqual(seen ?? 0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

test('the first view loads less than 200 kB, and a map less than 1 MB more, without its tiles', async () => {
  const context = await explorer.browser.newContext();
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('.mvt')) return;
    sizes.push(request.sizes().then((size) => size.responseBodySize));
  });
  const loaded = async (): Promise<number> => {
    await page.waitForLoadState('networkidle');
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
