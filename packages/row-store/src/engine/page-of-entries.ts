import type { Field } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import type { RecordPosition, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { RecordsPage } from '@locmetrics/core/storage/engine';
import { LazyPage } from '@locmetrics/core/storage/lazy-page';
import { fromKey, toKey } from './entry-block.ts';
import type { RowFile } from './open-row-file.ts';
import { rowsOfVisits } from './rows-of-visits.ts';

/** The ordinal of a record, and the key (see `toKey`) of the value that it is ordered by. */
export type Entry = { readonly row: number; readonly key: Value };

/** The entry at which a page ends, in the order of a field or of the key. */
export function toEntry({ row, orderValues }: RecordPosition, field: Field | undefined): Entry {
  const [value = null] = orderValues;
  return { row, key: field === undefined ? null : toKey(value, field.type) };
}

/** The page of a plan from its entries, in order; one more than the limit tells that more follow. */
export function pageOfEntries(
  { fields, limit, order }: RecordsPlan,
  entries: readonly Entry[],
  file: RowFile,
  total?: number,
): RecordsPage {
  const page = entries.slice(0, limit);
  const [term] = order;
  const type = term?.kind === 'field' ? term.field.type : 'float';
  const ordinals = page.map(({ row }) => row);
  const visit = file.readRecords(ordinals, fields);
  return new LazyPage(
    {
      size: page.length,
      visit,
      positionAt: (index) => ({
        row: page[index]?.row ?? 0,
        orderValues: order.length === 0 ? [] : [fromKey(page[index]?.key ?? null, type)],
      }),
      hasMore: entries.length > limit,
      total,
    },
    () => rowsOfVisits(visit, page.length, fields),
  );
}
