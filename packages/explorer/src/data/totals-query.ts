import { type FilterClause, ServiceError } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

/** What a view of records needs in order to count none of them twice. */
export type Totals = {
  /** The filters that leave only totals, one for each field whose totals the filters of the view do not keep apart. */
  readonly filters: readonly FilterClause[];
  /** The caller does not see the field of the totals, so that they cannot be kept apart: the service refuses aggregates. */
  readonly areMixed: boolean;
};

/** Finds out which of the selected records are totals of others. It costs no rows. */
export function totalsQuery(
  { client }: Pick<Session, 'client'>,
  dataset: string,
  filters: readonly FilterClause[] = [],
) {
  const request = { dataReferenceName: dataset, recordCount: true, countOnly: true };
  return queryOptions({
    queryKey: ['totals', dataset, filters],
    queryFn: async ({ signal }): Promise<Totals> => {
      const found: FilterClause[] = [];
      for (;;) {
        try {
          await client.listRecords({ ...request, filters: [...filters, ...found] }, { signal });
          return { filters: found, areMixed: false };
        } catch (error) {
          if (!(error instanceof ServiceError) || error.reason !== 'NOT_ADDITIVE') throw error;
          const next = totalsFilter(error.hint);
          if (next === undefined) return { filters: found, areMixed: true };
          found.push(next);
        }
      }
    },
    // While those of other filters are asked for, what the filters name is no longer left to the totals.
    placeholderData: (before, query) =>
      before === undefined || query?.queryKey[1] !== dataset
        ? undefined
        : { ...before, filters: before.filters.filter((one) => !names(filters, one.fieldName)) },
  });
}

function names(filters: readonly FilterClause[], field: string): boolean {
  return filters.some(({ fieldName }) => fieldName === field);
}

/** The filters of a view, and those that leave the totals. None: undefined, as in an address. */
export function withTotals(
  filters: readonly FilterClause[] = [],
  totals: Pick<Totals, 'filters'> | undefined,
): readonly FilterClause[] | undefined {
  const all = [...filters, ...(totals?.filters ?? [])];
  return all.length === 0 ? undefined : all;
}

/** Descriptions of fields do not say which value marks totals. The refusal of an aggregate does: it says what to filter. */
function totalsFilter(hint: string): FilterClause | undefined {
  const [, fieldName, value] = HINT.exec(hint) ?? [];
  return fieldName === undefined ? undefined : { fieldName, operator: '==', value };
}

const HINT = /^Group by '(\w+)', or filter on it: == '(.*)' for the totals, or != /s;
