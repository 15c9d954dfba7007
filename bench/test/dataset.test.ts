import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { useTemporaryFolder } from '../../packages/locmetrics/test/support/use-temporary-folder.ts';
import { DATASET_FILES } from '../src/dataset/dataset-files.ts';
import { openDatasetReader } from '../src/dataset/dataset-reader.ts';
import { monthStart, nameWord, placeId, type World, worldName } from '../src/dataset/world.ts';
import { writeDataset } from '../src/dataset/write-dataset.ts';
import { findPartnerPlaces } from '../src/workloads/partner-series.ts';

const inFolder = useTemporaryFolder();
const WORLD: World = { seed: 7, places: 500, months: 5, longPlaces: 3, names: 20_000 };

beforeAll(() => writeDataset(inFolder('first'), WORLD));

async function digestsOf(folder: string): Promise<readonly string[]> {
  const files = await Promise.all(
    DATASET_FILES.map((name) => readFile(join(folder, `${name}.parquet`))),
  );
  return files.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
}

test('the same seed gives the same bytes, another seed gives other rows', async () => {
  await writeDataset(inFolder('second'), WORLD);
  await writeDataset(inFolder('other'), { ...WORLD, seed: 8 });
  const first = await digestsOf(inFolder('first'));
  expect(await digestsOf(inFolder('second'))).toEqual(first);
  expect(new Set([...first, ...(await digestsOf(inFolder('other')))]).size).toBe(10);
});

test('folders of different parameters have different names', () => {
  const worlds = [
    WORLD,
    { ...WORLD, seed: 8 },
    { ...WORLD, names: 1 },
    { ...WORLD, months: 6 },
    { ...WORLD, longPlaces: 4 },
  ];
  expect(new Set(worlds.map(worldName)).size).toBe(5);
  expect(worldName({ ...WORLD })).toBe(worldName(WORLD));
});

test('requests use ids and names that are in the files', async () => {
  await using dataset = await openDatasetReader(inFolder('first'));
  const { places, months, longPlaces, names } = WORLD;
  expect(await dataset.rows('SELECT location_id FROM places ORDER BY location_id')).toEqual(
    Array.from({ length: places }, (_, index) => [placeId(index)]),
  );
  expect(
    await dataset.rows('SELECT DISTINCT observation_start_date FROM visits ORDER BY 1'),
  ).toEqual(Array.from({ length: months }, (_, index) => [monthStart(WORLD, index)]));
  expect(
    await dataset.rows(
      'SELECT count(*)::INTEGER, count(DISTINCT (location_id, observation_start_date))::INTEGER, min(visits) > 0 FROM visits',
    ),
  ).toEqual([[places * months, places * months, true]]);
  expect(
    await dataset.rows(
      `SELECT location_id, count(DISTINCT observation_start_date)::INTEGER, min(observation_start_date), max(observation_end_date)
       FROM long_visits GROUP BY 1 ORDER BY 1`,
    ),
  ).toEqual(
    Array.from({ length: longPlaces }, (_, index) => [
      placeId(index),
      540,
      '1979-01-01',
      '2023-12-31',
    ]),
  );
  expect(await dataset.rows('SELECT count(DISTINCT name)::INTEGER FROM names')).toEqual([[names]]);
  const words = await dataset.rows(
    "SELECT lower(split_part(name, ' ', 2)) FROM names ORDER BY name_id",
  );
  expect(words).toEqual(Array.from({ length: names }, (_, index) => [nameWord(index)]));
});

test('the partner sees about half of the places', async () => {
  await using dataset = await openDatasetReader(inFolder('first'));
  const indexes = await findPartnerPlaces(dataset);
  expect(indexes.length).toBeGreaterThan(0.4 * WORLD.places);
  expect(indexes.length).toBeLessThan(0.6 * WORLD.places);
  const [index = -1] = indexes;
  expect(
    await dataset.rows('SELECT us_state_2020 FROM places WHERE location_id = $1', [placeId(index)]),
  ).toEqual([[expect.stringMatching(/^(36|06|17|48|42)$/)]]);
});
