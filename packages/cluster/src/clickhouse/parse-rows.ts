import { dayOf } from '@locmetrics/core/dates/stored-day';
import type { Value } from '@locmetrics/core/domain/value';

/** The format of answers: an object with the types and the rows. */
export const ROWS_FORMAT = 'JSONCompact';

/**
 * Reads an answer in `ROWS_FORMAT` with quoted integers. Whole numbers of 64 bits and more are a `bigint`; smaller ones
 * and floats a `number`, whose shortest text reads back exactly. An `Int32` is a day, as in the tables: see `record-table.ts`.
 */
export function parseRows(text: string): readonly (readonly Value[])[] {
  // Statements select text, numbers and booleans only.
  const { meta, data } = JSON.parse(text) as {
    readonly meta: readonly { readonly type: string }[];
    readonly data: readonly Value[][];
  };
  const columnsOf = (types: RegExp) =>
    meta.flatMap(({ type }, index) => (types.test(type) ? [index] : []));
  const [wide, days] = [columnsOf(WIDE_INTEGER), columnsOf(DAY)];
  for (const row of data) {
    for (const index of wide) {
      const value = row[index];
      if (typeof value === 'string') row[index] = BigInt(value);
    }
    for (const index of days) {
      const value = row[index];
      if (typeof value === 'number') row[index] = dayOf(value);
    }
  }
  return data;
}

const WIDE_INTEGER = /^(LowCardinality\()?(Nullable\()?U?Int(64|128|256)\)*$/;
const DAY = /^(LowCardinality\()?(Nullable\()?Int32\)*$/;
