import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { ReadRows } from './open-rows.ts';
import { dates, isReadable, type Proposal, type TypedColumn } from './propose-types.ts';
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
  const read = dates(halves);
  const [date] = read.filter((one) => isDay(one) || isMonth(one));
  if (date === undefined) {
    const parts = partsOfTimes(typed, found) ?? [];
    for (const part of parts) {
      if (!(await isReadable(connection, rows, part.document))) return undefined;
    }
    return parts.length === 0 ? undefined : parts;
  }
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

function isDay({ hasTime, document }: Proposal): boolean {
  return hasTime !== true && document.as === undefined;
}

function isMonth({ hasTime, document }: Proposal): boolean {
  return hasTime !== true && document.as === 'month';
}

/** The day and the hour of the start of intervals that are parts of a day, all equally long. */
function partsOfTimes(typed: TypedColumn, separator: string): readonly TypedColumn[] | undefined {
  const { column, place, texts } = typed;
  const minutes = texts.map((text) => {
    const halves = text.split(separator).map((half) => half.trim());
    const [start, end] = halves.map(minuteOf);
    const [day, last] = halves.map((half) => half.replace(TIME, ''));
    // Another day begins only at or after midnight.
    if (start === undefined || end === undefined || end > start !== (day === last))
      return undefined;
    return (end - start + DAY) % DAY;
  });
  const [length, ...others] = new Set(minutes);
  const days = texts.map((text) => (text.split(separator)[0] ?? '').trim().replace(TIME, ''));
  const [date] = dates(days, { hasHours: true }).filter(isDay);
  if (length === undefined || length === 0 || others.length > 0 || date === undefined) {
    return undefined;
  }
  const source = quoteIdentifier(typeof place === 'number' ? `column ${place}` : place);
  const start = `trim(split_part(${source}, ${quoteLiteral(separator)}, 1))`;
  const isHourly = length % 60 === 0 && texts.every((text) => (minuteOf(text) ?? 0) % 60 === 0);
  const clock = `lpad(regexp_extract(${start}, '[0-9]{1,2}:[0-9]{2}'), 5, '0')`;
  const common = { ...typed, isCode: false, hasTime: false };
  return [
    {
      ...common,
      fieldName: `${validName(column)}_day`,
      document: { ...date.document, expression: `regexp_replace(${start}, '${TIME.source}', '')` },
      doubts: [
        ...(date.doubts ?? []),
        `Each is an interval of ${length} minutes, and the day and ${isHourly ? 'hour' : 'time'} are those of its start.`,
      ],
    },
    {
      ...common,
      column: isHourly ? 'hour' : 'time_of_day',
      fieldName: isHourly ? 'hour' : 'time_of_day',
      document: isHourly
        ? { type: 'integer', expression: `CAST(left(${clock}, 2) AS INTEGER)` }
        : { type: 'string', expression: clock },
      doubts: [],
    },
  ];
}

const DAY = 24 * 60;
const TIME = /[ T]+[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$/;

/** The minute of the day of the first time of a text, on a clock with 24 hours. */
function minuteOf(text: string): number | undefined {
  const [, hour, minute] = /(?<!\d)(\d{1,2}):(\d\d)(?::\d\d)?(?! ?[ap]\.?m)/i.exec(text) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
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
