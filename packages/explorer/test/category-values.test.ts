import type { Metric, MetricValue } from '@locmetrics/client';
import { expect, test } from 'vitest';
import {
  colouredCategories,
  rankCategories,
  toCategoryRows,
  toCountsChart,
} from '../src/views/metric/category-values.ts';

const MEASURE = { name: 'mood', valueKind: 'CATEGORY' } as Parameters<typeof colouredCategories>[1];
// Only this member is read.
const METRIC = { spec: { cadence: 'MONTHLY', rollingObservationWindow: false } } as Metric;

/** A value of a place in a month of 2025. */
function valueAt(id: string, month: number, category: string | null, area = ''): MetricValue {
  const day = { year: 2025, month, day: 1 };
  const measure = { name: 'mood', unit: '', number: 0, count: 0, category };
  // Only these members are read.
  return {
    value: measure,
    supportingValuesList: [],
    observationPeriod: { start: day, end: day },
    mapFeatureV2: {
      featureId: id,
      name: id.toUpperCase().replace(/-.*/, ''),
      addressComponentsList: area === '' ? [] : [{ value: area, displayName: '' }],
    },
  } as unknown as MetricValue;
}

const VALUES = [
  valueAt('z10', 1, 'calm'),
  valueAt('z2', 1, 'busy'),
  valueAt('z2', 3, 'busy'),
  valueAt('z3', 3, null),
];

test('places have their most frequent category, by their names; without a value they have none', () => {
  const more = [...VALUES, valueAt('z2', 1, 'calm')];
  expect(toCategoryRows(more, MEASURE)).toEqual([
    { id: 'z2', name: 'Z2', detail: '', category: 'busy' },
    { id: 'z3', name: 'Z3', detail: '', category: null },
    { id: 'z10', name: 'Z10', detail: '', category: 'calm' },
  ]);
  expect(rankCategories(['b', 'a', null])).toEqual(['a', 'b']);
});

test('places of equal names are told apart by their areas, and come in the order of these', () => {
  const values = [valueAt('z1-a', 1, 'calm', 'west'), valueAt('z1-b', 1, 'busy', 'east')];
  expect(toCategoryRows(values, MEASURE)).toEqual([
    { id: 'z1-b', name: 'Z1', detail: 'east', category: 'busy' },
    { id: 'z1-a', name: 'Z1', detail: 'west', category: 'calm' },
  ]);
});

test('places are counted by category in each period, also in one without values', () => {
  const coloured = colouredCategories(VALUES, MEASURE);
  const chart = toCountsChart({ values: VALUES, coloured, metric: METRIC, measure: MEASURE });
  expect(chart.points.map(({ label }) => label)).toEqual(['Jan 2025', 'Feb 2025', 'Mar 2025']);
  expect(chart.series.map(({ name, values }) => [name, values])).toEqual([
    ['busy', [1, 0, 1]],
    ['calm', [1, 0, 0]],
  ]);
});

test('rare categories are counted together', () => {
  const values = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((category, index) =>
    valueAt(`z${index}`, 1, category),
  );
  const coloured = colouredCategories(values, MEASURE);
  expect(coloured).toHaveLength(6);
  const { series } = toCountsChart({ values, coloured, metric: METRIC, measure: MEASURE });
  expect(series.at(-1)).toMatchObject({ name: 'Others', values: [2], tone: { kind: 'past' } });
});
