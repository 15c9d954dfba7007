// @module-tag sized

import { strict as assert } from 'node:assert';
import { earlierPeriod, stepOf } from '@locmetrics/core/dates/compared-period';
import type { Period, PeriodFilter } from '@locmetrics/core/dates/period';
import { bucketOf, bucketSpan } from '@locmetrics/core/domain/date-bucket';
import type { Dimension } from '@locmetrics/core/domain/metric';
import type { Value } from '@locmetrics/core/domain/value';
import type { MetricAggregatesRow, MetricGroup } from '@locmetrics/core/requests/metric-aggregates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { ENGINES_AT_ONCE } from '../engines/engines.ts';
import { aggregated, meanOf } from '../engines/plain-fold.ts';
import { openService, type ServiceUnderTest } from '../engines/service-under-test.ts';
import type { AggregatesQuestion, MetricQuestion } from '../metrics/ask-metrics.ts';
import type { MetricValue } from '../metrics/metric-value.ts';
import type { Table } from '../table.ts';
import { nameOf, randomAggregatesQuestion } from './random-aggregates-question.ts';
import {
  callerWith,
  randomMetricGrant,
  suppress,
  toGrant,
  withSuppression,
} from './random-grant.ts';
import { randomWorld, tablesOf } from './random-world.ts';

/**
 * Aggregates must be what a caller computes from all pages of values: so they reveal no more than these do. The
 * computation here is the plainest one, and shares no code with the service but the buckets of days and the steps to
 * earlier periods.
 */

const STATES = testCount('TABLES', { few: 2, all: 32 });
const QUESTIONS = 25;
const TIMEOUT_MS = 1_800_000 + STATES * 5_000 * ENGINES_AT_ONCE.length;

test(
  'aggregates of every engine are those of all pages of values, for random rights',
  async () => {
    const seed = announceSeed('random aggregates');
    const seen = { questions: 0, rows: 0, compared: { groups: 0, periods: 0 }, refusals: 0 };
    const property = fc.asyncProperty(
      randomWorld,
      randomMetricGrant,
      fc.record({ visits: suppress, share: suppress }),
      fc.array(randomAggregatesQuestion, { minLength: QUESTIONS, maxLength: QUESTIONS }),
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
          for (const { groupBy = [], ...asked } of questions) {
            const named = groupBy.filter((one) => hasNoDefault(one, dimensions));
            const question = { ...asked, groupBy: named, caller };
            seen.questions += 1;
            const values = await valuesOf(service, question);
            const pages = await pagesOf(service, question);
            if (pages === undefined) {
              seen.refusals += 1;
              continue;
            }
            assert(values, 'The values are refused, and their aggregates are not.');
            const meant = fold(values.items, question, { measures: values.measures, day });
            const rows = pages.flatMap((one) => one.rows);
            const told = `${engine.name} ${JSON.stringify(asked)}`;
            expect(byGroup(rows.map((row) => plainRow(row, question))), told).toEqual(
              byGroup(meant),
            );
            expect(pages.map(({ totalSize }) => totalSize)).toEqual(pages.map(() => meant.length));
            expectOrder(rows, question);
            seen.rows += rows.length;
            const kind = question.compare === 'MEAN_OF_GROUPS' ? 'groups' : 'periods';
            seen.compared[kind] += meant.filter(
              ({ values: [first] }) => first?.compared !== undefined,
            ).length;
          }
        }
      },
    );
    await assertRandom(property, {
      seed,
      numRuns: STATES,
      timeoutMs: TIMEOUT_MS,
    });
    expect(seen.rows).toBeGreaterThan(atLeast(seen.questions * 0.1));
    expect(seen.compared.groups).toBeGreaterThan(atLeast(seen.questions * 0.005));
    expect(seen.compared.periods).toBeGreaterThan(atLeast(seen.questions * 0.005));
  },
  TIMEOUT_MS,
);

/** Without a filter, values have only the default of a dimension, and groups by it have all. */
function hasNoDefault({ kind, id }: MetricGroup, dimensions: readonly Dimension[]): boolean {
  if (kind !== 'DIMENSION') return true;
  return dimensions.some((one) => one.dimensionId === id && one.defaultValue === '');
}

/** The values of all periods, which the computation filters itself. */
async function valuesOf(service: ServiceUnderTest, question: AggregatesQuestion) {
  const { groupBy, aggregates, compare, rankBy, orderBy, observationPeriodFilter, ...filters } =
    question;
  const asked: MetricQuestion = { ...filters, pageSize: 100 };
  try {
    const pages = await service.metricValuePages(asked);
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
  readonly change: number | undefined;
  readonly percent: number | undefined;
  readonly rank: number | undefined;
  readonly percentile: number | undefined;
};
type PlainRow = {
  readonly groups: readonly string[];
  readonly values: readonly PlainValue[];
  readonly periodsWithValues: number;
  readonly periods: number;
};

function plainRow(
  { groups, period, values, periodsWithValues, periods }: MetricAggregatesRow,
  { groupBy = [] }: AggregatesQuestion,
): PlainRow {
  return {
    // Two periods with the same start are two groups, which are written alike.
    groups: groups.map(({ kind, value }, index) =>
      kind === 'PERIOD' && groupBy[index]?.bucket === undefined ? `${value}/${period?.end}` : value,
    ),
    values: values.map(({ value, compared, change, percent, rank, percentile }) => ({
      value,
      compared,
      change,
      percent,
      rank,
      percentile,
    })),
    periodsWithValues,
    periods,
  };
}

function byGroup(rows: readonly PlainRow[]): readonly PlainRow[] {
  return rows.toSorted((left, right) =>
    JSON.stringify(left.groups) < JSON.stringify(right.groups) ? -1 : 1,
  );
}

type Known = { readonly measures: readonly string[]; readonly day: 'start' | 'end' };

function fold(
  values: readonly MetricValue[],
  question: AggregatesQuestion,
  { measures, day }: Known,
): readonly PlainRow[] {
  const { groupBy = [], aggregates = [], compare, rankBy = '' } = question;
  const { observationPeriodFilter: asked = {} } = question;
  const numberIn = (value: MetricValue, name: string) =>
    value.measures[measures.indexOf(name)] ?? null;
  const resultsOf = (members: readonly MetricValue[]) =>
    aggregates.map(({ aggregation = 'SUM', quantile, valueName }) =>
      aggregated(
        { aggregation, quantile },
        members.map((value) => numberIn(value, valueName)),
      ),
    );
  const inside = values.filter((value) => isInside(value, asked));
  const groups = Map.groupBy(inside, (value) => keyOf(value, groupBy));
  if (groupBy.length === 0) groups.set('[]', [...inside]);
  const spanOf = spansOf(question);
  const found = [...groups].map(([key, members]) => ({
    key,
    members,
    results: resultsOf(members),
    span: spanOf(members[0]),
  }));
  const pool = earlierPool(
    found.map(({ span }) => span),
    question,
  );
  const earlier = Map.groupBy(
    pool === undefined ? [] : values.filter((value) => isInside(value, pool)),
    (value) => keyOf(value, groupBy),
  );
  const basesOf = ({ key, span }: (typeof found)[number]): readonly Value[] => {
    if (compare === undefined) return aggregates.map(() => null);
    if (compare === 'MEAN_OF_GROUPS') {
      return aggregates.map(
        (_, at) => meanOf(found.map(({ results }) => results[at] ?? null)) ?? null,
      );
    }
    const before = span && earlierPeriod(span, stepOf(span, compare, { isWeekly: false }));
    if (pool === undefined || before === undefined) return aggregates.map(() => null);
    const members = earlier.get(keyBefore(key, before, groupBy)) ?? [];
    // Without groups there is always one.
    return members.length === 0 && groupBy.length > 0
      ? aggregates.map(() => null)
      : resultsOf(members);
  };
  const compared = found.map((group) => {
    const bases = basesOf(group);
    return {
      ...group,
      compared: group.results.map((value, at) => comparedTo(value, bases[at] ?? null)),
    };
  });
  const part = partOf(rankBy);
  const numberOf = ({ results, compared: [first] }: (typeof compared)[number]): Value =>
    part === 'value' ? (results[0] ?? null) : (first?.[part] ?? null);
  const ranked = compared.flatMap((group) => numberOf(group) ?? []);
  const countPeriods = (counted: readonly MetricValue[]): number =>
    new Set(counted.map(({ period }) => period[day])).size;
  return compared.map((group) => ({
    groups: JSON.parse(group.key) as readonly string[],
    values: group.results.map((value, at) => ({
      value,
      ...(group.compared[at] ?? NOTHING),
      ...rankOf(at === 0 ? numberOf(group) : null, ranked),
    })),
    periodsWithValues: countPeriods(
      group.members.filter((value) =>
        aggregates.some(({ valueName }) => numberIn(value, valueName) !== null),
      ),
    ),
    periods: countPeriods(inside.filter((value) => isOfSameSpan(value, group.members[0], groupBy))),
  }));
}

const isInside = ({ period }: MetricValue, { start, end }: PeriodFilter): boolean =>
  (start === undefined || period.start >= start) && (end === undefined || period.end <= end);

const keyOf = (value: MetricValue, groupBy: readonly MetricGroup[]): string =>
  JSON.stringify(groupBy.map((one) => groupValue(value, one)));

/** The key of the same group in another period. */
function keyBefore(key: string, { start, end }: Period, groupBy: readonly MetricGroup[]): string {
  const values: readonly string[] = JSON.parse(key);
  return JSON.stringify(
    values.map((value, index) => {
      if (groupBy[index]?.kind !== 'PERIOD') return value;
      return groupBy[index]?.bucket === undefined ? `${start}/${end}` : start;
    }),
  );
}

/** The span of days of a group: its period or bucket, or the filter without groups by period. */
function spansOf({ groupBy = [], observationPeriodFilter = {} }: AggregatesQuestion) {
  const byPeriod = groupBy.find(({ kind }) => kind === 'PERIOD');
  const { start, end } = observationPeriodFilter;
  return (value: MetricValue | undefined): Period | undefined => {
    if (byPeriod === undefined) {
      return start === undefined || end === undefined ? undefined : { start, end };
    }
    if (value === undefined || byPeriod.bucket === undefined) return value?.period;
    return bucketSpan(String(bucketOf(value.period.start, byPeriod.bucket)), byPeriod.bucket);
  };
}

/** The days of the values that groups are compared with: a span that the filter cuts is compared with one that is cut alike. */
function earlierPool(
  spans: readonly (Period | undefined)[],
  { compare, observationPeriodFilter: { start, end } = {} }: AggregatesQuestion,
): PeriodFilter | undefined {
  if (compare === undefined || compare === 'MEAN_OF_GROUPS') return undefined;
  if (start === undefined && end === undefined) return {};
  const before = spans.flatMap((span) => {
    if (span === undefined) return [];
    const cut = {
      start: start !== undefined && start > span.start ? start : span.start,
      end: end !== undefined && end < span.end ? end : span.end,
    };
    return earlierPeriod(cut, stepOf(span, compare, { isWeekly: false })) ?? [];
  });
  const [first] = before.map((span) => span.start).sort();
  const last = before
    .map((span) => span.end)
    .sort()
    .at(-1);
  return first === undefined || last === undefined ? undefined : { start: first, end: last };
}

type Comparison = Pick<PlainValue, 'compared' | 'change' | 'percent'>;
const NOTHING: Comparison = { compared: undefined, change: undefined, percent: undefined };

function comparedTo(value: Value, base: Value): Comparison {
  if (base === null) return NOTHING;
  const compared = Number(base);
  if (value === null) return { ...NOTHING, compared };
  const change =
    typeof value === 'bigint' && typeof base === 'bigint'
      ? Number(value - base)
      : Number(value) - compared;
  const percent = (change * 100) / compared;
  return { compared, change, percent: Number.isFinite(percent) ? percent : undefined };
}

function partOf(name: string): 'value' | 'change' | 'percent' {
  return name.endsWith('.change') ? 'change' : name.endsWith('.percent') ? 'percent' : 'value';
}

function rankOf(value: Value, ranked: readonly Value[]) {
  if (value === null) return { rank: undefined, percentile: undefined };
  const above = ranked.filter((other) => other !== null && other > value).length;
  const under = ranked.filter((other) => other !== null && other < value).length;
  return { rank: above + 1, percentile: (under * 100) / ranked.length };
}

/** Whether two values are of the same bucket; all are if values are not grouped by one. */
function isOfSameSpan(
  value: MetricValue,
  other: MetricValue | undefined,
  groupBy: readonly MetricGroup[],
): boolean {
  const byPeriod = groupBy.find(({ kind }) => kind === 'PERIOD');
  return (
    byPeriod === undefined ||
    other === undefined ||
    groupValue(value, byPeriod) === groupValue(other, byPeriod)
  );
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

function expectOrder(
  rows: readonly MetricAggregatesRow[],
  { aggregates = [], orderBy: [order] = [] }: AggregatesQuestion,
): void {
  assert(order);
  assert(order.name.startsWith(nameOf(aggregates[0])));
  const part = partOf(order.name);
  const numbers = rows.map(({ values }) => values[0]?.[part] ?? null);
  const present = numbers.filter((value) => value !== null);
  const sorted = present.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  // Groups without the number are last in both directions.
  expect(numbers).toEqual([
    ...(order.descending ? sorted.toReversed() : sorted),
    ...numbers.filter((value) => value === null),
  ]);
}

async function openDisposable(engine: EngineUnderTest, tables: readonly Table[]) {
  const service = await openService(engine, tables);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
