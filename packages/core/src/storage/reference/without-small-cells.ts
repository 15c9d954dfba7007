import type { ReadableVersion } from '../../domain/predicate.ts';
import { hasMark, markOf } from '../../domain/withheld-mark.ts';
import type { MemoryRecord } from './match-predicate.ts';

/** The record as the caller of the version sees it: values below the threshold of their field are absent, or have a mark. */
export function withoutSmallCells(
  record: MemoryRecord,
  { narrowing }: ReadableVersion,
): MemoryRecord {
  const withheld = (narrowing?.suppressed ?? []).filter((field) => {
    const value = record[field.name] ?? null;
    return value !== null && Number(value) < (field.suppressBelow ?? Number.POSITIVE_INFINITY);
  });
  if (withheld.length === 0) return record;
  const marks = withheld.filter(hasMark).map((field) => [markOf(field).name, true]);
  return {
    ...record,
    ...Object.fromEntries(withheld.map(({ name }) => [name, null])),
    ...Object.fromEntries(marks),
  };
}
