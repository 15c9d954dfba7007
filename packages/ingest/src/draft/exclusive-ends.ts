import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { DraftField } from './draft-fields.ts';
import type { PeriodFields } from './draft-period.ts';
import { TYPED_ROWS } from './typed-rows.ts';

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
  const isTimed = [start, end].some((index) => fields[index]?.hasTime === true);
  const isExclusive = isContinued || is('regular') || (hasMidnights && !is('whole'));
  if (isTimed || !is('longer') || !isExclusive) return fields;
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
