import { type VisitRecord, visitColumns, visitRows } from '@locmetrics/core/domain/value-visitor';
import type { RecordsPage } from '@locmetrics/core/storage/engine';

/** Visits the values of a page as the engine has them. */
export function visitPage(
  found: Partial<Pick<RecordsPage, 'rows' | 'columns' | 'visit'>> | undefined,
): VisitRecord {
  if (found?.visit !== undefined) return found.visit;
  return found?.columns === undefined ? visitRows(found?.rows ?? []) : visitColumns(found.columns);
}
