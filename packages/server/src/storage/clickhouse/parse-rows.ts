import type { Value } from '../../domain/value.ts';

/** The format of answers: a row with the names, one with the types, then the records, a line each. */
export const ROWS_FORMAT = 'JSONCompactEachRowWithNamesAndTypes';

/**
 * Reads an answer in `ROWS_FORMAT` with quoted integers. Whole numbers of 64 bits and more are a `bigint`; smaller ones
 * and floats a `number`, whose shortest text reads back exactly.
 */
export function parseRows(text: string): readonly (readonly Value[])[] {
  const [, types = '[]', ...lines] = text.split('\n').filter((line) => line !== '');
  const wide = (JSON.parse(types) as readonly string[]).flatMap((type, index) =>
    WIDE_INTEGER.test(type) ? [index] : [],
  );
  return lines.map((line) => {
    // Statements select text, numbers and booleans only.
    const row = JSON.parse(line) as Value[];
    for (const index of wide) {
      const value = row[index];
      if (typeof value === 'string') row[index] = BigInt(value);
    }
    return row;
  });
}

const WIDE_INTEGER = /^(LowCardinality\()?(Nullable\()?U?Int(64|128|256)\)*$/;
