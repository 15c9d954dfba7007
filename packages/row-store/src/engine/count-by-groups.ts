import type { FieldType } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import type { CountPlan, GroupsPlan } from '@locmetrics/core/plan/read-plan';
import type { GroupsPage } from '@locmetrics/core/storage/engine';
import { finishGroups } from '@locmetrics/core/storage/reference/finish-groups';
import { type CountedRecord, groupCounted } from '@locmetrics/core/storage/reference/group-records';
import { matches } from '@locmetrics/core/storage/reference/match-predicate';
import type { CountedGroups, RowFacts, StoredValue } from '../row-file.ts';
import { findNone } from './entry-filter.ts';

/** The number of records of a plan whose conditions are each on one field of the groups. */
export function countByGroups(
  { predicates }: CountPlan,
  { fields, values, counts }: CountedGroups,
  facts: RowFacts,
): number {
  const matching = fields.map((name, index) => {
    const type = typeOf(name, facts);
    const onField = predicates.filter((one) => 'field' in one && one.field.name === name);
    return (values[index] ?? []).map((stored) => {
      const record = { [name]: stored === null ? null : toValue(stored, type) };
      return onField.every((predicate) => matches(record, predicate, findNone));
    });
  });
  const width = fields.length + 1;
  let count = 0;
  for (let at = 0; at < counts.length; at += width) {
    if (matching.every((is, index) => is[counts[at + index] ?? 0])) {
      count += counts[at + width - 1] ?? 0;
    }
  }
  return count;
}

/** A page of groups of records, which counted combinations of values decide. */
export function groupByGroups(
  plan: GroupsPlan,
  groups: CountedGroups,
  facts: RowFacts,
): GroupsPage {
  const counted = combinationsOf(groups, facts).filter(([record]) =>
    plan.predicates.every((predicate) => matches(record, predicate, findNone)),
  );
  return finishGroups(plan, groupCounted(plan, counted, findNone));
}

function* combinationsOf(
  { fields, values, counts }: CountedGroups,
  facts: RowFacts,
): Generator<CountedRecord> {
  const typed = fields.map((name, index) =>
    (values[index] ?? []).map((stored) =>
      stored === null ? null : toValue(stored, typeOf(name, facts)),
    ),
  );
  const width = fields.length + 1;
  for (let at = 0; at < counts.length; at += width) {
    const record = fields.map((name, index) => [
      name,
      typed[index]?.[counts[at + index] ?? 0] ?? null,
    ]);
    yield [Object.fromEntries(record), BigInt(counts[at + width - 1] ?? 0)];
  }
}

/** The number of records with each value of a field that has a counter, and with none. */
export function counterAsGroups(
  field: string,
  { counters, records }: Pick<RowFacts, 'counters' | 'records'>,
): CountedGroups | undefined {
  const counter = Object.hasOwn(counters, field) ? counters[field] : undefined;
  if (counter === undefined) return undefined;
  const absent = counter.reduce((left, [, count]) => left - count, records);
  const all = absent === 0 ? counter : [...counter, [null, absent] as const];
  return {
    fields: [field],
    values: [all.map(([value]) => value)],
    counts: all.flatMap(([, count], index) => [index, count]),
  };
}

/** The number of records of a plan whose conditions are all on one field, by the counter of each value. */
export function countByCounter({ predicates }: CountPlan, field: string, facts: RowFacts): number {
  const type = typeOf(field, facts);
  let count = 0;
  for (const [stored, records] of facts.counters[field] ?? []) {
    const record = { [field]: toValue(stored, type) };
    if (predicates.every((predicate) => matches(record, predicate, () => []))) count += records;
  }
  return count;
}

function typeOf(name: string, { fields }: RowFacts): FieldType {
  return fields.find((field) => field.name === name)?.type ?? 'string';
}

function toValue(stored: StoredValue, type: FieldType): Value {
  switch (type) {
    case 'integer':
      return BigInt(stored);
    case 'boolean':
      return stored === 'true';
    default:
      return stored;
  }
}
