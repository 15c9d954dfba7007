import type { AddressComponent, Layer } from '@locmetrics/core/domain/layer';
import type { Metric } from '@locmetrics/core/domain/metric';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { combineVersions } from '@locmetrics/core/domain/version-name';
import { resolveMetrics } from '@locmetrics/data-directory/versions/resolve-metrics';
import { expect, test } from 'vitest';

const MONDAY = '20240101T000000000Z-0123456789ab';
const TUESDAY = '20240102T000000000Z-0123456789ab';

function versionOf(
  name: string,
  declared: Partial<Pick<DatasetVersion, 'layers' | 'metrics' | 'version'>> = {},
): DatasetVersion {
  return {
    dataset: {
      name,
      productDisplayName: '',
      productDescription: '',
      displayName: name,
      description: '',
      fields: [],
      key: ['id'],
    },
    layers: [],
    metrics: [],
    version: MONDAY,
    publishedTime: '2024-01-01T00:00:00.000Z',
    rowCount: 0,
    ...declared,
  };
}

function layer(id: string, components: Readonly<Record<string, AddressComponent['kind']>>): Layer {
  return {
    id,
    displayName: id,
    description: '',
    attribution: '',
    featureDisplayName: '',
    featureId: 'id',
    name: 'name',
    addressComponents: Object.entries(components).map(([component, kind]) => ({
      component,
      kind,
      shortName: component,
      displayName: component,
      description: '',
      mapLayerId: '',
      fields: { value: component },
    })),
  };
}

function metric(metricId: string, declared: Partial<Metric> = {}): Metric {
  return {
    catalogId: 'shop',
    metricId,
    displayName: metricId,
    description: '',
    layerId: 'stores',
    featureId: 'id',
    cadence: 'daily',
    period: { start: { field: 'day' }, end: { field: 'day' } },
    measures: [],
    dimensions: [],
    defaultFilters: [],
    flags: [],
    lifecycleStage: 'stable',
    releaseNotes: '',
    ...declared,
  };
}

const STORES = versionOf('shop.stores', {
  layers: [layer('stores', { city: 'free_form', is_open: 'taxonomy' })],
  version: TUESDAY,
});

/** The reasons why metrics are incomplete, by metric. */
function reasonsOf(...versions: readonly DatasetVersion[]): Readonly<Record<string, string>> {
  const { incomplete } = resolveMetrics(versions);
  return Object.fromEntries(incomplete.map(({ metric, reason }) => [metric.metricId, reason]));
}

test('a metric whose layer exists is complete, and has its own version', () => {
  const visits = versionOf('shop.visits', { metrics: [metric('visits')] });
  const { layers, metrics, incomplete } = resolveMetrics([visits, STORES]);
  expect(metrics.get('shop/visits')).toEqual({
    metric: visits.metrics[0],
    values: visits,
    layer: { layer: STORES.layers[0], features: STORES },
    version: combineVersions([MONDAY, TUESDAY]),
  });
  expect(layers.get('stores')).toBe(metrics.get('shop/visits')?.layer);
  expect(incomplete).toEqual([]);
});

test('a metric over the dataset of its layer has the version of that dataset', () => {
  const both = { ...STORES, metrics: [metric('area')] };
  expect(resolveMetrics([both]).metrics.get('shop/area')?.version).toBe(TUESDAY);
});

test('a metric whose layer is missing is incomplete', () => {
  const visits = versionOf('shop.visits', { metrics: [metric('visits')] });
  expect(resolveMetrics([visits]).metrics.size).toBe(0);
  expect(reasonsOf(visits)).toEqual({
    visits: "No published dataset declares its layer 'stores'.",
  });
});

test('a metric needs its related layer too, and carries it', () => {
  const related = { layerId: 'homes', featureId: 'home', relationType: 'origin-destination' };
  const trips = versionOf('shop.trips', { metrics: [metric('trips', { related })] });
  expect(reasonsOf(trips, STORES)).toEqual({
    trips: "No published dataset declares its related layer 'homes'.",
  });
  expect(reasonsOf(trips)).toEqual({
    trips:
      "No published dataset declares its layer 'stores'. No published dataset declares its related layer 'homes'.",
  });
  const homes = versionOf('homes.homes', {
    layers: [layer('homes', {})],
    version: '20240103T000000000Z-0123456789ab',
  });
  const complete = resolveMetrics([trips, STORES, homes]).metrics.get('shop/trips');
  expect(complete?.relatedLayer?.features).toBe(homes);
  expect(complete?.version).toMatch(/^20240103T000000000Z-[0-9a-f]{12}$/);
});

test('a metric needs the components of its default filters, of a kind that can be filtered on', () => {
  const filteredBy = (metricId: string, component: string): Metric =>
    metric(metricId, { defaultFilters: [{ component, values: ['true'] }] });
  const metrics = [
    filteredBy('right', 'is_open'),
    filteredBy('missing', 'is_closed'),
    filteredBy('free', 'city'),
  ];
  const visits = versionOf('shop.visits', { metrics });
  expect([...resolveMetrics([visits, STORES]).metrics.keys()]).toEqual(['shop/right']);
  expect(reasonsOf(visits, STORES)).toEqual({
    free: "The component 'city' of its layer 'stores' is free_form, but its default filters name it.",
    missing: "Its layer 'stores' has no component 'is_closed', which its default filters name.",
  });
});

test('layers and metrics are ordered by name, in any order of the datasets', () => {
  const far = ['b', 'a'].map((id) => layer(id, {}));
  const versions = [
    versionOf('z.z', { layers: far, metrics: [metric('b', { layerId: 'b' }), metric('d')] }),
    versionOf('a.a', { metrics: [metric('c', { layerId: 'a' }), metric('a', { layerId: 'b' })] }),
    versionOf('b.b', { metrics: [metric('c0')] }),
  ];
  const { layers, metrics, incomplete } = resolveMetrics(versions);
  expect([...layers.keys()]).toEqual(['a', 'b']);
  expect([...metrics.keys()]).toEqual(['shop/a', 'shop/b', 'shop/c']);
  expect(incomplete.map(({ metric }) => metric.metricId)).toEqual(['c0', 'd']);
});

test('of two declarations over two datasets, the one of the first dataset by name counts', () => {
  const [first, second] = ['a.a', 'b.b'].map((name) =>
    versionOf(name, { layers: [layer('stores', {})], metrics: [metric('visits')] }),
  );
  if (first === undefined || second === undefined) throw new Error('There are two.');
  const { layers, metrics } = resolveMetrics([second, first]);
  expect(layers.get('stores')?.features).toBe(first);
  expect(metrics.get('shop/visits')?.values).toBe(first);
});
