import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { type Explorer, openExplorer } from './explorer.ts';

const PLACES = 1_000_000;

let explorer: Explorer;
let folder: string;
beforeAll(async () => {
  explorer = await openExplorer();
  folder = temporaryFolder();
  await pipeline(Readable.from(places()), createWriteStream(join(folder, 'places.csv')));
  writeFileSync(join(folder, 'locmetrics.yaml'), MANIFEST);
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
});
afterAll(async () => {
  await explorer.close();
});

const MANIFEST = `format: 1
products:
  million: { display_name: Million }
datasets:
  million.places:
    files: places.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: integer }
      name: { type: string }
      latitude: { type: float }
      longitude: { type: float }
      visitors: { type: integer }
`;

/** Places on a spiral around a middle of the country: dense there, few at its edges. */
function* places(): Generator<string> {
  yield 'id,name,latitude,longitude,visitors\n';
  for (let id = 0; id < PLACES; id += 1) {
    const share = id / PLACES;
    const turn = id * 2.399963;
    const latitude = 39 + 9 * share * Math.sin(turn);
    const longitude = -98 + 24 * share * Math.cos(turn);
    yield `${id},Place ${id},${latitude.toFixed(6)},${longitude.toFixed(6)},${id % 1000}\n`;
  }
}

test('a million places are on the map, as cells from afar and as points from near', async () => {
  const { page, complaints } = await explorer.open('/datasets/million.places/map');
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await page.getByText('Map with 1,000,000 records in view').waitFor();
  await page
    .getByRole('region', { name: 'Legend' })
    .getByText(/^Records in each cell/)
    .waitFor();
  // Far from the middle, where places are a hundred metres apart.
  await page.goto(`${explorer.url}/#/datasets/million.places/map?at=%5B-122,39,14%5D`);
  await page.getByText(/^Map with \d{1,3} records in view$/).waitFor();
  await map.and(page.locator('[aria-busy=false]')).waitFor();
  // A million places of the same box are counted by the service.
  await page.goto(`${explorer.url}/#/datasets/million.places/records?box=%5B-122,38,-121,40%5D`);
  const shown = await page.getByText(/^Records 1–50 of /).textContent();
  const counted = await page.request.post(`${explorer.url}/v3/catalog/listRecords`, {
    headers: { authorization: `Bearer ${explorer.sample.environment['LOCMETRICS_TOKEN']}` },
    data: {
      dataReferenceName: 'million.places',
      options: { boundingBox: { minLng: -122, minLat: 38, maxLng: -121, maxLat: 40 } },
      pageSize: 1,
    },
  });
  const { totalSize }: { readonly totalSize: number } = await counted.json();
  expect(totalSize).toBeGreaterThan(1000);
  expect(shown).toBe(`Records 1–50 of ${totalSize.toLocaleString('en-US')}`);
  expect(complaints).toEqual([]);
});
