import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { DegreesFormat } from '../manifest/point-format.ts';
import { type FieldReading, finiteFloat, readText } from './field-reading.ts';
import { literalPattern } from './literal-pattern.ts';

/**
 * Reads a coordinate in degrees, minutes and seconds, of which the last may have a fraction and those that follow may
 * be absent: `47°38'51.7"N`, `47 38.861 N`, `N47-38-51`, `-47:38:51`.
 */
export function readDegrees(
  format: DegreesFormat & { readonly part: 'lat' | 'lng' },
  text: string,
  name: string,
): FieldReading {
  const { part } = format;
  const plain = `degrees_text_${name}`;
  const coordinate = `degrees_coordinate_${name}`;
  const numbers = `degrees_numbers_${name}`;
  const value = `degrees_value_${name}`;
  const exact = toPattern(format, format.isSigned ? SIGNED : MARKED);
  const loose = toPattern(format, LOOSE);
  const looseCoordinate = `regexp_extract(${plain}, ${loose.pattern}, ${loose.group})`;
  const letter = `regexp_extract(${coordinate}, '[NSEW]')`;
  const isNegative = `(${letter} IN ('S', 'W') OR starts_with(${coordinate}, '-'))`;
  const [own, wrong, kind] =
    part === 'lat' ? ["'N', 'S'", "'E', 'W'", 'latitude'] : ["'E', 'W'", "'N', 'S'", 'longitude'];
  const [first, second] = own.replaceAll("'", '').split(', ');
  const sum = `${numbers}[1] + coalesce(${numbers}[2], 0) / 60 + coalesce(${numbers}[3], 0) / 3600`;
  return {
    ...readText('float', text),
    prepared: [
      { name: plain, sql: toPlainSigns(text) },
      {
        name: coordinate,
        sql: `nullif(regexp_extract(${plain}, ${exact.pattern}, ${exact.group}), '')`,
      },
      {
        name: numbers,
        sql: `regexp_extract_all(replace(${coordinate}, ',', '.'), '[0-9]+(?:[.][0-9]+)?')::DOUBLE[]`,
      },
      { name: value, sql: `CASE WHEN ${isNegative} THEN -1 ELSE 1 END * (${sum})` },
    ],
    value: `CASE WHEN ${letter} NOT IN (${wrong}) AND coalesce(${numbers}[2], 0) < 60
      AND coalesce(${numbers}[3], 0) < 60 THEN ${finiteFloat(value)} END`,
    reason: `CASE
      WHEN ${letter} IN (${wrong}) THEN 'is a ${kind}, but has the letter ' || ${letter}
      WHEN ${numbers}[2] >= 60 THEN 'has 60 minutes or more'
      WHEN ${numbers}[3] >= 60 THEN 'has 60 seconds or more'
      WHEN ${looseCoordinate} = '' THEN ${quoteLiteral(`is not a ${kind} as in ${format.written}`)}
      WHEN regexp_matches(${looseCoordinate}, '[NSEW]|^[+-]')
        THEN 'has more than one letter or sign'
      ELSE '${noMarkReason(`${first} or ${second}`)}' END`,
  };
}

/** The reason for a coordinate that could be on either side. */
export function noMarkReason(letters: string): string {
  return `has neither a letter, ${letters}, nor a sign`;
}

/** The symbols that files use for degrees, minutes and seconds, as one each. */
function toPlainSigns(text: string): string {
  return SIGNS.reduce(
    (sql, [pattern, sign]) => `regexp_replace(${sql}, '${pattern}', ${quoteLiteral(sign)}, 'g')`,
    `upper(trim(${text}))`,
  );
}

const SIGNS: readonly (readonly [pattern: string, sign: string])[] = [
  ['DEG(REES?)?[.]?|[\\x{ba}\\x{2da}]', '°'],
  ['MIN(UTES?)?[.]?|[\\x{2019}\\x{2018}\\x{2032}\\x{b4}]', "'"],
  ['SEC(ONDS?)?[.]?|[\\x{201d}\\x{201c}\\x{2033}]|\\x{27}\\x{27}', '"'],
  ['[\\x{2212}\\x{2013}]', '-'],
  ['[\\x{a0}\\x{202f}\\t]', ' '],
];

const FRACTION = '(?:[.,][0-9]+)?';
const AFTER_DEGREES = '(?:[ ]*[\\x{b0}:-][ ]*|[ ]+)';
const AFTER_MINUTES = '(?:[ ]*[\\x{27}:-][ ]*|[ ]+)';
const BODY = [
  `[0-9]{1,3}${AFTER_DEGREES}[0-9]{1,2}${AFTER_MINUTES}[0-9]{1,2}${FRACTION}[ ]*"?`,
  `[0-9]{1,3}${AFTER_DEGREES}[0-9]{1,2}${FRACTION}[ ]*\\x{27}?`,
  `[0-9]{1,3}${FRACTION}[ ]*\\x{b0}?`,
].join('|');
/** With exactly one letter or sign. */
const MARKED = `(?:[NSEW+-][ ]*(?:${BODY})|(?:${BODY})[ ]*[NSEW])`;
const SIGNED = `(?:${MARKED}|(?:${BODY}))`;
const LOOSE = `(?:[NSEW]?[ ]*[+-]?[ ]*(?:${BODY})[ ]*[NSEW]?)`;

/** A pattern of the whole text, and its group with the coordinate. */
function toPattern(
  { point, part }: DegreesFormat & { readonly part: 'lat' | 'lng' },
  coordinate: string,
): { readonly pattern: string; readonly group: number } {
  if (point === undefined) return { pattern: quoteLiteral(`^(${coordinate})$`), group: 1 };
  const { before, between, after, first } = point;
  const pattern = `^${spaced(before)}(${coordinate})${spaced(between)}(${coordinate})${spaced(after)}$`;
  return { pattern: quoteLiteral(pattern), group: part === first ? 1 : 2 };
}

function spaced(text: string): string {
  const words = text.trim().toUpperCase().split(/ +/).map(literalPattern);
  return `[ ]*${words.join('[ ]*')}[ ]*`;
}
