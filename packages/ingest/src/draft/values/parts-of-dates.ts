import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { DraftField } from './draft-fields.ts';
import { isAmount, type Label } from './label-numbers.ts';
import { TYPED_ROWS } from './typed-rows.ts';

/**
 * The whole numbers that repeat a part of the date of their row, whatever their names are: the day of the month, the number
 * of the week.
 */
export async function findPartsOfDates(
  connection: ImportConnection,
  /** In the order of the table of values. */
  fields: readonly DraftField[],
): Promise<ReadonlyMap<string, Label>> {
  const found = new Map<string, Label>();
  const indexesOf = (isWanted: (field: DraftField) => boolean) =>
    fields.flatMap((field, index) => (isWanted(field) ? index : []));
  const dates = indexesOf(({ document, time }) => document.type === 'date' && time === undefined);
  // Counts of the first days of a month can be equal to these by chance.
  const numbers = indexesOf(
    (field) => field.document.type === 'integer' && !field.isCode && !isAmount(field),
  );
  for (const date of dates) {
    const pairs = numbers.flatMap((number) =>
      PARTS.map(({ part, sql }) => ({ number, part, of: sql(`v${date}`) })),
    );
    if (pairs.length === 0) continue;
    const [row] = await connection.list(
      `SELECT ${pairs
        .map(
          ({ number, of }, index) =>
            `(count(*) FILTER (WHERE v${number} IS DISTINCT FROM ${of}))::DOUBLE AS other_${index}, count(DISTINCT ${of})::DOUBLE AS parts_${index}`,
        )
        .join(', ')} FROM ${TYPED_ROWS} WHERE v${date} IS NOT NULL`,
    );
    for (const [index, { number, part }] of pairs.entries()) {
      const isPart =
        row !== undefined &&
        numberOf(row, `other_${index}`) === 0 &&
        numberOf(row, `parts_${index}`) >= PARTS_MIN;
      const { name = '' } = fields[number] ?? {};
      if (isPart && !found.has(name)) found.set(name, { kind: 'part', part });
    }
  }
  return found;
}

const PARTS: readonly { readonly part: string; readonly sql: (date: string) => string }[] = [
  { part: 'the day of the month', sql: (date) => `day(${date})` },
  { part: 'the month', sql: (date) => `month(${date})` },
  { part: 'the year', sql: (date) => `year(${date})` },
  { part: 'the number of the week', sql: (date) => `week(${date})` },
  { part: 'the quarter', sql: (date) => `quarter(${date})` },
  { part: 'the weekday', sql: (date) => `isodow(${date})` },
  { part: 'the weekday', sql: (date) => `dayofweek(${date})` },
  { part: 'the weekday', sql: (date) => `dayofweek(${date}) + 1` },
  { part: 'the day of the year', sql: (date) => `dayofyear(${date})` },
];

/** Fewer can be equal by chance. */
const PARTS_MIN = 3;
