import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import {
  DATE_TOKENS,
  type DateFormat,
  type DateToken,
  hasToken,
  LOCAL_ZONE,
} from '../manifest/date-format.ts';
import { MONTH_NAMES, monthPattern } from '../manifest/month-names.ts';
import {
  type FieldReading,
  isBlank,
  knownDate,
  NO_SUCH_DATE_REASON,
  SPACE,
} from './field-reading.ts';
import { literalPattern } from './literal-pattern.ts';

/** Reads a date that is written in a declared format. */
export function readDate(
  format: DateFormat,
  text: string,
  name: string,
  isExclusiveEnd = false,
): FieldReading {
  const tokens = format.parts.flatMap(({ token }) => token ?? []);
  const pattern = format.parts.map((part) =>
    part.token === undefined ? literalPattern(part.text) : `(${PATTERNS[part.token]})`,
  );
  const parts = `parts_${name}`;
  const date = `date_${name}`;
  const names = tokens.map((token) => `'${memberOf(token)}'`).join(', ');
  const isWritten = `${partOf(format, parts, ['YYYY', 'YY'])} <> ''`;
  return {
    // The parts and the date are used several times.
    prepared: [
      {
        name: parts,
        sql: `regexp_extract(${text}, '^${SPACE}${pattern.join('')}${SPACE}$', [${names}])`,
      },
      {
        name: date,
        sql: `CASE WHEN ${isWritten} THEN ${dateOf(format, parts, isExclusiveEnd)} END`,
      },
    ],
    isAbsent: `(${text} IS NULL OR ${isBlank(text)})`,
    shown: text,
    value: knownDate(date),
    reason: `CASE WHEN ${isWritten} THEN '${NO_SUCH_DATE_REASON}'
      ELSE ${quoteLiteral(`is not written as ${format.written}`)} END`,
  };
}

const PATTERNS: Readonly<Record<DateToken, string>> = {
  YYYY: '[0-9]{4}',
  YY: '[0-9]{2}',
  MMMM: `(?i:${monthPattern('MMMM')})`,
  MMM: `(?i:${monthPattern('MMM')})`,
  MM: '[0-9]{2}',
  M: '[0-9]{1,2}',
  DD: '[0-9]{2}',
  D: '[0-9]{1,2}',
  Q: '[1-4]',
  WW: '[0-9]{2}',
  W: '[0-9]{1,2}',
  HH: '[01][0-9]|2[0-3]',
  H: '[01]?[0-9]|2[0-3]',
  hh: '0[1-9]|1[0-2]',
  h: '0?[1-9]|1[0-2]',
  mm: '[0-5][0-9]',
  ss: '[0-5][0-9]',
  SSS: '[0-9]{1,9}',
  A: '(?i:am|pm)',
  Z: 'Z|[+-][0-9]{2}(?::?[0-9]{2})?',
};

function dateOf(format: DateFormat, parts: string, isExclusiveEnd: boolean): string {
  const day = dayOf(format, parts);
  const minute = partOf(format, parts, ['mm']) ?? "'00'";
  const second = partOf(format, parts, ['ss']) ?? "'00'";
  if (format.zone === undefined || format.zone === LOCAL_ZONE) {
    if (!isExclusiveEnd) return day;
    const fraction = partOf(format, parts, ['SSS']) ?? "'0'";
    const time = `concat(${[hourOf(format, parts), minute, second, fraction].join(', ')})`;
    return `(${day} - CASE WHEN regexp_full_match(${time}, '0*') THEN 1 ELSE 0 END)`;
  }
  const time = `TRY_CAST(concat(${day}, ' ', ${hourOf(format, parts)}, ':',
    ${minute}, ':', ${second},
    ${offsetOf(parts)}) AS TIMESTAMPTZ)`;
  const local = `timezone(${quoteLiteral(format.zone)}, ${time})`;
  return isExclusiveEnd ? `(${local} - INTERVAL 1 MICROSECOND)::DATE` : `${local}::DATE`;
}

function dayOf(format: DateFormat, parts: string): string {
  const year = yearOf(format, parts);
  const week = partOf(format, parts, ['WW', 'W']);
  if (week !== undefined) {
    // The first week of a year is the one with January 4 (ISO 8601).
    const first = `date_trunc('week', TRY_CAST(concat(${year}, '-01-04') AS DATE))::DATE`;
    const monday = `(${first} + 7 * (TRY_CAST(${week} AS INTEGER) - 1))`;
    return `CASE WHEN isoyear(${monday}) = TRY_CAST(${year} AS INTEGER) THEN ${monday} END`;
  }
  const day = partOf(format, parts, ['DD', 'D']) ?? `'1'`;
  return `TRY_CAST(concat(${year}, '-', ${monthOf(format, parts)}, '-', ${day}) AS DATE)`;
}

/** Of two digits, 69 to 99 are 1969 to 1999, and 00 to 68 are 2000 to 2068, as in POSIX. */
function yearOf(format: DateFormat, parts: string): string {
  const year = ofToken(parts, 'YY');
  if (!hasToken(format, 'YY')) return ofToken(parts, 'YYYY');
  return `concat(CASE WHEN ${year} >= '69' THEN '19' ELSE '20' END, ${year})`;
}

function monthOf(format: DateFormat, parts: string): string {
  const short = partOf(format, parts, ['MMM']);
  if (short !== undefined) return monthOfName('MMM', short);
  const long = partOf(format, parts, ['MMMM']);
  if (long !== undefined) return monthOfName('MMMM', long);
  const quarter = partOf(format, parts, ['Q']);
  if (quarter !== undefined) return `3 * TRY_CAST(${quarter} AS INTEGER) - 2`;
  return partOf(format, parts, ['MM', 'M']) ?? `'1'`;
}

function monthOfName(token: keyof typeof MONTH_NAMES, word: string): string {
  const names = MONTH_NAMES[token].map((name) => `'${name}'`).join(', ');
  return `((list_position([${names}], rtrim(lower(${word}), '.')) - 1) % 12 + 1)`;
}

function hourOf(format: DateFormat, parts: string): string {
  const half = partOf(format, parts, ['hh', 'h']);
  if (half === undefined) return partOf(format, parts, ['HH', 'H']) ?? `'00'`;
  const isAfternoon = `lower(${ofToken(parts, 'A')}) = 'pm'`;
  return `(TRY_CAST(${half} AS INTEGER) % 12 + CASE WHEN ${isAfternoon} THEN 12 ELSE 0 END)`;
}

/** The offset as the engine reads it: +01:00, also of +01. */
function offsetOf(parts: string): string {
  const offset = ofToken(parts, 'Z');
  return `CASE WHEN ${offset} = 'Z' THEN '+00:00'
    WHEN length(${offset}) = 3 THEN concat(${offset}, ':00')
    ELSE concat(left(${offset}, 3), ':', right(${offset}, 2)) END`;
}

/** The first of these parts that the format has. */
function partOf(
  format: DateFormat,
  parts: string,
  tokens: readonly DateToken[],
): string | undefined {
  const token = tokens.find((one) => hasToken(format, one));
  return token === undefined ? undefined : ofToken(parts, token);
}

function ofToken(parts: string, token: DateToken): string {
  return `${parts}['${memberOf(token)}']`;
}

/** The members of a struct are distinct without regard to case, and tokens are not. */
function memberOf(token: DateToken): string {
  return `token_${DATE_TOKENS.indexOf(token)}`;
}
