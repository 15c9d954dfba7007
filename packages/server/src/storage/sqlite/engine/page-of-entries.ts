import type { Value } from '../../../domain/value.ts';
import type { RecordsPlan } from '../../../plan/read-plan.ts';
import type { RecordsPage } from '../../engine.ts';
import type { RowFile } from './open-row-file.ts';
import { rowsOfVisits } from './rows-of-visits.ts';

/** The ordinal of a record, and the value that it is ordered by. */
export type Entry = { readonly row: number; readonly value: Value };

/** The page of a plan from its entries, in order; one more than the limit tells that more follow. */
export function pageOfEntries(
  { fields, limit, order }: RecordsPlan,
  entries: readonly Entry[],
  file: RowFile,
  total?: number,
): RecordsPage {
  const page = entries.slice(0, limit);
  const ordinals = page.map(({ row }) => row);
  const visit = file.readRecords(ordinals, fields);
  return {
    size: page.length,
    get rows() {
      return rowsOfVisits(visit, page.length, fields);
    },
    visit,
    positionAt: (index) => ({
      row: page[index]?.row ?? 0,
      orderValues: order.length === 0 ? [] : [page[index]?.value ?? null],
    }),
    hasMore: entries.length > limit,
    ...(total === undefined ? {} : { total }),
  };
}
