import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { type Explorer, openExplorer } from './explorer.ts';

let explorer: Explorer;
let folder: string;
beforeAll(async () => {
  explorer = await openExplorer();
  folder = temporaryFolder();
  writeFileSync(join(folder, 'places.csv'), SHOPS);
  writeFileSync(join(folder, 'staff.csv'), STAFF);
  writeFileSync(join(folder, 'regions.csv'), REGIONS);
  writeFileSync(join(folder, 'locmetrics.yaml'), MANIFEST);
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
});
afterAll(async () => {
  await explorer.close();
});

const MAP = '/datasets/ml_visitation.places/map';

/** 3,000 shops in a city, and two at one point far away, whose cell has too few to show their visitors. */
const SHOPS = [
  'id,name,latitude,longitude,visitors',
  ...Array.from(
    { length: 3000 },
    (_, index) =>
      `${index},Shop ${index},${39.9 + (index % 50) / 500},${-75.2 + index / 15_000},${20 + (index % 7)}`,
  ),
  '3001,<b>Bold</b> shop,40,-100,9',
  '3002,Other shop,40,-100,9',
].join('\n');

/** The total has no point. */
const REGIONS = 'id,latitude,longitude,staff\nnorth,41,-75,4\nsouth,39,-75,5\nall,,,9\n';

const MANIFEST = `format: 1
products:
  shops: { display_name: Shops }
datasets:
  shops.places:
    files: places.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: string }
      name: { type: string }
      latitude: { type: float }
      longitude: { type: float }
      visitors: { type: integer, additive: all, suppress: { below: 5 } }
  shops.totals:
    files: staff.csv
    key: [id, month]
    totals: { id: "0" }
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: string }
      month: { type: date }
      latitude: { type: float }
      longitude: { type: float }
      staff: { type: integer, additive: all }
  shops.regions:
    files: regions.csv
    key: [id]
    totals: { id: all }
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: string }
      latitude: { type: float }
      longitude: { type: float }
      staff: { type: integer, additive: all }
  shops.staff:
    files: staff.csv
    key: [id, month]
    period: { start: month, end: month }
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: string }
      month: { type: date }
      latitude: { type: float }
      longitude: { type: float }
      staff: { type: integer, additive: places }
`;

/** 3,000 shops in two months, so that there are cells of one month. */
const STAFF = [
  'id,month,latitude,longitude,staff',
  ...Array.from({ length: 3000 }, (_, index) =>
    ['2025-01-01', '2025-02-01'].map(
      (month) => `${index},${month},${39.9 + (index % 50) / 500},${-75.2 + index / 15_000},3`,
    ),
  ).flat(),
].join('\n');

test('cells that are too small to show their sum are hatched, and the legend says so', async () => {
  const token = createCaller('reader');
  const { page, complaints } = await explorer.open(
    '/datasets/shops.places/map?at=%5B-88,40,1.5%5D&colour=sum:visitors',
    { token },
  );
  await drawn(page);
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByText('No value, or too few records to show it').waitFor();
  await legend.getByText(/^Sum of visitors in each cell/).waitFor();
  expect(complaints).toEqual([]);
});

test('what adds up over places only has a sum in one period, and a mean in several', async () => {
  const filter = '&filters=[{"fieldName":"month","operator":"==","value":"2025-01-01"}]';
  const { page, complaints } = await explorer.open(
    `/datasets/shops.staff/map?at=%5B-75.1,40,6%5D&colour=sum:staff${filter}`,
    { token: createCaller('counter') },
  );
  await drawn(page);
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByText(/^Sum of staff in each cell/).waitFor();
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await legend.getByText(/^Mean of staff in each cell/).waitFor();
  await page.getByRole('button', { name: /Colour by/ }).click();
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option', { name: /^Sum of/ }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('of records with totals of others, the map shows the totals and says so, or with one press their parts', async () => {
  const { page, complaints } = await explorer.open('/datasets/shops.totals/map', {
    token: createCaller('summer'),
  });
  await drawn(page);
  await page.getByText('Shown are those: id is 0.').waitFor();
  await page.getByText('Map with 2 records in view').waitFor();
  await page.getByRole('button', { name: /Colour by$/ }).click();
  await page.getByRole('option', { name: 'Sum of staff' }).click();
  await page.getByRole('button', { name: 'Show their parts' }).click();
  await page.getByText('Map with 2 records in view').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove id is not 0' }).waitFor();
  expect(await page.getByText('Shown are those').count()).toBe(0);
  expect(complaints.filter((one) => !one.includes('status of 400'))).toEqual([]);
});

test('a total without a point is left out of the map', async () => {
  const { page, complaints } = await explorer.open('/datasets/shops.regions/map', {
    token: createCaller('regional'),
  });
  await drawn(page);
  await page.getByText('Shown are their parts: id is not all.').waitFor();
  await page.getByText('Map with 2 records in view').waitFor();
  await page.getByRole('button', { name: /Colour by$/ }).click();
  await page.getByRole('option', { name: 'Sum of staff' }).waitFor();
  expect(complaints.filter((one) => !one.includes('status of 400'))).toEqual([]);
});

test.each([
  ['records', MAP],
  ['places of a metric', '/metrics/nps/foot_traffic_monthly'],
])(
  'a map of %s whose drawing surface is taken away says so, and is drawn again',
  async (_, path) => {
    const { page } = await explorer.open(path);
    await drawn(page);
    const map = page.getByRole('region', { name: 'Map', exact: true });
    const lose = (isGivenBack: boolean) =>
      map.locator('canvas').evaluate((canvas: HTMLCanvasElement, isBack) => {
        const taken = canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context');
        if (isBack)
          canvas.addEventListener('webglcontextlost', () =>
            requestAnimationFrame(() => taken?.restoreContext()),
          );
        taken?.loseContext();
      }, isGivenBack);
    const alert = page
      .getByRole('alert')
      .filter({ hasText: 'The browser stopped drawing the map.' });
    await lose(false);
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await drawn(page);
    await map.locator('canvas').evaluate((canvas) => canvas.setAttribute('data-before', ''));
    await lose(true);
    // The browser gives it back by itself.
    await page.locator('canvas[data-before]').waitFor({ state: 'detached' });
    await drawn(page);
    expect(await alert.count()).toBe(0);
  },
);

test('records at one point are listed, and markup in a name stays text', async () => {
  const { page, complaints } = await explorer.open(
    '/datasets/shops.places/map?at=%5B-100,40,13%5D',
    { token: createCaller('lister') },
  );
  await drawn(page);
  await page.getByRole('region', { name: 'Map', exact: true }).click();
  const list = page.getByRole('region', { name: '2 records here' });
  await list.getByRole('button', { name: '<b>Bold</b> shop' }).click();
  const record = page.getByRole('region', { name: '<b>Bold</b> shop' });
  await record.getByText('visitors').waitFor();
  expect(complaints).toEqual([]);
});

test('a limit that is reached is told with the time to wait', async () => {
  const token = createCaller('limited', ['--rows-per-day', '10']);
  const { page } = await explorer.open(MAP, { token });
  const alert = page.getByRole('alert');
  await alert.getByText(/rows/).first().waitFor();
  await page.getByText(/Wait \d+ \w+ before you try again/).waitFor();
  await alert.getByRole('button', { name: 'Try again' }).waitFor();
});

test('a token that is revoked while the map moves asks for another', async () => {
  const { sample } = explorer;
  const args = ['token', 'create', '--org', 'demo', '--name', 'short', '--json'];
  const { token, tokenId } = JSON.parse(runOnSample(sample, args));
  const { page } = await explorer.open(MAP, { token });
  await drawn(page);
  // The count is asked for last; a request that is under way would be refused before the map moves.
  await page.getByText('Map with 63 records in view').waitFor();
  runOnSample(sample, ['token', 'revoke', tokenId]);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByText('Sign in again to continue.').waitFor();
});

test('tiles that got no answer are read once the service is back', async () => {
  const { page } = await explorer.open(MAP);
  await drawn(page);
  await explorer.stop();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByRole('alert').filter({ hasText: 'tries again every two seconds' }).waitFor();
  const tile = page.waitForResponse((response) => response.url().includes('.mvt') && response.ok());
  await explorer.start();
  await tile;
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('a browser without WebGL is told what to do', async () => {
  const { page } = await explorer.open('/datasets/ml_visitation.places');
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Switch on hardware acceleration').waitFor();
  expect(await alert.getByRole('link').getAttribute('href')).toContain('/records');
});

/** An organisation that sees all but small cells, with a token. */
function createCaller(id: string, limits: readonly string[] = []): string {
  const { sample } = explorer;
  runOnSample(sample, ['org', 'create', id, '--id', id]);
  runOnSample(sample, ['grant', 'add', id, '*']);
  if (limits.length > 0) runOnSample(sample, ['limits', 'set', id, ...limits]);
  return JSON.parse(
    runOnSample(sample, ['token', 'create', '--org', id, '--name', 'test', '--json']),
  ).token;
}

async function drawn(page: Page): Promise<void> {
  await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
}
