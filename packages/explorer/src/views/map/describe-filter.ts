import type { FilterClause } from '@locmetrics/client';

/** A filter in a few words: region == CA. */
export function describeFilter({ fieldName, operator, value, values }: FilterClause): string {
  const words = operator.replaceAll('_', ' ');
  const given = value ?? values?.slice(0, VALUES_SHOWN).join(', ');
  const others = Math.max(0, (values?.length ?? 0) - VALUES_SHOWN);
  return [fieldName, words, given, others > 0 ? `and ${others} more` : undefined]
    .filter((part) => part !== undefined)
    .join(' ');
}

const VALUES_SHOWN = 3;
