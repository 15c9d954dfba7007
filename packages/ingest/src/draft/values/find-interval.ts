import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { ReadRows } from './open-rows.ts';
import { dates, isReadable, type TypedColumn } from './propose-types.ts';
import { validName } from './valid-name.ts';

/** The first and the last day of a column of texts that have both, such as 2024-01-01/2024-01-07; undefined for others. */
export async function findInterval(
  connection: ImportConnection,
  rows: ReadRows,
  typed: TypedColumn,
): Promise<readonly TypedColumn[] | undefined> {
  const { column, place, document, texts } = typed;
  if (document.type !== 'string' || !rows.hasTexts || rows.members.size > 0) return undefined;
  const found = SEPARATORS.find((one) => texts.every((text) => text.split(one).length === 2));
  if (texts.length === 0 || found === undefined) return undefined;
  const halves = texts.flatMap((text) => text.split(found).map((half) => half.trim()));
  const [date] = dates(halves).filter((one) => one.hasTime !== true && !('as' in one.document));
  if (date === undefined) return undefined;
  const source = quoteIdentifier(typeof place === 'number' ? `column ${place}` : place);
  const parts = (['start', 'end'] as const).map((part, index) => ({
    ...typed,
    fieldName: `${validName(column)}_${part}`,
    document: {
      ...date.document,
      expression: `trim(split_part(${source}, ${quoteLiteral(found)}, ${index + 1}))`,
    },
    doubts: index === 0 ? (date.doubts ?? []) : [],
    isCode: false,
  }));
  for (const part of parts) {
    if (!(await isReadable(connection, rows, part.document))) return undefined;
  }
  return parts;
}

/** What stands between two days, in several languages. */
const SEPARATORS = [
  '/',
  ' - ',
  ' – ',
  ' — ',
  '–',
  '..',
  ' to ',
  ' until ',
  ' bis ',
  ' au ',
  ' al ',
  ' a ',
  ' até ',
  ' tot ',
  '~',
  '〜',
];
