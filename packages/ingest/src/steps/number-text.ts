import { DECIMAL, isBlank, matches } from '../formats/field-reading.ts';
import { formattedNumber } from '../formats/value-reading.ts';
import type { NumberFormat } from '../manifest/number-format.ts';

/** A number in a column of texts, as SQL. */
export type NumberText = {
  readonly isAbsent: string;
  readonly isNumber: string;
  /** The number as `-1234.5` or `1.5e3`, if it is one. */
  readonly plain: string;
  /** A continuation of the refused value. */
  readonly refused: string;
};

export function readNumberText(text: string, format: NumberFormat | undefined): NumberText {
  const isAbsent = `(${text} IS NULL OR ${isBlank(text)})`;
  if (format !== undefined) {
    return {
      isAbsent,
      ...formattedNumber(format, text, { hasFraction: true }),
      refused: `is not a number as in ${format.written}`,
    };
  }
  const plain = trimmedText(text);
  const isLimited = `isfinite(TRY_CAST(${plain} AS DOUBLE))`;
  return {
    isAbsent,
    isNumber: `coalesce(${matches(text, DECIMAL)} AND ${isLimited}, false)`,
    plain,
    refused: 'is not a number',
  };
}

/** A text without the white space of ASCII around it. */
export function trimmedText(text: string): string {
  return `trim(${text}, ' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13))`;
}
