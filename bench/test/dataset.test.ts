import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DATASET_FILES } from '../src/dataset/dataset-files.ts';
import { openDatasetReader } from '../src/dataset/dataset-reader.ts';
import { monthStart, nameWord, placeId, type World, worldName } from '../src/dataset/world.ts';
import { writeDataset } from '../src/dataset/write-dataset.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();
const WORLD: World = { seed: 7, places: 500, months: 5, names: 20_000 };

async function digestsOf(folder: string): Promise<readonly string[]> {
  const files = await Promise.all(
    DATASET_FILES.map((name) => readFile(join(folder, `${name}.parquet`))),
  );
  return files.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
}

test('the same seed gives the same bytes, another seed gives other rows', async () => {
  await writeDataset(inFolder('first'), WORLD);
  await writeDataset(inFolder('second'), WORLD);
  await writeDataset(inFolder('other'), { ...WORLD, seed: 8 });
  const first = await digestsOf(inFolder('first'));
  expect(await digestsOf(inFolder('second'))).toEqual(first);
  expect(new Set([...first, ...(await digestsOf(inFolder('other')))]).size).toBe(6);
});

test('folders of different parameters have different names', () => {
  const worlds = [WORLD, { ...WORLD, seed: 8 }, { ...WORLD, names: 1 }, { ...WORLD, months: 6 }];
  expect(new Set(worlds.map(worldName)).size).toBe(4);
  expect(worldName({ ...WORLD })).toBe(worldName(WORLD));
});

test('requests use ids and names that are in the files', async () => {
  await writeDataset(inFolder('files'), WORLD);
  await using dataset = await openDatasetReader(inFolder('files'));
  const { places, months, names } = WORLD;
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
  expect(await dataset.rows('SELECT count(DISTINCT name)::INTEGER FROM names')).toEqual([[names]]);
  const words = await dataset.rows(
    "SELECT lower(split_part(name, ' ', 2)) FROM names ORDER BY name_id",
  );
  expect(words).toEqual(Array.from({ length: names }, (_, index) => [nameWord(index)]));
});
