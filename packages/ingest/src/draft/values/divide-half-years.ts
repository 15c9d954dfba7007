import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { HALF_YEARS } from './half-years.ts';
import type { ReadRows } from './open-rows.ts';
import { isReadable, type TypedColumn } from './propose-types.ts';
import { validName } from './valid-name.ts';

/** The first and the last day of a column of half-years, for which there is no format; undefined for others. */
export async function divideHalfYears(
  connection: ImportConnection,
  rows: ReadRows,
  typed: TypedColumn,
): Promise<readonly TypedColumn[] | undefined> {
  const { column, place, document, texts } = typed;
  if (document.type !== 'string' || !rows.hasTexts || rows.members.size > 0) return undefined;
  const way = HALF_YEARS.find(({ pattern }) => texts.every((text) => pattern.test(text.trim())));
  if (texts.length === 0 || way === undefined) return undefined;
  const text = `trim(${quoteIdentifier(typeof place === 'number' ? `column ${place}` : place)})`;
  const parts = DAYS.map(({ part, days: [first, second] }) => ({
    ...typed,
    fieldName: `${validName(column)}_${part}`,
    document: {
      type: 'date' as const,
      expression: `${way.year(text)} || CASE ${way.half(text)} WHEN '1' THEN '${first}' WHEN '2' THEN '${second}' END`,
    },
    isCode: false,
  }));
  for (const part of parts) {
    if (!(await isReadable(connection, rows, part.document))) return undefined;
  }
  return parts;
}

const DAYS = [
  { part: 'start', days: ['-01-01', '-07-01'] },
  { part: 'end', days: ['-06-30', '-12-31'] },
] as const;
