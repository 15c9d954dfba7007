import type { Value } from '@locmetrics/core/domain/value';

/** The format of answers: an object with the types and the rows. */
export const ROWS_FORMAT = 'JSONCompact';

/**
 * Reads an answer in `ROWS_FORMAT` with quoted integers. Whole numbers of 64 bits and more are a `bigint`; smaller ones
 * and floats a `number`, whose shortest text reads back exactly.
 */
export function parseRows(text: string): readonly (readonly Value[])[] {
  // Statements select text, numbers and booleans only.
  const { meta, data } = JSON.parse(text) as {
    readonly meta: readonly { readonly type: string }[];
    readonly data: readonly Value[][];
  };
  const wide = meta.flatMap(({ type }, index) => (WIDE_INTEGER.test(type) ? [index] : []));
  for (const row of data) {
    for (const index of wide) {
      const value = row[index];
      if (typeof value === 'string') row[index] = BigInt(value);
    }
  }
  return data;
}

const WIDE_INTEGER = /^(LowCardinality\()?(Nullable\()?U?Int(64|128|256)\)*$/;
