import { wholeGrant } from '@locmetrics/core/domain/grant';
import { describe, expect, test } from 'vitest';
import {
  askLayerStats,
  askStatistics,
  type LayerStatsQuestion,
  type StatisticsQuestion,
} from './ask-statistics.ts';
import type { EngineUnderTest } from './engines/engine-under-test.ts';
import { ENGINES } from './engines/engines.ts';
import { memoryEngine } from './engines/memory-engine.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { callerWith } from './random/random-grant.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const DATASET = 'conformance.statistics';
const PERIOD = { start: 'month', end: 'month_end' } as const;

/** One place has two records in a month, and one record has no start. */
const ROWS = [
  { id: 'p1', month: '2024-02-01', part: 'am', city: 'Zug', count: 3n, gone: null },
  { id: 'p1', month: '2024-02-01', part: 'pm', city: 'Zug', count: 9n, gone: null },
  { id: 'p2', month: '2024-02-01', part: 'am', city: 'Bern', count: null, gone: null },
  { id: 'p3', month: '2024-02-01', part: 'am', city: null, count: 9n, gone: '2024-01-15' },
  { id: 'p1', month: '2023-12-01', part: 'am', city: 'Zug', count: 1n, gone: null },
  { id: 'p3', month: '0001-01-01', part: 'am', city: null, count: 2n, gone: '2024-01-15' },
  { id: 'p4', month: null, part: 'am', city: 'Chur', count: 7n, gone: null },
] as const;

const STATISTICS = defineTable({
  name: DATASET,
  fields: {
    id: 'string',
    row: 'string',
    month: 'date',
    month_end: 'date',
    part: 'string',
    city: 'string',
    count: { type: 'integer', suppressBelow: 3 },
    gone: 'date',
    latitude: 'float',
    longitude: 'float',
  },
  key: ['id', 'row'],
  period: PERIOD,
  existence: { end: 'gone' },
  point: { latitude: 'latitude', longitude: 'longitude' },
  rows: ROWS.map((row, index) => ({
    ...row,
    row: String(index),
    count: row.count ?? -1n,
    month_end: row.month,
    latitude: index,
    longitude: 8,
  })),
});

const FIELDS = { id: 'string', month: 'date', month_end: 'date', feature: 'string' } as const;
const FEW = [
  { id: 'a', month: '2024-01-01', month_end: '2024-01-31', feature: 'x' },
  { id: 'b', month: '2024-01-01', month_end: '2024-01-31', feature: 'x' },
];

/** The field that a source column names is the place, even if the key has another one first. */
const BY_SOURCE = defineTable({
  name: 'conformance.by_source',
  fields: { ...FIELDS, feature: { type: 'string', sourceColumn: 'feature.feature_id.value' } },
  period: PERIOD,
  rows: FEW,
});
/** The period is no place. */
const BY_KEY = defineTable({
  name: 'conformance.by_key',
  fields: FIELDS,
  key: ['month', 'month_end', 'id'],
  period: PERIOD,
  rows: FEW,
});
const ONLY_PERIOD = defineTable({
  name: 'conformance.only_period',
  fields: FIELDS,
  key: ['month'],
  period: PERIOD,
  rows: FEW.slice(1),
});
const NO_PERIOD = defineTable({ name: 'conformance.no_period', fields: FIELDS, rows: FEW });

const grant = wholeGrant('some', DATASET);

/** Questions about the tables of a service, which is open while the tests of a `describe` run. */
function openQuestions(engine: EngineUnderTest) {
  const service = useService(engine, STATISTICS, BY_SOURCE, BY_KEY, ONLY_PERIOD, NO_PERIOD);
  return {
    statistics: (question: Partial<StatisticsQuestion> = {}) =>
      askStatistics(service, { dataset: DATASET, ...question }),
    layerStats: (question: Partial<LayerStatsQuestion> = {}) =>
      askLayerStats(service, { dataset: DATASET, date: '2024-02-01', ...question }),
  };
}

describeOn(ENGINES)('statistics, $name engine', (engine) => {
  const { statistics, layerStats } = openQuestions(engine);

  test('each start of a period has its records and places, by ascending date', async () => {
    expect(await statistics({ trim: 'ignore' })).toEqual([
      ['0001-01-01', 1, 1],
      ['2023-12-01', 1, 1],
      ['2024-02-01', 4, 3],
    ]);
  });

  test('records outside the existence of their place are left out, unless that is ignored', async () => {
    expect(await statistics({ filters: [where('id', '==', 'p3')] })).toEqual([
      ['0001-01-01', 1, 1],
    ]);
    expect(await layerStats()).toEqual([2]);
    expect(await layerStats({ trim: 'ignore' })).toEqual([3]);
  });

  test('filters, their logic and a box choose the records', async () => {
    const filters = [where('city', '==', 'Zug'), where('part', '==', 'pm')];
    expect(await statistics({ filters })).toEqual([['2024-02-01', 1, 1]]);
    expect(await statistics({ filters, filterLogic: 'NOT $1 AND $0' })).toEqual([
      ['2023-12-01', 1, 1],
      ['2024-02-01', 1, 1],
    ]);
    const box = { minLng: 8, minLat: 0, maxLng: 8, maxLat: 1 };
    expect(await statistics({ box })).toEqual([['2024-02-01', 2, 1]]);
    expect(await layerStats({ box, dimensions: ['part'] })).toEqual([1, 2]);
    expect(await statistics({ filters: [where('city', '==', 'Basel')] })).toEqual([]);
  });

  test('the different values of fields are counted, without absent ones', async () => {
    const dimensions = ['part', 'city', 'gone', 'id'];
    expect(await layerStats({ dimensions })).toEqual([2, 2, 2, 0, 2]);
    expect(await layerStats({ dimensions, trim: 'ignore' })).toEqual([3, 2, 2, 1, 3]);
    expect(await layerStats({ dimensions, date: '2024-02-02' })).toEqual([0, 0, 0, 0, 0]);
  });

  test('hidden records and small values count for nothing', async () => {
    const filters = [where('city', 'is_not_empty')];
    const caller = callerWith([{ ...grant, filters }]);
    expect(await statistics({ caller, trim: 'ignore' })).toEqual([
      ['2023-12-01', 1, 1],
      ['2024-02-01', 3, 2],
    ]);
    const dimensions = ['count'];
    expect(await layerStats({ caller, dimensions })).toEqual([2, 2]);
    expect(await layerStats({ caller, dimensions, filters: [where('count', '<', 3)] })).toEqual([
      0, 0,
    ]);
    const trusted = callerWith([{ ...grant, filters, showsSmallCells: true }]);
    expect(await layerStats({ caller: trusted, dimensions })).toEqual([2, 3]);
  });

  test('the place is the feature id, else the first part of the key that is no day of the period', async () => {
    expect(await statistics({ dataset: 'conformance.by_source' })).toEqual([['2024-01-01', 2, 1]]);
    expect(await statistics({ dataset: 'conformance.by_key' })).toEqual([['2024-01-01', 2, 2]]);
  });
});

/** A plan is refused before an engine gets it. */
describe('refusals of statistics say what is wrong', () => {
  const { statistics, layerStats } = openQuestions(memoryEngine);

  const hiding = (...hidden: readonly string[]) => {
    const { fields } = STATISTICS.version.dataset;
    const names = fields.map(({ name }) => name).filter((name) => !hidden.includes(name));
    return callerWith([{ ...grant, fields: names }]);
  };

  test.each<readonly [string, Partial<StatisticsQuestion>]>([
    ['no period', { dataset: 'conformance.no_period' }],
    ['no place', { dataset: 'conformance.only_period' }],
    ['a hidden period', { caller: hiding('month_end') }],
    ['a hidden place', { caller: hiding('id') }],
    ['an order', { orderBy: { fieldName: 'month', descending: true } }],
    ['an unknown field', { filters: [where('citty', '==', 'Zug')] }],
    ['a hidden field', { filters: [where('city', '==', 'Zug')], caller: hiding('city') }],
    ['an operator', { filters: [whereIn('month', 'contains', ['2024'])] }],
    ['logic', { filters: [where('city', '==', 'Zug')], filterLogic: '$0 OR $1' }],
  ])('%s', async (_, question) => {
    expect(await refusalOf(statistics(question))).toMatchSnapshot();
  });

  test.each<readonly [string, Partial<LayerStatsQuestion>]>([
    ['no period', { dataset: 'conformance.no_period' }],
    ['no date', { date: '' }],
    ['a day that does not exist', { date: '2024-02-30' }],
    ['an unknown dimension', { dimensions: ['part', 'citty'] }],
    ['a hidden dimension', { dimensions: ['city'], caller: hiding('city') }],
    ['a dimension twice', { dimensions: ['part', 'part'] }],
    ['an order', { orderBy: { fieldName: 'month', descending: false } }],
  ])('layer stats: %s', async (_, question) => {
    expect(await refusalOf(layerStats(question))).toMatchSnapshot();
  });

  test('too many dimensions', async () => {
    const dimensions = Array.from({ length: 101 }, () => 'part');
    expect(await refusalOf(layerStats({ dimensions }))).toMatchSnapshot();
  });
});
