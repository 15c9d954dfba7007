import type { FieldType } from '@locmetrics/core/domain/field';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { DateSpan, FieldSource, ValueFormat } from '../manifest/field-source.ts';
import type { NumberFormat } from '../manifest/number-format.ts';
import type { PointFormat } from '../manifest/point-format.ts';
import { readDate } from './date-reading.ts';
import { readDegrees } from './degrees-reading.ts';
import {
  type FieldReading,
  finiteFloat,
  INTEGER_RANGE_REASON,
  isBlank,
  matches,
  NOT_FINITE_REASON,
  readText,
  SPACE,
} from './field-reading.ts';
import { literalPattern } from './literal-pattern.ts';
import type { FieldColumn } from './row-format.ts';

/**
 * Reads a field from columns of text, as the manifest describes its values. The name distinguishes what is computed
 * for it from that for other fields.
 */
export function readValue(
  { field, source }: FieldColumn,
  texts: readonly string[],
  name: string,
): FieldReading {
  const [text = 'NULL'] = texts;
  const { format, pad, span, isExclusiveEnd = false } = source;
  if (field.type === 'string') {
    const parts = texts.map((part, index) =>
      pad === undefined ? readText('string', part) : readPadded(part, pad[index] ?? 0),
    );
    const [first] = parts;
    return parts.length === 1 && first !== undefined ? first : joinCodes(parts);
  }
  const joined = texts.length > 1 ? `joined_${name}` : text;
  const reading =
    format?.kind === 'date'
      ? readDate(format, joined, name, isExclusiveEnd)
      : readFormatted(field.type, format, joined, name);
  const prepared = [
    ...(texts.length > 1
      ? [
          {
            name: joined,
            sql: `concat_ws(' ', ${texts.map((text) => `nullif(trim(${text}), '')`).join(', ')})`,
          },
        ]
      : []),
    ...(reading.prepared ?? []),
  ];
  const whole = { ...reading, prepared };
  // A date with a format may have a time, with which it is read.
  if (isExclusiveEnd && format?.kind !== 'date') return withDayBefore(whole);
  return span === undefined ? whole : withSpan(whole, span);
}

/** Whether a field is read in another way than by its type. */
export function isConverted({ format, pad, columns }: FieldSource): boolean {
  return format !== undefined || pad !== undefined || columns.length > 1;
}

function readFormatted(
  type: FieldType,
  format: Exclude<ValueFormat, { kind: 'date' }> | undefined,
  text: string,
  name: string,
): FieldReading {
  switch (format?.kind) {
    case undefined:
      return readText(type, text);
    case 'number':
      return readNumber(type === 'integer' ? 'integer' : 'float', format, text);
    case 'boolean':
      return readBoolean(format, text);
    case 'degrees':
      return readDegrees(format, text, name);
    case 'point':
      return readCoordinate(format, format.part, text);
  }
}

/** The start of the reason for a code that cannot be filled up. */
export const NOT_CODE_REASON = 'is not a code of';

/** A code of digits, filled up with leading zeros. */
function readPadded(text: string, digits: number): FieldReading {
  const isCode = matches(text, `${SPACE}[0-9]{1,${digits}}${SPACE}`);
  return {
    ...readText('string', text),
    value: `CASE WHEN ${isCode} THEN lpad(trim(${text}), ${digits}, '0') END`,
    reason: `'${NOT_CODE_REASON} ${digits === 1 ? 'one digit' : `at most ${digits} digits`}'`,
  };
}

/** Joins the parts of a code. It is absent if all its parts are, and refused if only some are. */
function joinCodes(parts: readonly FieldReading[]): FieldReading {
  const isPartAbsent = parts.map(({ isAbsent }) => isAbsent).join(' OR ');
  const reasons = parts.map(({ value, reason }) => `WHEN (${value}) IS NULL THEN (${reason})`);
  return {
    value: parts.map(({ value }) => `(${value})`).join(' || '),
    isAbsent: `(${parts.map(({ isAbsent }) => isAbsent).join(' AND ')})`,
    shown: `concat_ws(', ', ${parts.map(({ shown }) => `coalesce(${shown}, '')`).join(', ')})`,
    reason: `CASE WHEN ${isPartAbsent} THEN 'lacks a part of the code' ${reasons.join(' ')} END`,
  };
}

function readNumber(type: 'integer' | 'float', format: NumberFormat, text: string): FieldReading {
  const { written } = format;
  const { isNumber, plain } = formattedNumber(format, text, { hasFraction: type === 'float' });
  const kind = type === 'integer' ? 'whole number' : 'number';
  const refused = quoteLiteral(`is not a ${kind} as in ${written}`);
  const common = { isAbsent: `(${text} IS NULL OR ${isBlank(text)})`, shown: text };
  if (type === 'integer') {
    return {
      ...common,
      value: `CASE WHEN ${isNumber} THEN TRY_CAST(${plain} AS BIGINT) END`,
      reason: `CASE WHEN ${isNumber} THEN '${INTEGER_RANGE_REASON}' ELSE ${refused} END`,
    };
  }
  return {
    ...common,
    value: `CASE WHEN ${isNumber} THEN ${finiteFloat(`TRY_CAST(${plain} AS DOUBLE)`)} END`,
    reason: `CASE WHEN ${isNumber} THEN '${NOT_FINITE_REASON}' ELSE ${refused} END`,
  };
}

/** Whether a text is a number in a format, and the number as it is written plainly. */
export function formattedNumber(
  { group, decimal, before, after }: NumberFormat,
  text: string,
  { hasFraction }: { readonly hasFraction: boolean },
): { readonly isNumber: string; readonly plain: string } {
  const digits = group === '' ? '[0-9]+' : `([0-9]{1,3}(${groupPattern(group)}[0-9]{3})+|[0-9]+)`;
  const fraction = hasFraction ? `(${literalPattern(decimal)}[0-9]+)?` : '';
  const sign = before === '' ? '' : `(${literalPattern(before)}${BLANKS})?`;
  const unit = after === '' ? '' : `(${BLANKS}${literalPattern(after)})?`;
  return {
    isNumber: matches(
      text,
      `${SPACE}([+-]?${sign}|${sign}[+-])${digits}${fraction}${unit}${SPACE}`,
    ),
    plain: `replace(regexp_replace(${text}, '[^0-9${literalPattern(decimal)}+-]', '', 'g'),
    ${quoteLiteral(decimal)}, '.')`,
  };
}

const BLANKS = '[ \\x{a0}\\x{202f}]*';

/** Spreadsheets write several characters that look the same. */
function groupPattern(group: string): string {
  if (/[ \u00a0\u202f]/.test(group)) return '[ \\x{a0}\\x{202f}]';
  return /['’]/.test(group) ? '[\\x{27}\\x{2019}]' : literalPattern(group);
}

function readBoolean(
  { yes, no, written }: Extract<ValueFormat, { kind: 'boolean' }>,
  text: string,
): FieldReading {
  const word = `lower(trim(${text}))`;
  return {
    ...readText('boolean', text),
    value: `CASE ${word} WHEN lower(${quoteLiteral(yes)}) THEN true WHEN lower(${quoteLiteral(no)}) THEN false END`,
    reason: quoteLiteral(`is not one of ${written}`),
  };
}

function readCoordinate(
  { before, between, after, first, written }: PointFormat,
  part: 'lat' | 'lng',
  text: string,
): FieldReading {
  const pattern = `(?i)${spaced(before)}(${DECIMAL})${between.trim() === '' ? '[ ]+' : spaced(between)}(${DECIMAL})${spaced(after)}`;
  const number = `regexp_extract(${text}, '^${pattern}$', ${part === first ? 1 : 2})`;
  const plain = readText('float', text);
  // Well-known text writes an empty geometry by its name: POINT EMPTY.
  const [word] = /^[A-Za-z]+/.exec(before.trim()) ?? [];
  const isEmpty =
    word === undefined
      ? 'false'
      : matches(text, `(?i)${SPACE}${word}([ ]+(Z|M|ZM))?[ ]+EMPTY${SPACE}`);
  return {
    ...plain,
    isAbsent: `(${plain.isAbsent} OR ${isEmpty})`,
    value: finiteFloat(`TRY_CAST(${number} AS DOUBLE)`),
    reason: quoteLiteral(`is not a point as in ${written}`),
  };
}

const DECIMAL = '[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?';

/** A text between numbers, with any spaces around it. */
function spaced(text: string): string {
  const words = text.trim().split(/ +/).map(literalPattern);
  return `${SPACE}${words.join('[ ]*')}${SPACE}`;
}

/** The first or last day of the part of the calendar that has the day. */
export function withSpan(reading: FieldReading, { unit, day }: DateSpan): FieldReading {
  const start = `date_trunc('${unit}', (${reading.value})::DATE)::DATE`;
  const value = day === 'first' ? start : `((${start} + INTERVAL ${LENGTHS[unit]})::DATE - 1)`;
  return { ...reading, value };
}

/** The last day of a period whose end does not belong to it. */
export function withDayBefore(reading: FieldReading): FieldReading {
  return { ...reading, value: `((${reading.value})::DATE - 1)` };
}

const LENGTHS: Readonly<Record<DateSpan['unit'], string>> = {
  week: '7 DAYS',
  month: '1 MONTH',
  quarter: '3 MONTHS',
  year: '12 MONTHS',
};
