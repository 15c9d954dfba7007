import { type ExactSum, floatSumOf, integerSumOf, meanOf } from '../../domain/exact-sum.ts';
import type { Value } from '../../domain/value.ts';
import {
  type AggregateTerm,
  GROUPS_MAX,
  type GroupNumber,
  type GroupsPlan,
} from '../../plan/read-plan.ts';
import { interpolate, quantilePlace } from '../../requests/quantile.ts';
import type { GroupRank, GroupsPage } from '../engine.ts';
import { compareOrderValues } from './compare-order-values.ts';
import { changeOf, percentOf } from './compared-number.ts';
import { matches } from './match-predicate.ts';
import { openRanks } from './rank-numbers.ts';
import { takeFirst } from './take-first.ts';

/** A group as an engine has it: its values, and for each aggregate the parts from which `aggregateValue` makes it. */
export type FoundGroup = {
  readonly values: readonly Value[];
  readonly parts: readonly (readonly Value[])[];
};

/** A group of a page that a database has made. */
export type GroupOnPage = {
  readonly group: FoundGroup;
  /** The group that it is compared with. */
  readonly compared: FoundGroup | undefined;
  readonly rank: GroupRank | undefined;
};

/** The page of groups that a database has ordered, compared, ranked and counted. A page after the last group is empty. */
export function finishGroupsPage(
  plan: GroupsPlan,
  found: readonly GroupOnPage[],
  total: number,
): GroupsPage {
  if (total > GROUPS_MAX) return CUT_OFF;
  return pageOf(plan, {
    rows: found.map(({ group }) => rowOf(plan, group)),
    compared: found.map(({ compared }) => compared && aggregatesOf(plan, compared)),
    ranks: found.map(({ rank }) => rank),
    total,
  });
}

/**
 * The page of the found groups: computes their aggregates, leaves out those that miss a condition, compares, orders and
 * ranks them. `compared` are the groups that they are compared with.
 */
export function finishGroups(
  plan: GroupsPlan,
  found: Iterable<FoundGroup>,
  compared: Iterable<FoundGroup> = [],
): GroupsPage {
  const rows: (readonly Value[])[] = [];
  let count = 0;
  for (const group of found) {
    count += 1;
    if (count > GROUPS_MAX) return CUT_OFF;
    const row = rowOf(plan, group);
    if (matchesConditions(plan, row)) rows.push(row);
  }
  const { groups, rankBy, after, limit } = plan;
  const keyOf = (values: readonly Value[]) => groupKey(values.slice(0, groups.length));
  const known = new Map<string, readonly Value[]>();
  for (const group of compared) {
    known.set(keyOf(group.values), aggregatesOf(plan, group));
    if (known.size > GROUPS_MAX) return CUT_OFF;
  }
  const baseOf = (row: readonly Value[]) => known.get(keyOf(row));
  const numberOf: NumberOf = (row, { index, part }) => {
    const value = row[index] ?? null;
    if (part === undefined) return value;
    const base = baseOf(row)?.[index - groups.length] ?? null;
    return part === 'change' ? changeOf(value, base) : percentOf(value, base);
  };
  const page = sortRows(plan, rows, numberOf).slice(after, after + limit);
  const ranked = rankBy && openRanks(page.map((row) => numberOf(row, rankBy)));
  if (ranked) for (const row of rows) ranked.add(numberOf(row, rankBy));
  return pageOf(plan, {
    rows: page,
    compared: page.map(baseOf),
    ranks: ranked?.ranks() ?? [],
    total: rows.length,
  });
}

/** A text of the values of a group that no other group of the same terms has. No value is an empty text or has U+0000. */
export function groupKey(values: readonly Value[]): string {
  return values.map((value) => value ?? '').join('\0');
}

type NumberOf = (row: readonly Value[], number: GroupNumber) => Value;

/** Sorts rows in the order of the plan, at least up to the end of its page. */
function sortRows(
  { groups, order, after, limit }: GroupsPlan,
  rows: (readonly Value[])[],
  numberOf: NumberOf,
): readonly (readonly Value[])[] {
  const terms = [...order, ...groups.map((_, index) => ({ index, descending: false }))];
  const count = after + limit;
  if (order.every(({ part }) => part === undefined)) {
    const valueAt = (row: readonly Value[], term: number) => row[terms[term]?.index ?? 0] ?? null;
    return sortGroups(rows, { terms, valueAt, count });
  }
  const keyed = rows.map((row) => ({ row, keys: terms.map((term) => numberOf(row, term)) }));
  const valueAt = ({ keys }: (typeof keyed)[number], term: number) => keys[term] ?? null;
  return sortGroups(keyed, { terms, valueAt, count }).map(({ row }) => row);
}

/**
 * Sorts groups by the values of terms, of which absent ones are last, at least the first `count` of them. Equal groups
 * keep their order.
 */
function sortGroups<Group>(
  groups: Group[],
  {
    terms,
    valueAt,
    count,
  }: {
    readonly terms: readonly { readonly descending: boolean }[];
    /** The value of a term, by its index. */
    readonly valueAt: (group: Group, term: number) => Value;
    readonly count: number;
  },
): readonly Group[] {
  const options = terms.map(({ descending }) => ({ descending, absentFirst: false }));
  const compare = (left: Group, right: Group): number => {
    for (const [term, option] of options.entries()) {
      const order = compareOrderValues(valueAt(left, term), valueAt(right, term), option);
      if (order !== 0) return order;
    }
    return 0;
  };
  // A few groups of many are found faster than all are sorted.
  return count < groups.length / SORTED_SHARE
    ? takeFirst(groups, compare, count)
    : groups.sort(compare);
}

function rowOf(plan: GroupsPlan, group: FoundGroup): readonly Value[] {
  return [...group.values, ...aggregatesOf(plan, group)];
}

function aggregatesOf({ aggregates }: GroupsPlan, { parts }: FoundGroup): readonly Value[] {
  return aggregates.map((term, at) => aggregateValue(term, parts[at] ?? []));
}

function pageOf(
  { after, limit, compared, rankBy }: GroupsPlan,
  found: Pick<GroupsPage, 'rows' | 'compared' | 'ranks' | 'total'>,
): GroupsPage {
  const { rows, total } = found;
  return {
    rows,
    ...(compared === undefined ? {} : { compared: found.compared ?? [] }),
    ...(rankBy === undefined ? {} : { ranks: found.ranks ?? [] }),
    positionAt: (index) => after + index + 1,
    hasMore: total > after + limit,
    total,
    isCutOff: false,
  };
}

const SORTED_SHARE = 100;

const CUT_OFF: GroupsPage = {
  rows: [],
  positionAt: () => 0,
  hasMore: false,
  total: 0,
  isCutOff: true,
};

function matchesConditions(
  { groups, aggregates, conditions }: GroupsPlan,
  row: readonly Value[],
): boolean {
  if (conditions.length === 0) return true;
  const names = [...groups, ...aggregates].map(({ name }, index) => [name, row[index] ?? null]);
  const record: Readonly<Record<string, Value>> = Object.fromEntries(names);
  return conditions.every((condition) => matches(record, condition, () => []));
}

/** The aggregate of a group from its parts. */
function aggregateValue(term: AggregateTerm, parts: readonly Value[]): Value {
  const { aggregation, field, quantile } = term;
  switch (aggregation) {
    case 'SUM': {
      const sum = sumOf(parts);
      return field?.type === 'integer' ? integerSumOf(sum) : floatSumOf(sum);
    }
    case 'AVG':
      return meanOf(sumOf(parts));
    case 'MEDIAN':
    case 'QUANTILE': {
      const [count, lower, upper] = parts.map(Number);
      if (count === undefined || lower === undefined || upper === undefined || count === 0) {
        return null;
      }
      return interpolate(lower, upper, quantilePlace(count, quantile).fraction);
    }
    case 'COUNT':
    case 'COUNT_DISTINCT':
      return BigInt(parts[0] ?? 0);
    case 'MIN':
    case 'MAX':
      return parts[0] ?? null;
  }
}

function sumOf([whole, fraction, count, added]: readonly Value[]): ExactSum {
  return {
    whole: BigInt(whole ?? 0),
    fraction: BigInt(fraction ?? 0),
    count: Number(count),
    added: Number(added),
  };
}
