import type { Field } from '@locmetrics/core/domain/field';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { AttachedRecords } from './check-records.ts';
import { asNumber } from './result-row.ts';
import { shortText } from './short-text.ts';

/** A summary of a field over all records: the number without a value, and the range in text form. */
export type FieldRange = {
  readonly absent: number;
  /** Null if no record has a value. */
  readonly least: string | null;
  readonly greatest: string | null;
};

/** Summarizes all fields in one scan. Long texts are shortened. */
export async function summarizeFields(
  { connection, table }: AttachedRecords,
  fields: readonly Field[],
): Promise<readonly FieldRange[]> {
  const columns = fields.flatMap((field, index) => {
    const column = quoteIdentifier(field.name);
    // A float is returned as a number, because JavaScript writes its text as on the wire.
    const shown = (value: string) => (field.type === 'float' ? value : shortText(value));
    return [
      `(count(*) - count(${column}))::DOUBLE AS absent_${index}`,
      `${shown(`min(${column})`)} AS least_${index}`,
      `${shown(`max(${column})`)} AS greatest_${index}`,
    ];
  });
  const [row] = await connection.list(`SELECT ${columns.join(', ')} FROM ${table}`);
  const text = (name: string): string | null => {
    const value = row?.[name] ?? null;
    return value === null ? null : String(value);
  };
  return fields.map((_, index) => ({
    absent: asNumber(row?.[`absent_${index}`]),
    least: text(`least_${index}`),
    greatest: text(`greatest_${index}`),
  }));
}
