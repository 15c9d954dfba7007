import type { FieldType } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import type { CountPlan } from '@locmetrics/core/plan/read-plan';
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
    const type = facts.fields.find((field) => field.name === name)?.type ?? 'string';
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

/** The number of records of a plan whose conditions are all on one field, by the counter of each value. */
export function countByCounter({ predicates }: CountPlan, field: string, facts: RowFacts): number {
  const type = facts.fields.find(({ name }) => name === field)?.type ?? 'string';
  let count = 0;
  for (const [stored, records] of facts.counters[field] ?? []) {
    const record = { [field]: toValue(stored, type) };
    if (predicates.every((predicate) => matches(record, predicate, () => []))) count += records;
  }
  return count;
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
