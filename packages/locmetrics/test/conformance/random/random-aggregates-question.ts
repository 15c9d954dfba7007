import { COMPARISONS } from '@locmetrics/core/dates/compared-period';
import type { Aggregation } from '@locmetrics/core/requests/aggregation';
import type { MetricAggregate, MetricGroup } from '@locmetrics/core/requests/metric-aggregates';
import fc from 'fast-check';
import type { AggregatesQuestion, MetricQuestion } from '../metrics/ask-metrics.ts';
import { randomCircle } from './random-circle.ts';
import { randomMetricsQuestion, triangle } from './random-metric-question.ts';

const group = (
  kind: MetricGroup['kind'],
  id = '',
  bucket?: MetricGroup['bucket'],
): MetricGroup => ({ kind, id, bucket });

const GROUPS: readonly MetricGroup[] = [
  group('FEATURE'),
  group('RELATED_FEATURE'),
  ...['county', 'grade', 'ratio', 'since', 'is_hidden'].map((id) => group('COMPONENT', id)),
  group('RELATED_COMPONENT', 'county'),
  group('DIMENSION', 'age'),
  group('DIMENSION', 'band'),
];
const PERIODS = ([undefined, 'DAY', 'WEEK', 'MONTH', 'YEAR', 'YEAR', 'MONTH_OF_YEAR'] as const).map(
  (bucket) => group('PERIOD', '', bucket),
);

const aggregate = (aggregation: Aggregation, valueName: string): MetricAggregate => ({
  valueName,
  aggregation,
  quantile: aggregation === 'QUANTILE' ? 0.3 : undefined,
  name: '',
});
const OF_NUMBERS = ['AVG', 'MIN', 'MAX', 'COUNT', 'COUNT_DISTINCT', 'MEDIAN', 'QUANTILE'] as const;
const AGGREGATES: readonly MetricAggregate[] = [
  aggregate('SUM', 'visits'),
  ...OF_NUMBERS.flatMap((one) => [aggregate(one, 'visits'), aggregate(one, 'share')]),
  aggregate('COUNT_DISTINCT', 'kind'),
];

/** The name of an aggregate without a name of its own. */
export function nameOf({ aggregation = 'SUM', valueName }: Partial<MetricAggregate> = {}): string {
  return `${aggregation.toLowerCase()}_${valueName}`;
}

const filtersOfValues = randomMetricsQuestion.map(({ kind, question }): MetricQuestion => {
  if (kind !== 'values' || question.metricId !== 'visits') return {};
  const { pageSize: _size, sentRowsMax: _rows, trackTotalHits: _track, ...filters } = question;
  const { countOnly: _count, invertSortOrder: _order, ...given } = filters;
  return given;
});

/** Days of which others before them have values. */
const COMPARED_DAYS = [
  { start: '2024-01-01', end: '2024-01-03' },
  { start: '2024-01-02', end: '2024-01-02' },
  { start: '2024-01-01', end: '2024-12-31' },
  { start: '2024-01-02', end: '2024-02-29' },
] as const;

/** Any possible question about aggregates of the metric `visits` of a random world. */
export const randomAggregatesQuestion: fc.Arbitrary<AggregatesQuestion> = fc
  .record({
    filters: fc.oneof(fc.constant<MetricQuestion>({}), filtersOfValues),
    polygonFilter: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 8 },
      { arbitrary: triangle, weight: 1 },
    ),
    circleFilter: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 8 },
      { arbitrary: randomCircle, weight: 1 },
    ),
    groups: fc.subarray([...GROUPS], { maxLength: 2 }),
    period: fc.option(fc.constantFrom(...PERIODS), { freq: 2 }),
    aggregates: fc.subarray([...AGGREGATES], { minLength: 1, maxLength: 4 }),
    compare: fc.option(fc.constantFrom(...COMPARISONS), { freq: 3, nil: undefined }),
    comparedDays: fc.option(fc.constantFrom(...COMPARED_DAYS)),
    ranked: fc.constantFrom('', '', '.change', '.percent'),
    ordered: fc.constantFrom('', '', '.change', '.percent'),
    pageSize: fc.constantFrom(2, 7, 100),
    descending: fc.boolean(),
  })
  .map((drawn): AggregatesQuestion => {
    const {
      filters,
      polygonFilter,
      circleFilter,
      groups,
      period,
      aggregates,
      comparedDays,
      pageSize,
      descending,
    } = drawn;
    const isSpan = period?.bucket !== 'MONTH_OF_YEAR';
    const compare = isSpan || drawn.compare === undefined ? drawn.compare : 'MEAN_OF_GROUPS';
    const isOfPeriods = compare !== undefined && compare !== 'MEAN_OF_GROUPS';
    // Without a group by period, only a period with both days can be compared.
    const days = isOfPeriods ? (comparedDays ?? (period === null ? COMPARED_DAYS[2] : null)) : null;
    const first = nameOf(aggregates[0]);
    const part = (drawnPart: string) => `${first}${compare === undefined ? '' : drawnPart}`;
    return {
      ...filters,
      ...(polygonFilter === undefined ? { circleFilter } : { polygonFilter }),
      ...(days === null ? {} : { observationPeriodFilter: days }),
      metricId: 'visits',
      groupBy: [...groups, ...(period === null ? [] : [period])],
      aggregates,
      compare,
      rankBy: part(drawn.ranked),
      orderBy: [{ name: part(drawn.ordered), descending }],
      pageSize,
    };
  });
