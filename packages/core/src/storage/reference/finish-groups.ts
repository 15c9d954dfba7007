import { type ExactSum, floatSumOf, integerSumOf, meanOf } from '../../domain/exact-sum.ts';
import { interpolate, quantilePlace } from '../../domain/quantile.ts';
import type { Value } from '../../domain/value.ts';
import { type AggregateTerm, GROUPS_MAX, type GroupsPlan } from '../../plan/read-plan.ts';
import type { GroupsPage } from '../engine.ts';
import { compareOrderValues } from './compare-order-values.ts';
import { matches } from './match-predicate.ts';
import { takeFirst } from './take-first.ts';

/** A group as an engine has it: its values, and for each aggregate the parts from which `aggregateValue` makes it. */
export type FoundGroup = {
  readonly values: readonly Value[];
  readonly parts: readonly (readonly Value[])[];
};

/** How many parts an aggregate has. */
export function partCountOf({ aggregation }: AggregateTerm): number {
  switch (aggregation) {
    case 'SUM':
    case 'AVG':
      return 4;
    case 'MEDIAN':
    case 'QUANTILE':
      return 3;
    case 'MIN':
    case 'MAX':
    case 'COUNT':
    case 'COUNT_DISTINCT':
      return 1;
  }
}

/** The page of groups that a database has ordered and counted. A page after the last group is empty. */
export function finishGroupsPage(
  plan: GroupsPlan,
  found: Iterable<FoundGroup>,
  total: number,
): GroupsPage {
  if (total > GROUPS_MAX) return CUT_OFF;
  return pageOf(
    plan,
    Array.from(found, (group) => rowOf(plan, group)),
    total,
  );
}

/** The page of the found groups: computes their aggregates, leaves out those that miss a condition, and orders them. */
export function finishGroups(plan: GroupsPlan, found: Iterable<FoundGroup>): GroupsPage {
  const rows: (readonly Value[])[] = [];
  let count = 0;
  for (const group of found) {
    count += 1;
    if (count > GROUPS_MAX) return CUT_OFF;
    const row = rowOf(plan, group);
    if (matchesConditions(plan, row)) rows.push(row);
  }
  const terms = [...plan.order, ...plan.groups.map((_, index) => ({ index, descending: false }))];
  const compare = (left: readonly Value[], right: readonly Value[]): number => {
    for (const { index, descending } of terms) {
      const options = { descending, absentFirst: false };
      const order = compareOrderValues(left[index] ?? null, right[index] ?? null, options);
      if (order !== 0) return order;
    }
    return 0;
  };
  const { after, limit } = plan;
  // A few groups of many are found faster than all are sorted.
  const sorted =
    after + limit < rows.length / SORTED_SHARE
      ? takeFirst(rows, compare, after + limit)
      : rows.sort(compare);
  return pageOf(plan, sorted.slice(after, after + limit), rows.length);
}

function rowOf({ aggregates }: GroupsPlan, { values, parts }: FoundGroup): readonly Value[] {
  return [...values, ...aggregates.map((term, at) => aggregateValue(term, parts[at] ?? []))];
}

function pageOf({ after, limit }: GroupsPlan, rows: GroupsPage['rows'], total: number): GroupsPage {
  return {
    rows,
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
