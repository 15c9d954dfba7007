import type { DataReference, Metric } from '@locmetrics/client';
import { expect, test } from 'vitest';
import { findPlacesQuery, placeSources } from '../src/data/find-queries.ts';
import { hasWords } from '../src/format/words.ts';
import { findThings } from '../src/views/find/find-things.ts';

const field = (name: string, description = '') => ({
  name,
  description,
  type: 'COLUMN_TYPE_STRING',
});
const dataset = (name: string, display: string, more: object = {}) =>
  // Only what is searched.
  ({
    name,
    dataListingDisplayName: display,
    dataListingDescription: '',
    dataProductDisplayName: 'Product',
    fields: [],
    options: { boundingBox: { available: false } },
    ...more,
  }) as unknown as DataReference;
const metric = (id: string, listing: string, more: object = {}) =>
  ({ id, listing, catalogId: 'c', layerId: 'l', description: '', ...more }) as unknown as Metric;

const DATASETS = [
  dataset('p.many', 'More cafés', { fields: [field('city', 'The town of the café.')] }),
  dataset('p.cafes', 'Cafés', { fields: [field('cafe_id'), field('name')] }),
  dataset('p.banks', 'بنوك'),
];
const find = (text: string) =>
  findThings({ datasets: DATASETS, metrics: [metric('visits', 'Visits to cafés')] }, text).map(
    ({ name, things }) => [name, things.map(({ id }) => id)],
  );

test('things are found by words, without case and diacritics, the best first', () => {
  expect(find('CAFE')).toEqual([
    ['Datasets', ['dataset/p.cafes', 'dataset/p.many']],
    ['Metrics', ['metric/c/visits']],
    ['Fields', ['field/p.cafes/cafe_id', 'field/p.many/city']],
  ]);
  expect(find('more cafe')).toEqual([
    ['Datasets', ['dataset/p.many']],
    ['Fields', ['field/p.many/city']],
  ]);
  expect(find('town')).toEqual([['Fields', ['field/p.many/city']]]);
  expect(find('بنوك')).toEqual([['Datasets', ['dataset/p.banks']]]);
  expect(find('cafes nowhere')).toEqual([]);
});

test('without a text, all datasets and metrics are listed, and no fields', () => {
  expect(find(' ').map(([name]) => name)).toEqual(['Datasets', 'Metrics']);
});

test('places are searched in layers and in named points, those of the dataset in view first', () => {
  const point = { options: { boundingBox: { available: true } }, fields: [field('shop_name')] };
  const datasets = [dataset('p.shops', 'Shops', point), dataset('p.parks', 'Parks', point)];
  const metrics = [
    metric('visits', 'Visits', {
      dataReferenceName: 'p.month',
      featureDataReferenceName: 'p.parks',
    }),
    metric('stays', 'Stays', { dataReferenceName: 'p.month', featureDataReferenceName: 'p.parks' }),
  ];
  const sourcesIn = (inView?: string) =>
    placeSources({ datasets, metrics }, inView).map((source) =>
      source.kind === 'layer' ? source.metric.id : source.dataset.name,
    );
  expect(sourcesIn()).toEqual(['visits', 'p.shops']);
  expect(sourcesIn('p.shops')).toEqual(['p.shops', 'visits']);
});

test('sources are searched twelve at a time, up to the last', () => {
  // Nothing is asked.
  const session = { client: {} } as Parameters<typeof findPlacesQuery>[0];
  const shops = Array.from({ length: 30 }, (_, index) => dataset(`p.shops${index}`, 'Shops'));
  const sources = shops.map((of) => ({ kind: 'dataset', dataset: of, field: 'name' }) as const);
  const { getNextPageParam } = findPlacesQuery(session, { text: 'cafe', sources });
  expect([0, 12, 24].map((start) => getNextPageParam([], [], start, []))).toEqual([
    ...[12, 24, undefined],
  ]);
});

test('texts are found without case, accents, and vowel points of Arabic and Hebrew', () => {
  expect(hasWords('Île-de-France', 'ile france')).toBe(true);
  expect(hasWords('مُحَمَّد', 'محمد')).toBe(true);
  expect(hasWords('יְרוּשָׁלַיִם', 'ירושלים')).toBe(true);
  // Marks of other scripts make other letters.
  expect(hasWords('がく', 'かく')).toBe(false);
});
