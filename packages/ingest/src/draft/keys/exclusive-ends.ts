import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { DraftField } from '../values/draft-fields.ts';
import { TYPED_ROWS } from '../values/typed-rows.ts';
import type { PeriodFields } from './draft-period.ts';

/**
 * Finds periods whose end is the first day after them: another period starts with it, or it is midnight. The table of
 * values gets their last days.
 */
export async function readExclusiveEnds(
  connection: ImportConnection,
  fields: readonly DraftField[],
  { pair, hasMidnights }: { readonly pair: PeriodFields; readonly hasMidnights: boolean },
): Promise<readonly DraftField[]> {
  const start = fields.findIndex(({ name }) => name === pair.start);
  const end = fields.findIndex(({ name }) => name === pair.end);
  const [first, last] = [`v${start}`, `v${end}`];
  // The end is the last day of a month that is written: Apr 2021 to Mar 2022.
  if (fields[end]?.document.as === 'month') {
    await connection.run(`UPDATE ${TYPED_ROWS} SET ${last} = last_day(${last})`);
    return fields;
  }
  if ([start, end].some((index) => fields[index]?.hasTime === true)) {
    return readTimedEnds(connection, fields, { start, end });
  }
  const [row] = await connection.list(
    `WITH periods AS (SELECT DISTINCT ${first} AS first, ${last} AS last FROM ${TYPED_ROWS}
        WHERE ${first} IS NOT NULL AND ${last} IS NOT NULL),
      starts AS (SELECT DISTINCT first FROM periods)
      SELECT coalesce(bool_and(last > first), false)::VARCHAR AS longer,
        coalesce(bool_or(last IN (SELECT first FROM starts)), false)::VARCHAR AS continued,
        coalesce(bool_or(EXISTS (SELECT 1 FROM starts
          WHERE starts.first > periods.first AND starts.first < periods.last)), false)::VARCHAR AS overlapping,
        coalesce(bool_and(last = first + 7) OR bool_and(last = first + 1)
          OR bool_and(day(first) = 1 AND day(last) = 1), false)::VARCHAR AS regular,
        coalesce(bool_and(last = first + 6)
          OR bool_and(day(first) = 1 AND day(last + 1) = 1), false)::VARCHAR AS whole
      FROM periods`,
  );
  const is = (name: string) => row?.[name] === 'true';
  const isContinued = is('continued') && !is('overlapping');
  const isExclusive = isContinued || is('regular') || (hasMidnights && !is('whole'));
  if (is('longer') && !isExclusive && hasMidnights) return fields.map(withMidnightDoubt(end));
  if (!is('longer') || !isExclusive) return fields;
  await connection.run(`UPDATE ${TYPED_ROWS} SET ${last} = ${last} - 1`);
  const why = isContinued
    ? 'Each end is the start of another period'
    : hasMidnights
      ? 'Each end is a midnight'
      : undefined;
  return fields.map((field, index) => {
    if (index !== end) return field;
    const document = { ...field.document, end: 'exclusive' as const };
    return why === undefined
      ? {
          ...field,
          document,
          doubts: [
            ...field.doubts,
            'The end is read as the day after the period, because the lengths are those of days, weeks or months then. If it is the last day, remove end: exclusive.',
          ],
        }
      : {
          ...field,
          document,
          notes: [...field.notes, `${why}, so it does not belong to the period.`],
        };
  });
}

/** Whole weeks or months whose last day is written as its midnight. */
function withMidnightDoubt(end: number) {
  return (field: DraftField, index: number): DraftField =>
    index === end
      ? {
          ...field,
          doubts: [
            ...field.doubts,
            'Each end is a midnight, and its day is read as the last one of the period, because the periods are whole weeks or months then. If they end before that day, add end: exclusive.',
          ],
        }
      : field;
}

/** Hours such as from 23:00 to 00:00: only their ends are on the next day. */
async function readTimedEnds(
  connection: ImportConnection,
  fields: readonly DraftField[],
  { start, end }: { readonly start: number; readonly end: number },
): Promise<readonly DraftField[]> {
  const { column } = fields[end] ?? {};
  const time = fields.findIndex(
    (field) => field.time !== undefined && field.time.column === column,
  );
  if (time < 0) return fields;
  const isMidnight = fields[time]?.time?.unit === 'hour' ? `v${time} = 0` : `v${time} = '00:00'`;
  const [row] = await connection.list(
    `SELECT coalesce(bool_and(v${end} = v${start} + 1 AND ${isMidnight}), false)::VARCHAR AS next
      FROM ${TYPED_ROWS} WHERE v${end} <> v${start}`,
  );
  if (row?.['next'] !== 'true') return fields;
  await connection.run(`UPDATE ${TYPED_ROWS} SET v${end} = v${end} - 1 WHERE ${isMidnight}`);
  return fields.map((field, index) =>
    index === end
      ? {
          ...field,
          document: { ...field.document, end: 'exclusive' as const },
          notes: [...field.notes, 'An end at midnight does not belong to the period.'],
        }
      : field,
  );
}
