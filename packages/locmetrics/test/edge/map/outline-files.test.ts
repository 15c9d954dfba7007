import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { openRowFiles } from '@locmetrics/row-store/engine/open-row-files';
import { openOutlines } from '@locmetrics/row-store/routing/open-outlines';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WHOLE_PUBLISH } from '../../importer/whole-publish.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { DISTRICT_FILES, square } from './districts.ts';
import { featuresOf } from './read-tile-of.ts';

/** The outlines of a version as they are in its row file, or are not. */

let data: TestData;
let server: TestServer | undefined;
beforeEach(async () => {
  data = await createTestData();
  await data.publishFiles(DISTRICT_FILES);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await data.remove();
});

function rowFile(): string {
  const { datasets } = openCatalog(data.directory).snapshot();
  const version = datasets.get('city.districts')?.version ?? '';
  return join(data.directory.version('city.districts', version), 'rows.sqlite');
}

function changeRowFile(sql: string): void {
  const database = new DatabaseSync(rowFile());
  database.exec(sql);
  database.close();
}

const LAYER = '/v1/catalogs/city/layers/districts';

async function idsOfTile(): Promise<readonly unknown[]> {
  server ??= await openTestServer(data);
  const answer = await fetch(`${server.url}${LAYER}/tiles/5/16/11.mvt`, {
    headers: { authorization: `Bearer ${data.token}` },
  });
  if (answer.status === 204) return [];
  if (answer.status !== 200) return [answer.status, JSON.parse(await answer.text()).reason];
  return featuresOf(new Uint8Array(await answer.arrayBuffer())).map(
    ({ properties }) => properties['id'],
  );
}

async function polygonCount(): Promise<number> {
  server ??= await openTestServer(data);
  const { text } = await server.send(`${LAYER}/features`);
  const { featuresList } = JSON.parse(text);
  return featuresList.filter(({ polygon }: { readonly polygon: string }) => polygon !== '').length;
}

test('without a row file, features have their outlines, and tiles are not ready', async () => {
  await rm(rowFile());
  expect(await idsOfTile()).toEqual([503, 'NOT_READY']);
  expect(await polygonCount()).toBe(4);
});

test('a row file without outlines is used for all else', async () => {
  changeRowFile(`UPDATE facts SET facts = json_remove(facts, '$.outlines')`);
  expect(await idsOfTile()).toEqual([503, 'NOT_READY']);
  expect(await polygonCount()).toBe(4);
});

test.each([
  ['ends early', `UPDATE outlines SET data = substr(data, 1, length(data) - 1)`],
  ['is missing', 'DELETE FROM outlines'],
])('a row file in which an outline %s is used no more', async (_, sql) => {
  changeRowFile(sql);
  const version = openCatalog(data.directory).snapshot().datasets.get('city.districts');
  if (version === undefined) throw new Error('There is no version.');
  const leftOut: unknown[] = [];
  const rows = openRowFiles({
    directoryOf: ({ dataset, version: name }) => data.directory.version(dataset.name, name),
    isChecked: () => true,
    onLeftOut: (_version, error) => leftOut.push(error),
  });
  const outlines = openOutlines(rows);
  const tile = { z: 5, x: 16, y: 11 };
  const found = outlines.find(version, tile);
  expect(found?.count).toBe(4);
  expect(() => found?.outlineAt(0)).toThrow(expect.objectContaining({ reason: 'NOT_READY' }));
  expect(leftOut).toEqual([expect.any(RangeError)]);
  expect([outlines.find(version, tile), outlines.all(version)]).toEqual([undefined, undefined]);
  rows.close();
});

test('features that are added by a publish are in the tiles, with those of before', async () => {
  const folder = await data.folder('added');
  const geojson = {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { id: 'd0', name: 'New', city: 'Thun' },
        geometry: square(9, 46, 1),
      },
    ],
  };
  const sources = await data.folder('sources');
  await copyFile(join(sources, 'locmetrics.yaml'), join(folder, 'locmetrics.yaml'));
  await writeFile(join(folder, 'districts.geojson'), JSON.stringify(geojson));
  await publish({
    ...WHOLE_PUBLISH,
    manifestPath: join(folder, 'locmetrics.yaml'),
    datasetNames: ['city.districts'],
    directory: data.directory,
    memoryLimitBytes: 2 ** 30,
    clock: () => Date.parse('2024-05-01T00:00:00Z'),
    mode: { kind: 'append' },
  });
  expect(await idsOfTile()).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
  expect(await polygonCount()).toBe(5);
});
