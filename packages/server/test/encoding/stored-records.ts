import type { Field } from '../../src/domain/field.ts';
import type { Value } from '../../src/domain/value.ts';
import { type VisitRecord, viewBytes } from '../../src/domain/value-visitor.ts';
import { openBlockEncoder } from '../../src/storage/sqlite/record-block.ts';
import { copyRecord, visitSingle } from '../../src/storage/sqlite/single-record.ts';
import { daysOf } from '../../src/storage/sqlite/stored-day.ts';

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
