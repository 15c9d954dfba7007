import { daysOf } from '@locmetrics/core/dates/stored-day';
import type { Field } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import { type VisitRecord, viewBytes } from '@locmetrics/core/domain/value-visitor';
import { openBlockEncoder } from '@locmetrics/row-store/record-block';
import { copyRecord, visitSingle } from '@locmetrics/row-store/single-record';

/** Visits records as the row store has them: copied out of a block of all of them. */
export function visitStored(
  fields: readonly Field[],
  rows: readonly (readonly Value[])[],
): VisitRecord {
  const types = fields.map(({ type }) => type);
  const columns = types.map((type, field) =>
    rows.map((row) => {
      const value = row[field] ?? null;
      return type === 'date' && typeof value === 'string' ? daysOf(value) : value;
    }),
  );
  const block = Buffer.from(openBlockEncoder(types).encode(columns, rows.length));
  const visited = { types, places: Int32Array.from(types.keys()), length: types.length };
  return (index, visitor) => {
    const bytes = Buffer.alloc(block.length);
    copyRecord(block, types, index, { bytes, start: 0 });
    visitSingle(viewBytes(bytes), 0, visited, visitor);
  };
}
