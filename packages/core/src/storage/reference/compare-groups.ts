import { earlierPeriod } from '../../dates/compared-period.ts';
import type { Period, PeriodFilter } from '../../dates/period.ts';
import { bucketOf, bucketSpan } from '../../domain/date-bucket.ts';
import { addToSum, meanOf, NO_SUM } from '../../domain/exact-sum.ts';
import type { Value } from '../../domain/value.ts';
import {
  type AggregateSelection,
  type NumberTerm,
  stepFrom,
} from '../../plan/plan-metric-aggregates.ts';
import type { AggregateValue } from '../../requests/metric-aggregates.ts';
import { openTicks } from '../../runtime/ticks.ts';
import type { GroupsPage } from '../engine.ts';
import { compareOrderValues } from './compare-order-values.ts';
import { changeOf, percentOf } from './compared-number.ts';
import { openRanks } from './rank-numbers.ts';
import { openFirst } from './take-first.ts';

/** The values of the terms of a group, then its aggregates. */
type Row = readonly Value[];

/** A group on a page, with its aggregates and how they compare. */
export type ComparedGroup = {
  readonly row: Row;
  readonly period: Period | undefined;
  readonly values: readonly AggregateValue[];
};

/** The groups of a page as they are shown. */
export function showGroups(
  selection: AggregateSelection,
  { rows, compared = [], ranks = [] }: Pick<GroupsPage, 'rows' | 'compared' | 'ranks'>,
): readonly ComparedGroup[] {
  const { aggregates, rankBy } = selection;
  const first = termCount(selection);
  return rows.map((row, at) => ({
    row,
    period: periodOf(selection, row),
    values: aggregates.map(({ name, kind }, index) => {
      const value = numberIn(row[first + index] ?? null);
      return {
        name,
        kind,
        value,
        ...comparedTo(value, compared[at]?.[index] ?? null),
        ...(rankBy?.aggregate === index ? ranks[at] : {}),
      };
    }),
  }));
}

/**
 * Compares, ranks and orders groups, and returns those of a page, for a comparison that no plan of groups expresses: of
 * groups by period, or with the mean. `rows` are all groups, ordered by their terms; `earlier` are those of the periods
 * that they are compared with.
 */
export async function compareGroups(
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
): Promise<Pick<GroupsPage, 'rows' | 'compared' | 'ranks' | 'hasMore' | 'total'>> {
  const { order, rankBy, aggregates } = selection;
  const first = termCount(selection);
  const baseOf = await openBases(selection, rows, earlier);
  const numberOf = (row: Row, { aggregate, part }: NumberTerm): Value => {
    const value = row[first + aggregate] ?? null;
    switch (part) {
      case 'value':
        return value;
      case 'change':
        return changeOf(value, baseOf(row, aggregate));
      case 'percent':
        return percentOf(value, baseOf(row, aggregate));
    }
  };
  const sorted = await sortRows(rows, order, numberOf, after + limit);
  const page = sorted.slice(after, after + limit);
  const ranked = rankBy && openRanks(page.map((row) => numberOf(row, rankBy)));
  if (ranked) await forEachInTicks(rows, (row) => ranked.add(numberOf(row, rankBy)));
  return {
    rows: page,
    compared: page.map((row) => aggregates.map((_, index) => baseOf(row, index))),
    ranks: ranked?.ranks() ?? [],
    hasMore: rows.length > after + limit,
    total: rows.length,
  };
}

/** Does short work for each item; other work of the event loop runs meanwhile. */
async function forEachInTicks<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
): Promise<void> {
  const ticks = openTicks();
  let count = 0;
  for (const item of items) {
    work(item);
    count += 1;
    if (count % ITEMS_AT_ONCE === 0 && ticks.isOver()) await ticks.next();
  }
}

/** The clock is read once for so many items. */
const ITEMS_AT_ONCE = 64;

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
  // Without a group by period, a plan of groups expresses the comparison.
  const spans = period === undefined ? [] : periodsOf(selection, rows);
  let found: Period | undefined;
  for (const span of spans) {
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

function periodsOf(selection: AggregateSelection, rows: readonly Row[]): readonly Period[] {
  const found = new Map<string, Period>();
  for (const row of rows) {
    const period = periodOf(selection, row);
    if (period !== undefined) found.set(`${period.start}/${period.end}`, period);
  }
  return [...found.values()];
}

type BaseOf = (row: Row, aggregate: number) => Value;

/** Finds the number that an aggregate of a group is compared with. */
async function openBases(
  selection: AggregateSelection,
  rows: readonly Row[],
  earlier: readonly Row[],
): Promise<BaseOf> {
  const { compare, aggregates } = selection;
  if (compare === undefined) return () => null;
  const first = termCount(selection);
  if (compare === 'MEAN_OF_GROUPS') {
    const sums = aggregates.map(() => NO_SUM);
    await forEachInTicks(rows, (row) => {
      for (const [index, sum] of sums.entries()) {
        const value = row[first + index] ?? null;
        if (value !== null) sums[index] = addToSum(sum, value);
      }
    });
    const means = sums.map(meanOf);
    return (_row, aggregate) => means[aggregate] ?? null;
  }
  const keyOf = openKeys(selection);
  const known = new Map<string, Row>();
  await forEachInTicks(earlier, (row) => known.set(keyOf(row, periodOf(selection, row)), row));
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
    if (base === undefined) return null;
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

/** Differences of integers are exact. A change from nothing or from 0 has no percentage. */
function comparedTo(
  value: Value,
  base: Value,
): Pick<AggregateValue, 'compared' | 'change' | 'percent'> {
  if (base === null) return {};
  const compared = Number(base);
  const change = changeOf(value, base);
  if (change === null) return { compared };
  const percent = percentOf(value, base);
  return { compared, change: Number(change), ...(percent === null ? {} : { percent }) };
}

/** Sorts rows by numbers, of which absent ones are last, at least the first `count` of them. */
async function sortRows(
  rows: readonly Row[],
  order: AggregateSelection['order'],
  numberOf: (row: Row, term: NumberTerm) => Value,
  count: number,
): Promise<readonly Row[]> {
  if (order.length === 0) return rows;
  type Keyed = { readonly row: Row; readonly keys: readonly Value[] };
  const options = order.map(({ descending }) => ({ descending, absentFirst: false }));
  const compare = (left: Keyed, right: Keyed): number => {
    for (const [term, option] of options.entries()) {
      const result = compareOrderValues(left.keys[term] ?? null, right.keys[term] ?? null, option);
      if (result !== 0) return result;
    }
    return 0;
  };
  const keyed = (row: Row): Keyed => ({ row, keys: order.map((term) => numberOf(row, term)) });
  if (count < rows.length / SORTED_SHARE) {
    const first = openFirst(compare, count);
    await forEachInTicks(rows, (row) => first.add(keyed(row)));
    return first.items.map(({ row }) => row);
  }
  const all: Keyed[] = [];
  await forEachInTicks(rows, (row) => all.push(keyed(row)));
  return all.sort(compare).map(({ row }) => row);
}

/** A few rows of many are found faster than all are sorted. */
const SORTED_SHARE = 20;

/** Aggregates of metric values are numbers. */
function numberIn(value: Value): number | bigint | null {
  return typeof value === 'number' || typeof value === 'bigint' ? value : null;
}
