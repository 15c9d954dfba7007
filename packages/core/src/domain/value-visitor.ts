import type { FieldType } from './field.ts';
import type { Column, Value } from './value.ts';

/**
 * Takes the values of a record one after the other, in the order of its fields; `field` is the index of a field. A value
 * comes as it is stored, so that nobody makes a text or a big integer that is only written again.
 */
export type ValueVisitor = {
  /** A text as UTF-8, from `start` to `end` in `bytes`. */
  readonly text: (field: number, bytes: ViewedBytes, start: number, end: number) => void;
  /** An integer that is exact as a number, or a float. */
  readonly number: (field: number, value: number) => void;
  /** A date, as the number of days since 1970. */
  readonly day: (field: number, days: number) => void;
  /** Any value as such, also an absent one. */
  readonly value: (field: number, value: Value) => void;
  /**
   * Takes values that many records share, from that of `field` on, which `visit` visits. A writer may repeat what it wrote
   * for the same object. Absent: each record is visited.
   */
  readonly shared?: (field: number, of: object, visit: () => void) => void;
};

/** Bytes, and the same by words. */
export type ViewedBytes = { readonly bytes: Buffer; readonly view: DataView };

export function viewBytes(bytes: Buffer): ViewedBytes {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

/** A column of a table whose records are visited, in the order of their values. */
export type NamedColumn = { readonly name: string };

/** The same with the type of its values. */
export type TypedColumn = NamedColumn & { readonly type: FieldType };

/** Visits the values of the record of a page with this index. */
export type VisitRecord = (index: number, visitor: ValueVisitor) => void;

export function visitRows(rows: readonly (readonly Value[])[]): VisitRecord {
  return (index, visitor) => {
    const row = rows[index] ?? [];
    for (let field = 0; field < row.length; field += 1) visitValue(field, row[field], visitor);
  };
}

export function visitColumns(columns: readonly Column[]): VisitRecord {
  return (index, visitor) => {
    for (let field = 0; field < columns.length; field += 1) {
      visitValue(field, columns[field]?.[index], visitor);
    }
  };
}

/** Visits any value. */
export function visitValue(field: number, value: Value | undefined, visitor: ValueVisitor): void {
  if (typeof value === 'number') visitor.number(field, value);
  else if (typeof value === 'bigint') visitInteger(field, value, visitor);
  else visitor.value(field, value ?? null);
}

function visitInteger(field: number, value: bigint, visitor: ValueVisitor): void {
  const number = Number(value);
  if (Number.isSafeInteger(number)) visitor.number(field, number);
  else visitor.value(field, value);
}
