import type { CountPlan } from '../../../plan/read-plan.ts';
import { matches } from '../../reference/match-predicate.ts';
import type { CountedGroups, RowFacts } from '../row-file.ts';
import { toValue } from './count-by-counter.ts';
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
