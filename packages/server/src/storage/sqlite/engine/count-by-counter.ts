import type { FieldType } from '../../../domain/field.ts';
import type { Value } from '../../../domain/value.ts';
import type { CountPlan } from '../../../plan/read-plan.ts';
import { matches } from '../../reference/match-predicate.ts';
import type { RowFacts, StoredValue } from '../row-file.ts';

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

export function toValue(stored: StoredValue, type: FieldType): Value {
  switch (type) {
    case 'integer':
      return BigInt(stored);
    case 'boolean':
      return stored === 'true';
    default:
      return stored;
  }
}
