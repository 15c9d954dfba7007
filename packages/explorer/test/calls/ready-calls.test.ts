import type { FieldDefinition, Metric, ValueSpec } from '@locmetrics/client';
import { expect, test } from 'vitest';
import { datasetCalls } from '../../src/calls/dataset-calls.ts';
import { metricCalls } from '../../src/calls/metric-calls.ts';

function field(
  name: string,
  type: 'STRING' | 'INTEGER' | 'DATE',
  more: Partial<FieldDefinition> = {},
): FieldDefinition {
  return {
    name,
    type: `COLUMN_TYPE_${type}`,
    sourceColumn: `feature.${name}.value`,
    description: '',
    filters: { supportedOperators: type === 'STRING' ? ['=='] : ['==', '>='] },
    exampleValue: '',
    includedByDefault: true,
    ...more,
  };
}

const PLACE = field('place_id', 'STRING', { sourceColumn: 'feature.feature_id.value' });
const DAYS = [
  field('start', 'DATE', { sourceColumn: 'observation_period.start.value' }),
  field('end', 'DATE', { sourceColumn: 'observation_period.end.value' }),
];
const measured = (additive: FieldDefinition['additive']) =>
  field('visits', 'INTEGER', { additive, exampleValue: '5' });

function aggregateOf(fields: readonly FieldDefinition[]) {
  const calls = datasetCalls({ name: 'a.b', fields });
  const found = calls.find(({ title }) => /^(Sums|Medians)/.test(title));
  const { groupBy, fields: asked } =
    found?.call.operation === 'listRecords' ? found.call.request : {};
  return [found?.title, groupBy, asked?.at(-1)];
}

test.each([
  ['all', 'Sums of visits by start', [{ fieldName: 'start', bucket: 'YEAR' }], 'SUM'],
  [
    'periods',
    'Sums of visits by place_id',
    [{ fieldName: 'place_id' }, { fieldName: 'start', bucket: 'YEAR' }],
    'SUM',
  ],
  ['places', 'Sums of visits by start', [{ fieldName: 'start' }, { fieldName: 'end' }], 'SUM'],
  ['none', 'Medians of visits by start', [{ fieldName: 'start', bucket: 'YEAR' }], 'MEDIAN'],
] as const)(
  'a measure that is additive over %s is aggregated as it may be',
  (additive, title, groupBy, aggregation) => {
    expect(aggregateOf([PLACE, ...DAYS, measured(additive)])).toEqual([
      title,
      groupBy,
      { name: 'visits', aggregation },
    ]);
  },
);

test('a dataset without measures, periods and texts has no calls to start with', () => {
  expect(datasetCalls({ name: 'a.b', fields: [] })).toEqual([]);
});

test('records are grouped by an area, not by an id or a name', () => {
  const fields = [PLACE, field('place_name', 'STRING'), field('city', 'STRING')];
  expect(datasetCalls({ name: 'a.b', fields }).map(({ title }) => title)).toEqual([
    'Count the records by city',
  ]);
});

function titlesOf(metric: object, measure: object): readonly string[] {
  // The calls read only these members.
  return metricCalls({ catalogId: 'c', id: 'm', ...metric } as Metric, measure as ValueSpec).map(
    ({ title }) => title,
  );
}

const MONTHLY = {
  spec: { cadence: 'MONTHLY' },
  firstObservationDate: '2023-01-01',
  lastObservationDate: '2024-12-31',
  layer: { addressComponentsList: [{ component: 'state', displayName: 'State', kind: 'MAP' }] },
};
const VISITS = { name: 'visits', valueKind: 'COUNT' };

test.each([
  ['all', ['Sums by State and year', 'Compare with a year earlier', 'Rank by State']],
  ['periods', ['Sums by place and year', 'Compare with a year earlier', 'Rank by place']],
  ['places', ['Sums by State and period', 'Compare with a year earlier', 'Rank by period']],
  ['none', ['Medians by State and year', 'Compare with a year earlier', 'Rank by State']],
])(
  'a measure of a metric that is additive over %s is aggregated as it may be',
  (additive, titles) => {
    expect(titlesOf(MONTHLY, { ...VISITS, additive })).toEqual([
      ...titles,
      'Values without names and points',
    ]);
  },
);

test('values of one year are not compared with an earlier one, and categories not at all', () => {
  const short = { ...MONTHLY, firstObservationDate: '2024-01-01' };
  expect(titlesOf(short, { ...VISITS, additive: 'all' })).not.toContain(
    'Compare with a year earlier',
  );
  expect(titlesOf(MONTHLY, { name: 'mode', valueKind: 'CATEGORY', additive: '' })).toEqual([
    'Values without names and points',
  ]);
});
