import {
  type Comparison,
  earlierPeriod,
  type PeriodStep,
  stepOf,
} from '../../domain/compared-period.ts';
import { bucketOf, bucketSpan } from '../../domain/date-bucket.ts';
import { addToSum, meanOf, NO_SUM } from '../../domain/exact-sum.ts';
import type { AggregateValue } from '../../domain/metric-aggregates.ts';
import type { Period, PeriodFilter } from '../../domain/period.ts';
import type { Value } from '../../domain/value.ts';
import type { AggregateSelection, NumberTerm } from '../../plan/plan-metric-aggregates.ts';
import { compareOrderValues } from './compare-order-values.ts';
import { takeFirst } from './take-first.ts';

/** The values of the terms of a group, then its aggregates. */
type Row = readonly Value[];

/** A group on a page, with its aggregates and how they compare. */
export type ComparedGroup = {
  readonly row: Row;
  readonly period: Period | undefined;
  readonly values: readonly AggregateValue[];
};

/**
 * Compares, ranks and orders groups, and returns those of a page. `rows` are all groups, ordered by their terms;
 * `earlier` are those of the periods that they are compared with.
 */
export function compareGroups(
  selection: AggregateSelection,
  {
    rows,
    earlier,
    after,
    limit,
  }: {
    readonly rows: readonly Row[];
    readonly earlier: readonly Row[];
    readonly after: number;
    readonly limit: number;
  },
): { readonly page: readonly ComparedGroup[]; readonly hasMore: boolean } {
  const { aggregates, order, rankBy } = selection;
  const first = termCount(selection);
  const baseOf = openBases(selection, rows, earlier);
  const numberOf = (row: Row, { aggregate, part }: NumberTerm): Value => {
    const value = row[first + aggregate] ?? null;
    if (part === 'value') return value;
    return comparedTo(value, baseOf(row, aggregate))[part] ?? null;
  };
  const ranks = rankBy && openRanks(rows.map((row) => numberOf(row, rankBy)));
  const valuesOf = (row: Row): readonly AggregateValue[] =>
    aggregates.map(({ name, kind }, index) => {
      const value = numberIn(row[first + index] ?? null);
      return {
        name,
        kind,
        value,
        ...comparedTo(value, baseOf(row, index)),
        ...(rankBy?.aggregate === index ? ranks?.(numberOf(row, rankBy)) : {}),
      };
    });
  const sorted = sortRows(rows, order, numberOf, after + limit);
  return {
    page: sorted.slice(after, after + limit).map((row) => ({
      row,
      period: periodOf(selection, row),
      values: valuesOf(row),
    })),
    hasMore: rows.length > after + limit,
  };
}

/** The number of values of a group before its aggregates. */
export function termCount({ groups }: Pick<AggregateSelection, 'groups'>): number {
  return groups.reduce((sum, { terms }) => sum + terms.length, 0);
}

/** The period of a group; undefined without a group by spans of days. */
function periodOf(
  { period, groups }: Pick<AggregateSelection, 'period' | 'groups'>,
  row: Row,
): Period | undefined {
  if (period === undefined) return undefined;
  const { start, end, bucket } = period;
  let at = startOfPeriod(groups);
  const next = () => String(row[at++]);
  if (bucket === undefined) {
    return {
      start: typeof start === 'string' ? start : next(),
      end: typeof end === 'string' ? end : next(),
    };
  }
  return bucketSpan(typeof start === 'string' ? String(bucketOf(start, bucket)) : next(), bucket);
}

/** The text of a period: its first day, or the number of its bucket. */
export function periodText(
  selection: Pick<AggregateSelection, 'period' | 'groups'>,
  row: Row,
): string {
  const { start = '', bucket } = selection.period ?? {};
  const span = periodOf(selection, row);
  if (span !== undefined) return span.start;
  return typeof start === 'string' && bucket !== undefined
    ? String(bucketOf(start, bucket))
    : String(row[startOfPeriod(selection.groups)]);
}

/** The index of the first term of the period in the values of a group. */
export function startOfPeriod(groups: AggregateSelection['groups']): number {
  const index = groups.findIndex(({ kind }) => kind === 'PERIOD');
  return termCount({ groups: groups.slice(0, index) });
}

/**
 * The days of the values that groups are compared with: `found` if these are among the groups, undefined if there are
 * none. A span that the filter of the request cuts is compared with one that is cut alike.
 */
export function earlierDays(
  selection: AggregateSelection,
  rows: readonly Row[],
): PeriodFilter | 'found' | undefined {
  const { compare, period, request } = selection;
  if (compare === undefined || compare === 'MEAN_OF_GROUPS') return undefined;
  const { start: from, end: to } = request.observationPeriodFilter;
  if (from === undefined && to === undefined) return 'found';
  const spans = period === undefined ? [wholeSpan(selection)] : periodsOf(selection, rows);
  let found: Period | undefined;
  for (const span of spans) {
    if (span === undefined) continue;
    const cut = {
      start: from !== undefined && from > span.start ? from : span.start,
      end: to !== undefined && to < span.end ? to : span.end,
    };
    const earlier = earlierPeriod(cut, stepFrom(selection, span, compare));
    if (earlier === undefined) continue;
    found = {
      start: found === undefined || earlier.start < found.start ? earlier.start : found.start,
      end: found === undefined || earlier.end > found.end ? earlier.end : found.end,
    };
  }
  return found;
}

/** Without a group by period, all groups are of the period of the filter. */
function wholeSpan({ request }: AggregateSelection): Period | undefined {
  const { start, end } = request.observationPeriodFilter;
  return start === undefined || end === undefined ? undefined : { start, end };
}

function periodsOf(selection: AggregateSelection, rows: readonly Row[]): readonly Period[] {
  const found = new Map<string, Period>();
  for (const row of rows) {
    const period = periodOf(selection, row);
    if (period !== undefined) found.set(`${period.start}/${period.end}`, period);
  }
  return [...found.values()];
}

function stepFrom(
  { version }: AggregateSelection,
  period: Period,
  comparison: Exclude<Comparison, 'MEAN_OF_GROUPS'>,
): PeriodStep {
  const isWeekly = version.metric.cadence.startsWith('weekly');
  return stepOf(period, comparison, { isWeekly });
}

type BaseOf = (row: Row, aggregate: number) => Value;

/** Finds the number that an aggregate of a group is compared with. */
function openBases(
  selection: AggregateSelection,
  rows: readonly Row[],
  earlier: readonly Row[],
): BaseOf {
  const { compare, aggregates } = selection;
  if (compare === undefined) return () => null;
  const first = termCount(selection);
  if (compare === 'MEAN_OF_GROUPS') {
    const means = aggregates.map((_, index) => meanOfColumn(rows, first + index));
    return (_row, aggregate) => means[aggregate] ?? null;
  }
  const keyOf = openKeys(selection);
  const known = new Map(earlier.map((row) => [keyOf(row, periodOf(selection, row)), row]));
  const bases = new Map<string, Period | undefined>();
  const baseOf = (period: Period): Period | undefined => {
    const key = `${period.start}/${period.end}`;
    if (!bases.has(key)) {
      bases.set(key, earlierPeriod(period, stepFrom(selection, period, compare)));
    }
    return bases.get(key);
  };
  return (row, aggregate) => {
    const period = periodOf(selection, row);
    const base = period && baseOf(period);
    if (period !== undefined && base === undefined) return null;
    return known.get(keyOf(row, base))?.[first + aggregate] ?? null;
  };
}

/**
 * Makes a text of a group that only those groups have that differ from it in nothing but the period, and are of the given
 * one. No value is an empty text or has U+0000.
 */
function openKeys({ groups }: AggregateSelection) {
  const isOfPeriod = groups.flatMap(({ kind, terms }) => terms.map(() => kind === 'PERIOD'));
  return (row: Row, period: Period | undefined): string => {
    let key = period === undefined ? '' : `${period.start}/${period.end}`;
    for (let index = 0; index < isOfPeriod.length; index += 1) {
      if (!isOfPeriod[index]) key += `\0${row[index] ?? ''}`;
    }
    return key;
  };
}

function meanOfColumn(rows: readonly Row[], column: number): number | null {
  let sum = NO_SUM;
  for (const row of rows) {
    const value = row[column] ?? null;
    if (value !== null) sum = addToSum(sum, value);
  }
  return meanOf(sum);
}

/** Differences of integers are exact. A change from nothing or from 0 has no percentage. */
function comparedTo(
  value: Value,
  base: Value,
): Pick<AggregateValue, 'compared' | 'change' | 'percent'> {
  if (base === null) return {};
  const compared = Number(base);
  if (value === null) return { compared };
  const change =
    typeof value === 'bigint' && typeof base === 'bigint'
      ? Number(value - base)
      : Number(value) - compared;
  return compared === 0
    ? { compared, change }
    : { compared, change, percent: (change * 100) / compared };
}

/** Ranks numbers among all of them; the largest has rank 1, and equal ones share a rank. */
function openRanks(
  numbers: readonly Value[],
): (number: Value) => Pick<AggregateValue, 'rank' | 'percentile'> {
  const options = { descending: false, absentFirst: false };
  const sorted = numbers
    .filter((number) => number !== null)
    .sort((left, right) => compareOrderValues(left, right, options));
  /** How many numbers are before the first that is not below, or not at most, this one. */
  const countBelow = (number: Value, orEqual: boolean): number => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = compareOrderValues(sorted[middle] ?? null, number, options);
      if (order < 0 || (orEqual && order === 0)) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  return (number) =>
    number === null
      ? {}
      : {
          rank: sorted.length - countBelow(number, true) + 1,
          percentile: (countBelow(number, false) * 100) / sorted.length,
        };
}

function sortRows(
  rows: readonly Row[],
  order: AggregateSelection['order'],
  numberOf: (row: Row, term: NumberTerm) => Value,
  count: number,
): readonly Row[] {
  if (order.length === 0) return rows;
  const keyed = rows.map((row) => ({ row, keys: order.map((term) => numberOf(row, term)) }));
  const compare = (left: (typeof keyed)[number], right: (typeof keyed)[number]): number => {
    for (const [index, { descending }] of order.entries()) {
      const result = compareOrderValues(left.keys[index] ?? null, right.keys[index] ?? null, {
        descending,
        absentFirst: false,
      });
      if (result !== 0) return result;
    }
    return 0;
  };
  const sorted = count < rows.length / 100 ? takeFirst(keyed, compare, count) : keyed.sort(compare);
  return sorted.map(({ row }) => row);
}

/** Aggregates of metric values are numbers. */
function numberIn(value: Value): number | bigint | null {
  return typeof value === 'number' || typeof value === 'bigint' ? value : null;
}
