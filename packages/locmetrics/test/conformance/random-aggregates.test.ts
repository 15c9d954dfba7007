// @module-tag sized

import { strict as assert } from 'node:assert';
import type { Aggregation } from '@locmetrics/core/domain/aggregation';
import { bucketOf } from '@locmetrics/core/domain/date-bucket';
import type { Dimension } from '@locmetrics/core/domain/metric';
import type {
  MetricAggregate,
  MetricAggregatesRow,
  MetricGroup,
} from '@locmetrics/core/domain/metric-aggregates';
import type { Value } from '@locmetrics/core/domain/value';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atLeast, testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import type { AggregatesQuestion, MetricQuestion } from './ask-metrics.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { ENGINES_AT_ONCE } from './engines.ts';
import type { MetricValue } from './metric-value.ts';
import { below, callerWith, randomMetricGrant, toGrant, withSuppression } from './random-grant.ts';
import { randomMetricsQuestion } from './random-metric-question.ts';
import { randomWorld, tablesOf } from './random-world.ts';
import { openService, type ServiceUnderTest } from './service-under-test.ts';
import type { Table } from './table.ts';

/**
 * Aggregates must be what a caller computes from all pages of values: so they reveal no more than these do. The
 * computation here is the plainest one, and shares no code with the service but the buckets of days.
 */

const STATES = testCount('TABLES', { few: 2, all: 32 });
const QUESTIONS = 25;
const TIMEOUT_MS = 600_000 + STATES * 5_000 * ENGINES_AT_ONCE.length;

const group = (
  kind: MetricGroup['kind'],
  id = '',
  bucket?: MetricGroup['bucket'],
): MetricGroup => ({
  kind,
  id,
  bucket,
});

const GROUPS: readonly MetricGroup[] = [
  group('FEATURE'),
  group('RELATED_FEATURE'),
  ...['county', 'grade', 'ratio', 'since', 'is_hidden'].map((id) => group('COMPONENT', id)),
  group('RELATED_COMPONENT', 'county'),
  group('DIMENSION', 'age'),
  group('DIMENSION', 'band'),
];
const PERIODS = ([undefined, 'DAY', 'MONTH', 'YEAR', 'MONTH_OF_YEAR'] as const).map((bucket) =>
  group('PERIOD', '', bucket),
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

const filtersOfValues = randomMetricsQuestion.map(({ kind, question }): MetricQuestion => {
  if (kind !== 'values' || question.metricId !== 'visits') return {};
  const { pageSize: _size, sentRowsMax: _rows, trackTotalHits: _track, ...filters } = question;
  const { countOnly: _count, invertSortOrder: _order, ...given } = filters;
  return given;
});

const randomQuestion = fc.record({
  filters: fc.oneof(fc.constant<MetricQuestion>({}), filtersOfValues),
  groups: fc.subarray([...GROUPS], { maxLength: 2 }),
  period: fc.option(fc.constantFrom(...PERIODS)),
  aggregates: fc.subarray([...AGGREGATES], { minLength: 1, maxLength: 4 }),
  isCompared: fc.boolean(),
  pageSize: fc.constantFrom(1, 3, 100),
  descending: fc.boolean(),
});

test(
  'aggregates of every engine are those of all pages of values, for random rights',
  async () => {
    const seed = announceSeed('random aggregates');
    const seen = { rows: 0, compared: 0, refusals: 0 };
    const property = fc.asyncProperty(
      randomWorld,
      randomMetricGrant,
      fc.record({ visits: below, share: below }),
      fc.array(randomQuestion, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      async (random, drawn, suppressed, questions) => {
        const world = { ...random, visits: withSuppression(random.visits, suppressed) };
        const grant = { ...toGrant(world, { ...drawn, metricId: 'visits' as const }) };
        const caller = callerWith([grant]);
        const [metric] = world.visits.version.metrics;
        const dimensions = metric?.dimensions ?? [];
        // Periods are counted by their start, unless it is the same for all.
        const day = metric !== undefined && 'field' in metric.period.start ? 'start' : 'end';
        for (const engine of ENGINES_AT_ONCE) {
          await using service = await openDisposable(engine, tablesOf(world));
          for (const { filters, groups, period, isCompared, ...asked } of questions) {
            const named = groups.filter((one) => hasNoDefault(one, dimensions));
            const question: AggregatesQuestion = {
              ...filters,
              metricId: 'visits',
              caller,
              groupBy: [...named, ...(period === null ? [] : [period])],
              aggregates: asked.aggregates,
              compare: isCompared ? 'MEAN_OF_GROUPS' : undefined,
              rankBy: nameOf(asked.aggregates[0]),
              orderBy: [{ name: nameOf(asked.aggregates[0]), descending: asked.descending }],
              pageSize: asked.pageSize,
            };
            const values = await valuesOf(service, { ...filters, metricId: 'visits', caller });
            const pages = await pagesOf(service, question);
            if (pages === undefined) {
              seen.refusals += 1;
              continue;
            }
            assert(values, 'The values are refused, and their aggregates are not.');
            const meant = fold(values.items, question, { measures: values.measures, day });
            const rows = pages.flatMap((one) => one.rows);
            expect(byGroup(rows.map((row) => plainRow(row, question))), engine.name).toEqual(
              byGroup(meant),
            );
            expect(pages.map(({ totalSize }) => totalSize)).toEqual(pages.map(() => meant.length));
            expectOrder(rows, asked.descending);
            seen.rows += rows.length;
            seen.compared += isCompared ? rows.length : 0;
          }
        }
      },
    );
    await fc.assert(property, {
      seed,
      numRuns: STATES,
      interruptAfterTimeLimit: TIMEOUT_MS - 20_000,
      markInterruptAsFailure: true,
    });
    expect(seen.rows).toBeGreaterThan(atLeast(STATES * QUESTIONS));
    expect(seen.compared).toBeGreaterThan(atLeast(0));
  },
  TIMEOUT_MS,
);

/** Without a filter, values have only the default of a dimension, and groups by it have all. */
function hasNoDefault({ kind, id }: MetricGroup, dimensions: readonly Dimension[]): boolean {
  if (kind !== 'DIMENSION') return true;
  return dimensions.some((one) => one.dimensionId === id && one.defaultValue === '');
}

function nameOf({ aggregation = 'SUM', valueName }: Partial<MetricAggregate> = {}): string {
  return `${aggregation.toLowerCase()}_${valueName}`;
}

async function valuesOf(service: ServiceUnderTest, question: MetricQuestion) {
  try {
    const pages = await service.metricValuePages({ ...question, pageSize: 100 });
    return {
      items: pages.flatMap(({ values }) => values),
      measures: pages[0]?.metric.measures.map(({ name }) => name) ?? [],
    };
  } catch {
    return undefined;
  }
}

async function pagesOf(service: ServiceUnderTest, question: AggregatesQuestion) {
  try {
    return await service.aggregatePages(question);
  } catch {
    return undefined;
  }
}

type PlainValue = {
  readonly value: Value;
  readonly compared: number | undefined;
  readonly rank: number | undefined;
  readonly percentile: number | undefined;
};
type PlainRow = {
  readonly groups: readonly string[];
  readonly values: readonly PlainValue[];
  readonly periodsWithValues: number;
};

function plainRow(
  { groups, period, values, periodsWithValues }: MetricAggregatesRow,
  { groupBy = [] }: AggregatesQuestion,
): PlainRow {
  return {
    // Two periods with the same start are two groups, which are written alike.
    groups: groups.map(({ kind, value }, index) =>
      kind === 'PERIOD' && groupBy[index]?.bucket === undefined ? `${value}/${period?.end}` : value,
    ),
    values: values.map(({ value, compared, rank, percentile }) => ({
      value,
      compared,
      rank,
      percentile,
    })),
    periodsWithValues,
  };
}

function byGroup(rows: readonly PlainRow[]): readonly PlainRow[] {
  return rows.toSorted((left, right) =>
    JSON.stringify(left.groups) < JSON.stringify(right.groups) ? -1 : 1,
  );
}

function fold(
  values: readonly MetricValue[],
  { groupBy = [], aggregates = [], compare }: AggregatesQuestion,
  { measures, day }: { readonly measures: readonly string[]; readonly day: 'start' | 'end' },
): readonly PlainRow[] {
  const groups = Map.groupBy(values, (value) =>
    JSON.stringify(groupBy.map((one) => groupValue(value, one))),
  );
  if (groupBy.length === 0) groups.set('[]', [...values]);
  const numberIn = (value: MetricValue, name: string) =>
    value.measures[measures.indexOf(name)] ?? null;
  const rows = [...groups].map(([key, members]) => ({
    groups: JSON.parse(key) as readonly string[],
    results: aggregates.map((one) =>
      aggregated(
        one,
        members.map((value) => numberIn(value, one.valueName)),
      ),
    ),
    periodsWithValues: new Set(
      members
        .filter((value) => aggregates.some(({ valueName }) => numberIn(value, valueName) !== null))
        .map(({ period }) => period[day]),
    ).size,
  }));
  const ranked = rows.flatMap(({ results: [first = null] }) => first ?? []);
  return rows.map(({ results, ...row }) => ({
    ...row,
    values: results.map((value, index) => ({
      value,
      compared:
        compare === undefined
          ? undefined
          : meanOf(rows.map((other) => other.results[index] ?? null)),
      ...rankOf(index === 0 ? value : null, ranked),
    })),
  }));
}

function rankOf(value: Value, ranked: readonly Value[]) {
  if (value === null) return { rank: undefined, percentile: undefined };
  const above = ranked.filter((other) => other !== null && other > value).length;
  const under = ranked.filter((other) => other !== null && other < value).length;
  return { rank: above + 1, percentile: (under * 100) / ranked.length };
}

function groupValue(value: MetricValue, { kind, id, bucket }: MetricGroup): string {
  const componentOf = (feature = value.feature) =>
    feature.addressComponents.find(({ component }) => component === id)?.value ?? '';
  switch (kind) {
    case 'FEATURE':
      return value.feature.featureId;
    case 'RELATED_FEATURE':
      return value.relatedFeature?.featureId ?? '';
    case 'COMPONENT':
      return componentOf();
    case 'RELATED_COMPONENT':
      return componentOf(value.relatedFeature);
    case 'DIMENSION':
      return value.dimensions.find(({ dimensionId }) => dimensionId === id)?.value ?? '';
    default: {
      const { start, end } = value.period;
      return bucket === undefined ? `${start}/${end}` : String(bucketOf(start, bucket));
    }
  }
}

function aggregated(
  { aggregation, quantile = 0.5 }: MetricAggregate,
  all: readonly Value[],
): Value {
  const present = all.filter((value) => value !== null);
  const sorted = present.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  switch (aggregation) {
    case 'COUNT':
      return BigInt(present.length);
    case 'COUNT_DISTINCT':
      return BigInt(new Set(present).size);
    case 'MIN':
      return sorted[0] ?? null;
    case 'MAX':
      return sorted.at(-1) ?? null;
    case 'SUM':
      return present.length === 0
        ? null
        : present.reduce<bigint>((sum, one) => sum + BigInt(one), 0n);
    case 'AVG':
      return meanOf(present) ?? null;
    default: {
      if (sorted.length === 0) return null;
      const place = (sorted.length - 1) * quantile;
      const [lower, upper] = [Math.floor(place), Math.ceil(place)].map((at) => Number(sorted[at]));
      assert(lower !== undefined && upper !== undefined);
      return lower + (upper - lower) * (place - Math.floor(place));
    }
  }
}

const SCALE = 2n ** 53n;

/** Whole parts, and fractions as multiples of 2^-53. A number of more than 64 bits makes the mean absent. */
function meanOf(numbers: readonly Value[]): number | undefined {
  const present = numbers.filter((number) => number !== null);
  let sum = 0n;
  for (const number of present) {
    if (typeof number === 'bigint') {
      sum += number * SCALE;
      continue;
    }
    const float = Number(number);
    if (float < -(2 ** 63) || float >= 2 ** 63) return undefined;
    const whole = Math.trunc(float);
    sum += BigInt(whole) * SCALE + BigInt(Math.trunc((float - whole) * 2 ** 53));
  }
  return present.length === 0 ? undefined : Number(sum) / 2 ** 53 / present.length;
}

function expectOrder(rows: readonly MetricAggregatesRow[], descending: boolean): void {
  const first = rows.map(({ values }) => values[0]?.value ?? null);
  const present = first.filter((value) => value !== null);
  const sorted = present.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  // Groups without the number are last in both directions.
  expect(first).toEqual([
    ...(descending ? sorted.toReversed() : sorted),
    ...first.filter((value) => value === null),
  ]);
}

async function openDisposable(engine: EngineUnderTest, tables: readonly Table[]) {
  const service = await openService(engine, tables);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
