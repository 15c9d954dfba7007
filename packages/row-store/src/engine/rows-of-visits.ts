import { dayOf } from '@locmetrics/core/dates/stored-day';
import type { Field } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import type { ValueVisitor, VisitRecord } from '@locmetrics/core/domain/value-visitor';

/** The rows of so many records, for those who need their values as such. */
export function rowsOfVisits(
  visit: VisitRecord,
  size: number,
  fields: readonly Field[],
): readonly (readonly Value[])[] {
  const rows: (readonly Value[])[] = [];
  for (let index = 0; index < size; index += 1) {
    const row = new Array<Value>(fields.length).fill(null);
    visit(index, visitorInto(row, fields));
    rows.push(row);
  }
  return rows;
}

function visitorInto(row: Value[], fields: readonly Field[]): ValueVisitor {
  return {
    text: (field, { bytes }, start, end) => {
      row[field] = bytes.toString('utf8', start, end);
    },
    number: (field, value) => {
      row[field] = fields[field]?.type === 'integer' ? BigInt(value) : value;
    },
    day: (field, days) => {
      row[field] = dayOf(days);
    },
    value: (field, value) => {
      row[field] = value;
    },
  };
}
