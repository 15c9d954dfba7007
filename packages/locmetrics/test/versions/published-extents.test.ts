import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { MetricExtent } from '@locmetrics/core/domain/metric-extent';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { narrowMetric } from '@locmetrics/core/plan/narrow-metric';
import type { Engine } from '@locmetrics/core/storage/engine';
import { EXTENTS_FILE } from '@locmetrics/data-directory/versions/data-directory';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { findExtent } from '@locmetrics/data-directory/versions/published-extents';
import { openMetricExtents, queryExtent } from '@locmetrics/server/service/extents';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestData, type TestData } from '../edge/test-data.ts';

const FILES = {
  'locmetrics.yaml': `format: 1
datasets:
  shop.places:
    files: places.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string }
      kind: { type: string }
  shop.visits:
    files: visits.csv
    key: [id, day]
    period: { start: day, end: day }
    fields:
      id: { type: string }
      day: { type: date }
      visits: { type: integer }
layers:
  places:
    display_name: Places
    dataset: shop.places
    feature_id: id
    name: name
    address_components: { kind: { value: kind, kind: taxonomy, label: Kind } }
metrics:
  shop/all:
    display_name: All
    dataset: shop.visits
    layer: places
    feature_id: id
    cadence: daily
    measure: { name: visits, field: visits, kind: count, unit: Visits }
  shop/open:
    display_name: Open
    dataset: shop.visits
    layer: places
    feature_id: id
    cadence: daily
    default_filters: { kind: [open] }
    measure: { name: visits, field: visits, kind: count, unit: Visits }
`,
  'places.csv': 'id,name,kind\na,A,open\nb,B,closed\n',
  'visits.csv': 'id,day,visits\na,2024-01-01,1\na,2024-01-02,2\nb,2024-01-03,3\nb,2024-01-04,4\n',
};

/** A busy machine publishes the sample, or three times, in half a minute. */
const PUBLISH_TIMEOUT_MS = 180_000;

let data: TestData;
let engine: Engine;
const directoryOf = ({ dataset, version }: Parameters<Parameters<typeof findExtent>[1]>[0]) =>
  data.directory.version(dataset.name, version);

// A publish that did not end in time fails its test alone.
beforeEach(async () => {
  data = await createTestData();
  await mkdir(data.directory.temporary, { recursive: true });
  engine = await openDuckdbEngine({
    directoryOf,
    temporaryDirectory: data.directory.temporary,
    memoryLimitBytes: 2 ** 28,
    threads: 1,
    connectionsMax: 1,
    waitingMax: 1,
  });
});
afterEach(async () => {
  await engine.close();
  await data.remove();
});

function metricsNow(): ReadonlyMap<string, MetricVersion> {
  return openCatalog(data.directory).snapshot().metrics;
}

function metricNow(name: string): MetricVersion {
  const version = metricsNow().get(name);
  if (version === undefined) throw new Error(`There is no metric ${name}.`);
  return version;
}

/** The published extents of the current metrics, after each was compared with a query. */
async function extentsNow(): Promise<Record<string, MetricExtent | undefined>> {
  const found: Record<string, MetricExtent | undefined> = {};
  for (const [name, version] of metricsNow()) {
    found[name] = findExtent(version, directoryOf);
    const queried = await queryExtent(engine, version, new AbortController().signal);
    expect(found[name]).toEqual(queried);
  }
  return found;
}

test('a publish writes the extents of the metrics that it changes, by their values or their layer', {
  timeout: PUBLISH_TIMEOUT_MS,
}, async () => {
  await data.publishFiles(FILES);
  const days = (firstDay: string, lastDay: string, count: number, isWhole: boolean) => ({
    firstDay,
    lastDay,
    count,
    isWhole,
  });
  expect(await extentsNow()).toEqual({
    'shop/all': days('2024-01-01', '2024-01-04', 4, true),
    'shop/open': days('2024-01-01', '2024-01-02', 2, false),
  });
  const closed = { ...FILES, 'places.csv': 'id,name,kind\na,A,closed\nb,B,open\n' };
  await data.publishFiles(closed, '2024-01-02T00:00:00.000Z', 'shop.places');
  expect((await extentsNow())['shop/open']).toEqual(days('2024-01-03', '2024-01-04', 2, false));
  const fewer = { ...FILES, 'places.csv': 'id,name,kind\na,A,closed\n' };
  await data.publishFiles(fewer, '2024-01-03T00:00:00.000Z', 'shop.places');
  expect(await extentsNow()).toEqual({
    'shop/all': days('2024-01-01', '2024-01-02', 2, false),
    'shop/open': { firstDay: null, lastDay: null, count: 0, isWhole: false },
  });
});

test('the extents of a metric with a related layer, and of the sample, are those of a query', {
  timeout: PUBLISH_TIMEOUT_MS,
}, async () => {
  await data.publishManifest(join(import.meta.dirname, '../../sample/locmetrics.yaml'));
  const extents = await extentsNow();
  expect(Object.keys(extents).length).toBeGreaterThan(2);
});

test('a damaged file of extents is left out', async () => {
  await data.publishFiles(FILES);
  const version = metricNow('shop/all');
  expect(findExtent(version, directoryOf)).toMatchObject({ count: 4 });
  const path = join(directoryOf(version.values), EXTENTS_FILE);
  const text = await readFile(path, 'utf8');
  for (const damaged of [text.replace('"count": 4', '"count": 5'), text.slice(0, 50), '', '[]']) {
    await writeFile(path, damaged);
    expect(findExtent(version, directoryOf)).toBeUndefined();
  }
  await writeFile(path, text);
  expect(findExtent(version, directoryOf)).toMatchObject({ count: 4 });
});

test('a published extent is used for callers who see everything, and for no others', async () => {
  await data.publishFiles(FILES);
  const version = metricNow('shop/all');
  const extents = openMetricExtents(engine, {
    published: (one) => findExtent(one, directoryOf),
  });
  const current = openCatalog(data.directory).snapshot().datasets;
  const whole = narrowMetric(version, wholeGrant('whole', '*'), current);
  expect(extents.known(version)).toMatchObject({ count: 4 });
  expect(extents.known(whole)).toMatchObject({ count: 4 });
  const part = {
    ...wholeGrant('part', '*'),
    filters: [{ fieldName: 'id', operator: '==', value: 'b', values: [] }],
  };
  const narrowed = narrowMetric(version, part, current);
  expect(extents.known(narrowed)).toBeUndefined();
  expect(await extents.read(narrowed, new AbortController().signal)).toEqual({
    firstDay: '2024-01-03',
    lastDay: '2024-01-04',
    count: 2,
    isWhole: true,
  });
});
