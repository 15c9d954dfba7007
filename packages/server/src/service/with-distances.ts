import { distanceMetres } from '@locmetrics/core/domain/distance';
import { visitValue } from '@locmetrics/core/domain/value-visitor';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { RecordsBatch, RecordsPage, SortedRecords } from '@locmetrics/core/storage/engine';
import { LazyPage } from '@locmetrics/core/storage/lazy-page';
import { visitPage } from './visit-page.ts';

/** Whether the records of a plan have their distance after their fields. */
export function hasDistances({ order }: Pick<RecordsPlan, 'order'>): boolean {
  return order.some(({ kind }) => kind === 'near');
}

/** A page of records with their distances, if it is ordered by them. */
export function withDistances(plan: RecordsPlan, found: RecordsPage): RecordsPage {
  const term = plan.order.findIndex(({ kind }) => kind === 'near');
  if (term < 0) return found;
  const { size, positionAt, hasMore, total } = found;
  const visit = visitPage(found);
  return new LazyPage(
    {
      size,
      visit: (index, visitor) => {
        visit(index, visitor);
        const metres = distanceMetres(positionAt(index).orderValues[term] ?? null);
        visitValue(plan.fields.length, metres, visitor);
      },
      positionAt,
      hasMore,
      total,
    },
    () => found.rows,
  );
}

/** Sorted records with their distances, in place of the values of their order. */
export function sortedWithDistances(plan: RecordsPlan, sorted: SortedRecords): SortedRecords {
  if (!hasDistances(plan)) return sorted;
  return {
    ...sorted,
    // The distances are not computed by the engine, so it cannot write lines.
    read: async (range, signal) =>
      batchWithDistances(await sorted.read({ ...range, lines: undefined }, signal)),
  };
}

function batchWithDistances(batch: RecordsBatch): RecordsBatch {
  const { rows, columns } = batch;
  const chords = columns?.at(-1);
  return {
    ...batch,
    rows: rows.map((row) => [...row.slice(0, -1), distanceMetres(row.at(-1) ?? null)]),
    ...(columns === undefined || chords === undefined
      ? {}
      : { columns: [...columns.slice(0, -1), Array.from(chords, distanceMetres)] }),
  };
}
