import type { ReadableVersion } from '../../domain/predicate.ts';
import type { MemoryRecord } from './match-predicate.ts';

/** The record as the caller of the version sees it: values below the threshold of their field are absent. */
export function withoutSmallCells(
  record: MemoryRecord,
  { narrowing }: ReadableVersion,
): MemoryRecord {
  const withheld = (narrowing?.suppressed ?? []).filter((field) => {
    const value = record[field.name] ?? null;
    return value !== null && Number(value) < (field.suppressBelow ?? Number.POSITIVE_INFINITY);
  });
  return withheld.length === 0
    ? record
    : { ...record, ...Object.fromEntries(withheld.map(({ name }) => [name, null])) };
}
