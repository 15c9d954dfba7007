import { type FilterClause, ServiceError } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import type { Box } from './box.ts';
import { type Selection, toBoundingBox } from './selection.ts';

/** The filters with which a map of records counts none of them twice. */
export type Totals = {
  /**
   * One for each field whose totals the filters of the map do not keep apart: == leaves only the totals, and != leaves out
   * those that have no place on the map.
   */
  readonly filters: readonly FilterClause[];
  /** The caller does not see the field of the totals, so that they cannot be kept apart: the service refuses aggregates. */
  readonly areMixed: boolean;
};

/** Finds out which of the selected records are totals of others. It costs no rows. */
export function totalsQuery(
  { client }: Pick<Session, 'client'>,
  dataset: string,
  { filters = [], area }: { readonly filters: Selection['filters']; readonly area?: string },
) {
  const request = { dataReferenceName: dataset, countOnly: true };
  return queryOptions({
    queryKey: ['totals', dataset, filters, area],
    queryFn: async ({ signal }): Promise<Totals> => {
      const found: FilterClause[] = [];
      /** Without a field of areas, places are points. */
      const havePlaces = async (totals: FilterClause): Promise<boolean> => {
        if (area !== undefined) return totals.fieldName !== area;
        const options = { boundingBox: toBoundingBox({ box: WORLD }) };
        const all = [...filters, ...found, totals];
        const { totalSize } = await client.listRecords(
          { ...request, filters: all, options },
          { signal },
        );
        return totalSize > 0;
      };
      for (;;) {
        try {
          const all = [...filters, ...found];
          await client.listRecords({ ...request, recordCount: true, filters: all }, { signal });
          return { filters: found, areMixed: false };
        } catch (error) {
          if (!(error instanceof ServiceError) || error.reason !== 'NOT_ADDITIVE') throw error;
          const next = totalsFilter(error.hint);
          if (next === undefined) return { filters: found, areMixed: true };
          found.push((await havePlaces(next)) ? next : { ...next, operator: '!=' });
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

const WORLD: Box = [-180, -90, 180, 90];

const HINT = /^Group by '(\w+)', or filter on it: == '(.*)' for the totals, or != /s;
