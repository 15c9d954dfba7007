import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFeatures } from '@locmetrics/ingest/formats/features/open-features';
import { inspectSourceFile } from '@locmetrics/ingest/formats/source-file';
import { PLAIN_READING } from '@locmetrics/ingest/manifest/manifest';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { zipArchive } from './zip-archive.ts';

const readFixture = (name: string) =>
  readFile(fileURLToPath(new URL(`../../fixtures/geo/${name}`, import.meta.url)));

test.each([
  ['a shapefile', 'shapefile', 'countries.shp.zip', undefined, (bytes: Buffer) => bytes],
  ['a GeoPackage', 'geopackage', 'places.gpkg', 'countries', (bytes: Buffer) => bytes],
  [
    'a GeoPackage in an archive',
    'geopackage',
    'places.gpkg',
    'countries',
    (bytes: Buffer) => zipArchive({ 'places.gpkg': bytes }),
  ],
] as const)('the part of %s that was copied is reported', async (_, format, name, member, pack) => {
  await using folder = scopedFolder();
  const path = join(folder.path, name);
  await writeFile(path, pack(await readFixture(name)));
  const inspected = await inspectSourceFile({
    path,
    label: name,
    remote: undefined,
    number: 0,
    manifestPlace: 'files',
    format,
    stop: undefined,
  });
  if ('problem' in inspected) throw new Error(inspected.problem.reason);
  const fractions: number[] = [];
  const file = { ...inspected.file, onRead: (fraction: number) => fractions.push(fraction) };
  const features = await openFeatures(file, {
    format,
    reading: { ...PLAIN_READING, member },
    needs: { point: true, outline: false },
    limits: { unpackedBytesMax: 2 ** 30, documentBytesMax: 2 ** 28 },
    folder: folder.path,
  });
  for await (const _line of features.text);
  features.close();
  expect(fractions.length).toBeGreaterThan(0);
  expect(fractions).toEqual(fractions.toSorted((left, right) => left - right));
  expect(fractions.every((fraction) => fraction > 0 && fraction <= 1)).toBe(true);
  expect(fractions.at(-1)).toBe(1);
});
