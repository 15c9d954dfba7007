import { bucketOf } from '../../domain/date-bucket.ts';
import { addToSum, type ExactSum, NO_SUM } from '../../domain/exact-sum.ts';
import { compareValues, type PresentValue, type Value } from '../../domain/value.ts';
import type { AggregateTerm, GroupLookup, GroupsPlan, GroupTerm } from '../../plan/read-plan.ts';
import { quantilePlace } from '../../requests/quantile.ts';
import { type FoundGroup, groupKey } from './finish-groups.ts';
import type { FindFeatures, MemoryRecord } from './match-predicate.ts';

/** A record, and how many records are equal to it, itself included. */
export type CountedRecord = readonly [MemoryRecord, bigint];

/** The groups of records, with the parts of their aggregates. */
export function groupRecords(
  plan: GroupsPlan,
  records: IteratorObject<MemoryRecord>,
  findFeatures: FindFeatures,
): Iterable<FoundGroup> {
  return groupCounted(
    plan,
    records.map((record) => [record, 1n]),
    findFeatures,
  );
}

/** The groups of counted records. Sums and quantiles count each of them once. */
export function groupCounted(
  { groups, aggregates }: GroupsPlan,
  records: Iterable<CountedRecord>,
  findFeatures: FindFeatures,
): Iterable<FoundGroup> {
  const found = new Map<string, { values: readonly Value[]; collected: readonly Collected[] }>();
  const open = (values: readonly Value[]) => ({ values, collected: aggregates.map(openCollected) });
  if (groups.length === 0) found.set('', open([]));
  for (const counted of records) {
    const [record] = counted;
    const values = groups.map((term) => groupValue(term, record, findFeatures));
    const key = groupKey(values);
    const group = found.get(key) ?? open(values);
    found.set(key, group);
    for (const one of group.collected) one.add(counted);
  }
  return found.values().map(({ values, collected }) => ({
    values,
    parts: collected.map(({ parts }) => parts()),
  }));
}

function groupValue(
  { field, bucket, lookup }: GroupTerm,
  record: MemoryRecord,
  findFeatures: FindFeatures,
): Value {
  const own = record[field.name] ?? null;
  const value = lookup === undefined ? own : foundValue(lookup, own, findFeatures);
  return bucket === undefined || typeof value !== 'string' ? value : bucketOf(value, bucket);
}

function foundValue(
  { version, id, value }: GroupLookup,
  own: Value,
  findFeatures: FindFeatures,
): Value {
  if (own === null) return null;
  return findFeatures(version, id, own, [value])[0]?.[value.name] ?? null;
}

/** The values of one aggregate in a group. */
type Collected = {
  readonly add: (record: CountedRecord) => void;
  readonly parts: () => readonly Value[];
};

function openCollected(term: AggregateTerm): Collected {
  const { aggregation, field, quantile, ofPresent } = term;
  switch (aggregation) {
    case 'COUNT': {
      let count = 0n;
      return {
        add: ([record, records]) => {
          if (field === undefined || (record[field.name] ?? null) !== null) count += records;
        },
        parts: () => [count],
      };
    }
    case 'SUM':
    case 'AVG': {
      let sum: ExactSum = NO_SUM;
      return collect(field?.name, {
        add: (value) => {
          sum = addToSum(sum, value);
        },
        parts: () => [sum.whole, sum.fraction, BigInt(sum.count), BigInt(sum.added)],
      });
    }
    case 'MIN':
    case 'MAX': {
      const sign = aggregation === 'MIN' ? 1 : -1;
      let best: Value = null;
      return collect(field?.name, {
        add: (value) => {
          if (best === null || compareValues(value, best) * sign < 0) best = value;
        },
        parts: () => [best],
      });
    }
    case 'COUNT_DISTINCT': {
      const values = new Set<PresentValue>();
      const collected = collect(field?.name, {
        add: (value) => values.add(value),
        parts: () => [BigInt(values.size)],
      });
      if (ofPresent === undefined) return collected;
      return {
        ...collected,
        add: (counted) => {
          const [record] = counted;
          if (ofPresent.some(({ name }) => (record[name] ?? null) !== null)) collected.add(counted);
        },
      };
    }
    case 'MEDIAN':
    case 'QUANTILE': {
      const values: PresentValue[] = [];
      return collect(field?.name, {
        add: (value) => values.push(value),
        parts: () => {
          values.sort(compareValues);
          const { index } = quantilePlace(values.length, quantile);
          return [
            BigInt(values.length),
            values[index] ?? null,
            values[Math.min(index + 1, values.length - 1)] ?? null,
          ];
        },
      });
    }
  }
}

/** Collects the present values of a field. */
function collect(
  name: string | undefined,
  {
    add,
    parts,
  }: { readonly add: (value: PresentValue) => void; readonly parts: Collected['parts'] },
): Collected {
  return {
    add: ([record]) => {
      const value = name === undefined ? null : (record[name] ?? null);
      if (value !== null) add(value);
    },
    parts,
  };
}
