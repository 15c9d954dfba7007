import type { Field } from '@locmetrics/core/domain/field';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { RecordsPage } from '@locmetrics/core/storage/engine';

/** A page of records, and which of their values are withheld. */
export type MarkedPage = RecordsPage & {
  /** The names of the fields whose value in the record with this index is withheld. */
  readonly withheldAt?: ((index: number) => readonly string[]) | undefined;
};

/** A page of a plan that was read with the marks of some of its fields, which follow its fields. */
export function splitMarks(
  found: RecordsPage,
  { fields: { length } }: RecordsPlan,
  marked: readonly Field[],
): MarkedPage {
  const { visit: _visit, rows, columns, ...rest } = found;
  const isMarked = (index: number, place: number): boolean =>
    (columns?.[length + place]?.[index] ?? rows[index]?.[length + place]) === true;
  return {
    ...rest,
    rows: rows.map((row) => row.slice(0, length)),
    ...(columns === undefined ? {} : { columns: columns.slice(0, length) }),
    withheldAt: (index) =>
      marked.filter((_, place) => isMarked(index, place)).map(({ name }) => name),
  };
}
