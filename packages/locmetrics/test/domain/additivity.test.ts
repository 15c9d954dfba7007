import { additivityOf, axesOf, defaultAdditivity } from '@locmetrics/core/domain/additivity';
import { expect, test } from 'vitest';
import { defineLayer } from '../conformance/metrics/define-layer.ts';
import { defineMetric } from '../conformance/metrics/define-metric.ts';
import { defineTable } from '../conformance/table.ts';

test.each([
  'visits',
  'person_count',
  'trips',
  'births',
  'population',
  'tent_campers',
  'visits_month',
  'days',
  'hours',
])('the integers of %s add up', (name) => {
  expect(defaultAdditivity({ name, type: 'integer' })).toBe('all');
});

test.each([
  'median',
  'median_dwell_minutes',
  'person_count_p50',
  'p90',
  'dwell_percentile',
  'mean_visits',
  'visits_avg',
  'average_age',
  'crime_rate',
  'market_share',
  'visit_index',
  'sex_ratio',
  'trips_per_day',
  'unique_visitors',
  'visitors',
  'distinct_devices',
  'max_visits',
  'year',
  'start_year',
  'county_code',
  'store_id',
])('the integers of %s do not add up', (name) => {
  expect(defaultAdditivity({ name, type: 'integer' })).toBe('none');
});

test('floats do not add up, unless they are declared to', () => {
  expect(defaultAdditivity({ name: 'rainfall', type: 'float' })).toBe('none');
  const { dataset } = defineTable({
    name: 'a.b',
    fields: {
      id: 'integer',
      rainfall: { type: 'float', additive: 'all' },
      visits: { type: 'integer', additive: 'places' },
      latitude: { type: 'float', additive: 'all' },
      longitude: 'float',
      name: 'string',
    },
    point: { latitude: 'latitude', longitude: 'longitude' },
    rows: [],
  }).version;
  expect(dataset.fields.map((field) => additivityOf(field, dataset))).toEqual([
    undefined,
    'all',
    'places',
    undefined,
    undefined,
    undefined,
  ]);
});

test('the fields of the key that are not the period tell the place', () => {
  const fields = { place: 'string', from: 'date', to: 'date', age: 'string' } as const;
  const period = { start: 'from', end: 'to' };
  const axes = (key: readonly string[], declared = {}) =>
    axesOf(defineTable({ name: 'a.b', fields, key, rows: [], ...declared }).version);
  expect(axes(['place', 'from'], { period })).toEqual({ periods: ['from'], places: ['place'] });
  expect(axes(['place', 'from', 'to'], { period }).periods).toEqual(['from', 'to']);
  expect(axes(['place'], { period }).periods).toEqual(['from']);
  expect(axes(['place', 'age', 'to'])).toEqual({ periods: ['to'], places: ['place', 'age'] });
  expect(axes(['place'])).toEqual({ periods: [], places: ['place'] });
});

test('the features of the metrics, or else of the layers, tell the place', () => {
  const fields = { place: 'string', other: 'string', day: 'date', age: 'string' } as const;
  const axes = (declared = {}) =>
    axesOf(
      defineTable({ name: 'a.b', fields, key: ['place', 'age'], rows: [], ...declared }).version,
    );
  const layers = [defineLayer({ id: 'places', featureId: 'place' })];
  expect(axes({ layers })).toEqual({ periods: [], places: ['place'] });
  const metric = defineMetric({ metricId: 'visits', layerId: 'places' });
  expect(axes({ layers, metrics: [metric] })).toEqual({ periods: ['day'], places: ['place'] });
  const related = { layerId: 'places', featureId: 'other', relationType: '' };
  expect(axes({ metrics: [{ ...metric, related }] }).places).toEqual(['place', 'other']);
});
