import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { RAW_ROWS, textColumn } from '../../steps/staged-rows.ts';
import { isTotalSql } from './find-totals.ts';

export type BlankRows = {
  readonly condition: string;
  readonly count: number;
  /** A text of the first of them. */
  readonly example?: string | undefined;
};

/**
 * Finds a row with the totals of a whole table, which lacks what all other rows have, such as a year: it can be no record. Its numbers
 * are compared by their digits, because nobody knows yet how they are written.
 */
export async function findTotalRows(
  connection: ImportConnection,
  columns: readonly string[],
): Promise<BlankRows | undefined> {
  const texts = columns.map((_, index) => `trim(coalesce(${textColumn(index)}, ''))`);
  const [first = "''"] = texts;
  const isTotal = `(${first} = '' OR ${isTotalSql(first)})`;
  const [few] = await connection.list(
    `SELECT count(*) FILTER (WHERE ${isTotal})::DOUBLE AS totals, count(*)::DOUBLE AS rows FROM ${RAW_ROWS}`,
  );
  if (few === undefined || numberOf(few, 'totals') !== 1 || numberOf(few, 'rows') < ROWS_MIN) {
    return undefined;
  }
  const counts = texts.flatMap((text, index) => [
    `count(*) FILTER (WHERE NOT ${isTotal} AND ${text} = '')::DOUBLE AS blank_${index}`,
    `count(*) FILTER (WHERE ${isTotal} AND ${text} <> '')::DOUBLE AS total_${index}`,
    `coalesce(sum(${digitsOf(text)}) FILTER (WHERE NOT ${isTotal}), 0)::DOUBLE AS parts_${index}`,
    `coalesce(sum(${digitsOf(text)}) FILTER (WHERE ${isTotal}), 0)::DOUBLE AS sum_${index}`,
  ]);
  const [row] = await connection.list(
    `SELECT min(${first}) FILTER (WHERE ${isTotal}) AS word, ${counts.join(', ')} FROM ${RAW_ROWS}`,
  );
  if (row === undefined) return undefined;
  const indexes = columns.map((_, index) => index);
  const lacking = indexes.find(
    (index) => numberOf(row, `blank_${index}`) === 0 && numberOf(row, `total_${index}`) === 0,
  );
  const isSum = indexes.some((index) => {
    const sum = numberOf(row, `sum_${index}`);
    return sum > 0 && sum === numberOf(row, `parts_${index}`);
  });
  if (lacking === undefined || !isSum) return undefined;
  const name = quoteIdentifier(columns[0] ?? '');
  const word = String(row['word'] ?? '');
  return {
    condition:
      word === '' ? `trim(${name}) <> ''` : `coalesce(trim(${name}), '') <> ${quoteLiteral(word)}`,
    count: 1,
    example: `${word === '' ? '' : `'${word}' `}lacks ${columns[lacking] ?? ''}`,
  };
}

/** A row of totals and at least two others. */
const ROWS_MIN = 3;

function digitsOf(text: string): string {
  return `TRY_CAST(regexp_replace(${text}, '[^0-9]', '', 'g') AS DOUBLE)`;
}
