import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { OpenedRows } from '../../formats/row-format.ts';
import { preparedRows } from '../../rows/stage-rows.ts';
import { DATE_FORMATS, type KnownDateFormat } from '../files/date-formats.ts';
import {
  canBeCount,
  codesByShape,
  isCodeName,
  lostZeros,
  lostZerosOfLetters,
  POINTED_CODE,
} from './code-names.ts';
import { findDamage, findDatedRanges } from './damaged-codes.ts';
import { dayOrder, isDayFirstFormat, isMonthFirstFormat, type WrittenDays } from './day-order.ts';
import { bothDegrees, degreesOf, LATITUDE, LONGITUDE } from './degrees-texts.ts';
import { findFlags } from './flagged-numbers.ts';
import { formattedNumbers, type NumberContext, pointNumbers } from './formatted-numbers.ts';
import { isCountedName } from './measure-kind.ts';
import { areMidnights, findMoment, type Moment, momentDaySql, momentDoubt } from './moments.ts';
import { abbreviatedNumbers, nearlyDates, nearlyNumbers, nestedTexts } from './nearly-numbers.ts';
import type { FieldDocument, ReadRows } from './open-rows.ts';
import { projectedPoints } from './projected-points.ts';
import type { SharedCode } from './shared-codes.ts';
import { snake, validName } from './valid-name.ts';
import { WEEK_DOUBT } from './week-doubt.ts';
import { wordedDates } from './worded-dates.ts';
import { writtenPeriods } from './written-periods.ts';

/** A column with what its values can be. */
export type TypedColumn = {
  readonly column: string;
  /** Its name or position in the manifest. */
  readonly place: string | number;
  /** The name of its field, if it is one of several of the column. */
  readonly fieldName?: string;
  readonly document: FieldDocument;
  readonly doubts: readonly string[];
  readonly isCode: boolean;
  /** Whether the times of its dates are left out. */
  readonly hasTime: boolean;
  /** For numbers that count time, how they do. */
  readonly moment: Moment | undefined;
  /** The most frequent texts. */
  readonly texts: readonly string[];
  readonly filledCount: number;
};

/** The most frequent texts of each column. */
async function frequentTexts(
  connection: ImportConnection,
  rows: Pick<ReadRows, 'select'>,
  column: string | number,
): Promise<{ readonly texts: readonly string[]; readonly filledCount: number } | undefined> {
  const selection = rows.select({ value: { type: 'string', column } });
  const [reading] = selection?.readings ?? [];
  if (selection === undefined || reading === undefined) return undefined;
  const from = preparedRows(selection, selection.readings);
  const [counted] = await connection.list(
    `SELECT count(*) FILTER (WHERE NOT (${reading.isAbsent}))::DOUBLE AS filled,
      count(*) FILTER (WHERE (${reading.value}) IS NULL AND NOT (${reading.isAbsent}))::DOUBLE AS refused FROM ${from}`,
    selection.parameters,
  );
  if (counted === undefined || numberOf(counted, 'refused') > 0) return undefined;
  const listed = await connection.list(
    `SELECT text FROM (SELECT (${reading.shown})::VARCHAR AS text FROM ${from}
      WHERE NOT (${reading.isAbsent})) GROUP BY text ORDER BY count(*) DESC, text LIMIT ${TEXTS_MAX}`,
    selection.parameters,
  );
  return {
    texts: listed.map(({ text }) => String(text)),
    filledCount: numberOf(counted, 'filled'),
  };
}

const TEXTS_MAX = 2000;

/** The first different values of a column of a file with types, as texts. */
export async function firstTexts(
  connection: ImportConnection,
  rows: Pick<OpenedRows, 'selectTexts'>,
  index: number,
): Promise<readonly string[]> {
  const { query, parameters, texts } = rows.selectTexts([index]);
  const listed = await connection.list(
    `SELECT DISTINCT text FROM (SELECT ${texts[0]} AS text FROM (${query})
      WHERE text IS NOT NULL LIMIT ${TEXTS_MAX})`,
    parameters,
  );
  return listed.map(({ text }) => String(text));
}

/** Whether all texts are times of day, and not only midnights. */
export function haveHours(texts: readonly string[]): boolean {
  const times = DATE_FORMATS.filter(({ hasTime }) => hasTime);
  return (
    texts.some((text) => !MIDNIGHT.test(text)) &&
    times.some(({ matches }) => texts.every((text) => matches(text)))
  );
}

const MIDNIGHT = /[ T](00:00(:00(\.0+)?)?|12:00(:00)? am)(Z|[+-]\d\d(:?\d\d)?)?$/i;

export type Proposal = {
  readonly document: FieldDocument;
  /** SQL of the text that is read, instead of the text of the column. */
  readonly expression?: (text: string) => string;
  /** For numbers that count time, how they do. */
  readonly moment?: Moment;
  readonly isCode?: boolean;
  readonly hasTime?: boolean;
  readonly doubts?: readonly string[];
};

/** The types that a column can have by its most frequent texts, the best first. The last one is always a string. */
export function proposals(
  column: string,
  texts: readonly string[],
  {
    decimalMark,
    hasSemicolons = false,
    hasHours = false,
    isNumber = false,
    shared,
    shownDigits,
  }: Partial<Pick<NumberContext, 'decimalMark' | 'hasSemicolons'>> & {
    /** Whether the rows have hours, so that their dates are days. */
    readonly hasHours?: boolean;
    /** Whether the file itself has numbers. */
    readonly isNumber?: boolean;
    /** The codes of another file that its numbers are. */
    readonly shared?: SharedCode | undefined;
    /** The digits that a workbook shows its numbers with. */
    readonly shownDigits?: number | undefined;
  } = {},
): readonly Proposal[] {
  if (texts.length === 0) return [STRING];
  const all = (pattern: RegExp) => texts.every((text) => pattern.test(text.trim()));
  // Degrees and minutes are read as such if another column has the other coordinate.
  if (degreesOf(column, texts) !== undefined || bothDegrees(texts) !== undefined) return [STRING];
  const name = validName(column);
  const context = { name, decimalMark, hasSemicolons };
  // Of 47,300 the comma divides degrees, and no thousands.
  const isDegrees = isDegreesName(column);
  const found: Proposal[] = [];
  found.push(...inParentheses(column, texts, { decimalMark, hasSemicolons }));
  if (shared !== undefined) found.push(...sharedCodes(texts, shared));
  if (shownDigits !== undefined) found.push(...shownCodes(texts, shownDigits));
  found.push(...wrappedTexts(column, texts), ...rewrittenPeriods(column, texts));
  found.push(...decimalMonths(column, texts), ...codesAndTimes(column, texts));
  if (all(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/)) {
    found.push(...(isDegrees || isNumber ? [FLOAT] : pointNumbers(texts, context)));
  }
  found.push(
    ...booleans(texts),
    ...dates(texts, { hasSemicolons, hasHours }),
    ...datesInWords(texts),
  );
  if (all(/\d/) && findFlags(texts) === undefined) {
    const numbers = formattedNumbers(texts, context);
    const isPlain = ({ document }: Proposal) => !/1[,.’ ]234/.test(document.format ?? '');
    found.push(...(isDegrees ? numbers.filter(isPlain) : numbers));
  }
  return [...found, STRING];
}

const STRING: Proposal = { document: { type: 'string' } };
const FLOAT: Proposal = { document: { type: 'float' } };

/** Whether a name is that of a coordinate. */
export function isDegreesName(column: string): boolean {
  const name = validName(column);
  return LATITUDE.test(name) || LONGITUDE.test(name) || PLANAR.test(name);
}

/** Coordinates on a plane. */
const PLANAR = /^([xy]|.*(coord|easting|northing).*|point_[xy])$/;

/** Numbers that are the codes of another file. */
function sharedCodes(
  texts: readonly string[],
  { pad, of, matched, count }: SharedCode,
): readonly Proposal[] {
  const numbers = texts.map((text) => text.trim());
  if (!numbers.every((text) => /^\d+([.]0+)?$/.test(text))) return [];
  const share = `${matched.toLocaleString('en-US')} of ${count.toLocaleString('en-US')}`;
  const found = `${share} different numbers are codes of ${of}, so they are read as text.`;
  const rest = matched < count ? ` ${share} different numbers are among them.` : '';
  const code: Proposal = {
    document: { type: 'string', ...(pad === undefined ? {} : { pad }) },
    isCode: true,
    doubts: [pad === undefined ? found : `Padded to ${pad} digits, to match ${of}.${rest}`],
  };
  return numbers.some((text) => text.includes('.')) ? [throughText(code, withoutFraction)] : [code];
}

/** Numbers to which the format of a workbook gives zeros at the start, as codes have them. */
function shownCodes(texts: readonly string[], pad: number): readonly Proposal[] {
  const numbers = texts.map((text) => text.trim());
  const short = numbers.find((text) => text.length < pad) ?? numbers[0] ?? '';
  const areDigits = numbers.every((text) => /^\d+$/.test(text) && text.length <= pad);
  if (!areDigits) return [];
  const doubt = `The workbook shows ${pad} digits, so these are codes and padded: ${short} is ${short.padStart(pad, '0')}. If they are numbers, write type: integer.`;
  return [{ document: { type: 'string', pad }, isCode: true, doubts: [doubt] }];
}

function withoutFraction(text: string): string {
  return `regexp_replace(trim(${text}), '[.]0+$', '')`;
}

/** Negative numbers in parentheses: ($12.50). */
function inParentheses(
  column: string,
  texts: readonly string[],
  context: Pick<NumberContext, 'decimalMark' | 'hasSemicolons'>,
): readonly Proposal[] {
  const negative = texts.filter((text) => PARENTHESES.test(text.trim()));
  const [example = ''] = negative;
  if (negative.length === 0 || negative.length === texts.length) return [];
  const plain = texts.map((text) => text.trim().replace(PARENTHESES, '-$1'));
  return proposals(column, plain, context).flatMap((proposal) =>
    proposal.document.type === 'integer' || proposal.document.type === 'float'
      ? {
          ...throughText(
            proposal,
            (text) => `regexp_replace(trim(${text}), '^[(](.*[0-9].*)[)]$', '-\\1')`,
          ),
          doubts: [
            ...(proposal.doubts ?? []),
            `Numbers in parentheses are read as negative: ${example} is -${example.replace(PARENTHESES, '$1')}.`,
          ],
        }
      : [],
  );
}

const PARENTHESES = /^\((.*\d.*)\)$/;

/** Texts that spreadsheets keep as they are: ="01001". */
function wrappedTexts(column: string, texts: readonly string[]): readonly Proposal[] {
  if (!texts.some((text) => WRAPPED.test(text.trim()))) return [];
  const inner = texts.map((text) => text.trim().replace(WRAPPED, '$1'));
  if (inner.some((text) => text.startsWith('='))) return [];
  const unwrap = (text: string) => `regexp_replace(trim(${text}), '^="(.*)"$', '\\1')`;
  return proposals(column, inner).map((proposal) => ({
    ...throughText(proposal, unwrap),
    isCode: proposal.isCode === true || proposal.document.type === 'string',
  }));
}

const WRAPPED = /^="(.*)"$/;

/** A proposal for what an expression makes of the texts. */
function throughText(proposal: Proposal, prepare: (text: string) => string): Proposal {
  const { expression = (text: string) => text } = proposal;
  return { ...proposal, expression: (text) => expression(prepare(text)) };
}

/** Whole numbers, also those that were written as 1001.0 or 8.96529E+19, can be codes or times. */
function codesAndTimes(column: string, texts: readonly string[]): readonly Proposal[] {
  const numbers = texts.map((text) => text.trim());
  const compact = COMPACT_TIMES.find(({ pattern }) => numbers.every((text) => pattern.test(text)));
  if (compact !== undefined) {
    return [{ document: { type: 'date', format: compact.format }, hasTime: true }];
  }
  const moment = findMoment(column, numbers);
  if (moment !== undefined) return [inMoment(numbers, moment)];
  if (numbers.every((text) => /^[+-]?\d+$/.test(text))) return wholeNumbers(column, numbers);
  const lettered = lostZerosOfLetters(column, numbers);
  if (lettered !== undefined) {
    const { doubt, expression } = lettered;
    return [{ ...STRING, isCode: true, doubts: [doubt], ...(expression && { expression }) }];
  }
  const damage = findDamage(numbers, { isCodeName: isCodeName(column, numbers) });
  if (damage !== undefined) {
    const { isCode, doubt } = damage;
    return [{ ...(isCode ? STRING : FLOAT), isCode, doubts: [doubt] }];
  }
  const isDecimal = numbers.every((text) => /^\d+([.]\d+)?$/.test(text));
  const isWhole = numbers.every((text) => /^\d+([.]0+)?$/.test(text));
  // Such as the tract 101.02.
  if (isDecimal && !isWhole && POINTED_CODE.test(snake(column))) {
    return [{ ...STRING, isCode: true, doubts: [] }];
  }
  if (!isWhole) return [];
  const whole = numbers.map((text) => text.replace(/[.]0+$/, ''));
  return wholeNumbers(column, whole).flatMap((proposal) =>
    proposal.document.type === 'integer' ? [] : throughText(proposal, withoutFraction),
  );
}

/** Days with their time in digits alone: 2024013123 and 20240131235959. */
const COMPACT_TIMES = ['HH', 'HHmm', 'HHmmss'].map((time) => ({
  format: `YYYYMMDD${time}`,
  pattern: new RegExp(
    `^(19|20)\\d\\d(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])([01]\\d|2[0-3])${'[0-5]\\d'.repeat(time.length / 2 - 1)}$`,
  ),
}));

function inMoment(numbers: readonly string[], moment: Moment): Proposal {
  return {
    document: { type: 'date' },
    expression: (text) => momentDaySql(text, moment),
    moment,
    hasTime: !areMidnights(numbers, moment),
    doubts: [momentDoubt(numbers, moment)],
  };
}

const UNNAMED = /^column_\d+$/;
/** Such a column has nothing but years. */
const SHORT_YEAR_NAME =
  /^(year|yr|yy|jahr|jaar|annee|ano|anio|anno|rok|yil|god|godina|evf|ev|(count_?)?year_?(record|data))$/;

/** In other scripts. */
const YEAR_WORD = /^(年|年度|年份|年次|西暦|연도|년도|년|год|рік|година|έτος|سنة|שנה|वर्ष)$/iu;
const YEAR_NAME =
  /(^|_)(years?|yr|jahr|jaar|annee|ano|anio|anno|an|ar|aar|rok|yil|god|godina|ev|vuosi|any|ejercicio|exercice|berichtsjahr|fy)($|_)|(year|jahr)$|^yyyy$/;
/** The whole name of a column of times of any length, as statistics offices name it. */
const TIME_WORD =
  /^(time|period|time_period|period_?name|ref_date|date|datum|fecha|zeit|zeitraum|periodo|periode|perioden|tid|tidspunkt|tempo|okres|obdobi|obdobje|idoszak|ajanjakso|aika|donem|ref_area_period)$/;
const TIME_NAME =
  /(^|_)(date|day|month|period|yyyymm|yyyymmdd|ym|tlist|time|week|datum|monat|tag|fecha|dia|data|giorno|jour|mois|mes|mese|maand|dag|year|years|yr|jahr|annee|ano|anio|anno)($|_)/;

/** Whether a name is that of days or of other times. */
function isTimeName(column: string): boolean {
  const name = snake(column);
  return TIME_NAME.test(name) || TIME_WORD.test(name) || YEAR_WORD.test(column.trim());
}

/** 109 to 112 in a column of years in Chinese. */
function yearsOfTaiwan(column: string, digits: readonly string[]): Proposal | undefined {
  const isNamed = /^(年|年度|年份|年別|民國年?|中華民國年?|資料年度|統計年)$/.test(column.trim());
  const [first = ''] = digits;
  if (!isNamed || !digits.every((text) => /^([89]\d|1[0-4]\d)$/.test(text))) return undefined;
  return {
    document: { type: 'date', format: 'YYYY', as: 'year' },
    expression: (text) => `CAST(TRY_CAST(trim(${text}) AS INTEGER) + 1911 AS VARCHAR)`,
    doubts: [`Read as years of Taiwan: '${first}' is ${Number(first) + 1911}.`],
  };
}

/** Createdate in one word. */
const DAY_NAME = /date$/;
/** 230131 in a column that is called a day or a date. */
const SHORT_DAY = /^\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;
const DAY_WORD = /^(date|datum|day|tag|fecha|dia|data|jour|giorno|dag|dato)$/;
/** Fewer numbers of eight digits are days by chance. */
const DAYS_MIN = 3;

function wholeNumbers(column: string, digits: readonly string[]): readonly Proposal[] {
  const name = snake(column);
  const taiwan = yearsOfTaiwan(column, digits);
  if (taiwan !== undefined) return [taiwan];
  const isYear = digits.every((text) => /^(1[5-9]|20|21)\d\d$/.test(text));
  if (isYear && YEAR_WORD.test(column.trim())) {
    return [{ document: { type: 'date', format: 'YYYY', as: 'year' } }];
  }
  if (isYear && (YEAR_NAME.test(name) || TIME_WORD.test(name))) {
    return [{ document: { type: 'date', format: 'YYYY', as: 'year' } }];
  }
  if (digits.every((text) => /^\d\d$/.test(text)) && SHORT_YEAR_NAME.test(name)) {
    const doubt = centuryDoubt(digits, (text) => text);
    return [{ document: { type: 'date', format: 'YY', as: 'year' }, doubts: [doubt] }];
  }
  if (UNNAMED.test(name) && digits.every((text) => /^(19\d\d|20[0-4]\d)$/.test(text))) {
    return [
      {
        document: { type: 'date', format: 'YYYY', as: 'year' },
        doubts: [
          'The column has no name. Its numbers are read as years; if they are not, write type: integer.',
        ],
      },
    ];
  }
  const isTime = isTimeName(column);
  const isMonth = digits.every((text) => /^(19|20)\d\d(0[1-9]|1[0-2])$/.test(text));
  if (isMonth && (isTime || digits.length > 11)) {
    return [{ document: { type: 'date', format: 'YYYYMM', as: 'month' } }];
  }
  const isDay = digits.every((text) => /^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/.test(text));
  if (isDay && (isTime || DAY_NAME.test(name) || digits.length > 11)) {
    return [{ document: { type: 'date', format: 'YYYYMMDD' } }];
  }
  const isShortDay = digits.every((text) => SHORT_DAY.test(text));
  if (isShortDay && DAY_WORD.test(name)) {
    const doubt = centuryDoubt(digits, (text) => text.slice(0, 2));
    return [{ document: { type: 'date', format: 'YYMMDD' }, doubts: [doubt] }];
  }
  if (isDay && digits.length >= DAYS_MIN && !isCodeName(column, digits)) {
    const doubt =
      'All numbers are days, so they are read as such. If they are codes, write type: string.';
    return [{ document: { type: 'date', format: 'YYYYMMDD' }, doubts: [doubt] }];
  }
  if (digits.some((text) => /^[+-]/.test(text))) return [{ document: { type: 'integer' } }];
  const isPadded = new Set(digits.map((text) => text.length)).size === 1;
  if (isPadded && digits.some((text) => /^0\d/.test(text)) && isCountedName(name)) {
    const [example = ''] = digits.filter((text) => /^0\d/.test(text));
    const doubt = `Read as a number, because of its name: ${example} is ${Number(example)}. If these are codes, write type: string.`;
    return [{ document: { type: 'integer' }, doubts: [doubt] }];
  }
  const isNamed = isCodeName(column, digits);
  const damage = findDamage(digits, { isCodeName: isNamed });
  const isCode =
    isNamed || damage !== undefined || digits.some((text) => /^0\d|^\d{17,}$/.test(text));
  const shaped = isCode ? undefined : codesByShape(column, digits);
  if (!isCode && shaped === undefined) return [{ document: { type: 'integer' } }];
  const plain: Proposal = {
    ...STRING,
    isCode: true,
    doubts: [
      ...(damage === undefined ? [] : [damage.doubt]),
      ...(canBeCount(column, digits)
        ? ['Read as an id, because of its name. If it is how many there are, write type: integer.']
        : []),
    ],
  };
  const lost = shaped ?? (isNamed && damage === undefined ? lostZeros(column, digits) : undefined);
  if (lost === undefined) return [plain];
  const { pad, expression, doubt } = lost;
  return [
    {
      document: { type: 'string', ...(pad === undefined ? {} : { pad }) },
      ...(expression === undefined ? {} : { expression }),
      isCode: true,
      doubts: [doubt],
    },
    plain,
  ];
}

const BOOLEANS = [
  ['true', 'false'],
  ['yes', 'no'],
  ['y', 'n'],
  ['t', 'f'],
  ['ja', 'nein'],
  ['oui', 'non'],
  ['si', 'no'],
  ['sí', 'no'],
  ['sim', 'não'],
  ['on', 'off'],
] as const;

function booleans(texts: readonly string[]): readonly Proposal[] {
  const words = new Set(texts.map((text) => text.trim().toLowerCase()));
  if (words.size !== 2) return [];
  return BOOLEANS.flatMap(([yes, no]): Proposal | readonly [] => {
    if (!words.has(yes) || !words.has(no)) return [];
    return {
      document: yes === 'true' ? { type: 'boolean' } : { type: 'boolean', format: `${yes}/${no}` },
    };
  });
}

const HOURS_NAME =
  /^(hour|hours|hour_beginning|hour_ending|hour_of_day|time_of_day|stunde|uhrzeit|heure|hora|ora|uur)$/;

/** The ways in which all texts can be dates. */
export function dates(
  texts: readonly string[],
  written: Partial<WrittenDays> = {},
): readonly Proposal[] {
  const found = DATE_FORMATS.filter(({ matches }) => texts.every(matches));
  const order = dayOrder(found, texts, written);
  return order.formats.map((one) => toDate(one, { all: found, texts, why: order.why }));
}

function datesInWords(texts: readonly string[]): readonly Proposal[] {
  const found = wordedDates(texts);
  return found.map((one) => ({
    ...toDate(one, { all: found, texts: one.plain }),
    expression: one.expression,
  }));
}

/** 2023.01 to 2023.12 in a column of times, also as numbers, in which October is 2023.1. */
function decimalMonths(column: string, texts: readonly string[]): readonly Proposal[] {
  const months = texts.map((text) => text.trim());
  if (!isTimeName(column)) return [];
  const document: FieldDocument = { type: 'date', format: 'YYYY.MM', as: 'month' };
  const isMonth = (text: string) => /^(19|20)\d\d[.](0[1-9]|1[0-2])$/.test(text);
  if (months.every(isMonth)) return [{ document }];
  const october = months.find((text) => /^(19|20)\d\d[.]1$/.test(text)) ?? '';
  const isPadded = months.every((text) => isMonth(text.padEnd(7, '0')) && !text.endsWith('.10'));
  if (october === '' || months.length < 2 || !isPadded) return [];
  return [
    {
      document,
      expression: (text) => `rpad(trim(${text}), 7, '0')`,
      doubts: [`Read as months, of which October has lost its zero: ${october} is ${october}0.`],
    },
  ];
}

/** Periods that an expression rewrites. A column of digits, with or without a mark, must also have a name that means a time. */
function rewrittenPeriods(column: string, texts: readonly string[]): readonly Proposal[] {
  const areDigits = texts.every((text) => /^\d+\s*([*]+|[(][a-z][)]|[prs])?$/i.test(text.trim()));
  if (areDigits && !isTimeName(column) && !THAI_YEAR.test(column)) return [];
  const found = writtenPeriods(texts);
  const all = found.map(({ format }) => format);
  return found.map(({ format, plain, expression, doubts }) => {
    const proposal = toDate(format, { all, texts: plain });
    return { ...proposal, expression, doubts: [...doubts, ...(proposal.doubts ?? [])] };
  });
}

const THAI_YEAR = /ปี|พ\.?ศ/;

function toDate(
  { format, as, hasTime, shortYearOf }: KnownDateFormat,
  {
    all,
    texts,
    why,
  }: {
    readonly all: readonly KnownDateFormat[];
    readonly texts: readonly string[];
    /** Why the day is first, though the month could be. */
    readonly why?: string | undefined;
  },
): Proposal {
  const isMonthFirst = isMonthFirstFormat(format);
  const isAmbiguous = isMonthFirst && all.some((one) => isDayFirstFormat(one.format));
  const isDayChosen = why !== undefined && isDayFirstFormat(format);
  const hasOffset = format !== undefined && /Z$/.test(format);
  return {
    document: {
      type: 'date',
      ...(format === undefined ? {} : { format }),
      ...(as === undefined ? {} : { as }),
      ...(hasOffset ? { zone: 'UTC' } : {}),
    },
    hasTime,
    doubts: [
      ...(isAmbiguous
        ? [
            `All values are also valid dates with the day first (${(format ?? '').replace(/M{1,2}(.)D{1,2}/, (text, between) => (text.startsWith('MM') ? `DD${between}MM` : `D${between}M`))}): choose the correct format.`,
          ]
        : []),
      ...(isDayChosen
        ? [`Read with the day first, ${why}. If the month is first, change the format.`]
        : []),
      ...(hasShortYear(format)
        ? [
            `${/^M+[ -]YY$/.test(format) ? 'Read as a month and the last two digits of its year, not as a month and its day. ' : ''}${centuryDoubt(texts, shortYearOf)}`,
          ]
        : []),
      ...(/^\[FY\]/.test(format ?? '')
        ? ['A fiscal year is read as the calendar year with the same number.']
        : []),
      ...(/\[(Week|Wk)\]/.test(format ?? '') ? [WEEK_DOUBT] : []),
      ...(hasOffset ? ['The time zone that decides the day, such as America/Los_Angeles.'] : []),
    ],
  };
}

function hasShortYear(format: string | undefined): format is string {
  return format !== undefined && /(?<!Y)YY(?!Y)/.test(format);
}

/** Which century is assumed, with an example of each. */
function centuryDoubt(
  texts: readonly string[],
  shortYearOf: (text: string) => string | undefined,
): string {
  const years = new Map<string, string>();
  for (const text of texts) {
    const year = shortYearOf(text);
    if (year === undefined) continue;
    const century = year >= '69' ? '19' : '20';
    if (!years.has(century)) years.set(century, `'${text.trim()}' is of ${century}${year}`);
  }
  return `Years have two digits, so the century is assumed: ${[...years.values()].join(', and ')}. From 69 on they are 1969 and later, below it 2000 and later. Other centuries need years with four digits in the file.`;
}

/** Types that a column can have which is not read as text. */
const NATIVE: readonly FieldDocument[] = [
  { type: 'boolean' },
  { type: 'integer' },
  { type: 'float' },
  { type: 'date' },
];

/** Chooses what every value of a column can be, over the whole file. */
export async function typeColumn(
  connection: ImportConnection,
  rows: ReadRows,
  column: string,
  place: string | number,
  given: {
    readonly shared?: SharedCode | undefined;
    readonly shownDigits?: number | undefined;
  } = {},
): Promise<TypedColumn | undefined> {
  const isCoordinate = place === '$latitude' || place === '$longitude';
  const frequent = isCoordinate ? undefined : await frequentTexts(connection, rows, place);
  const candidates: readonly Proposal[] =
    frequent === undefined
      ? NATIVE.flatMap((document) =>
          isCoordinate && document.type !== 'float' ? [] : { document },
        )
      : proposals(column, frequent.texts, {
          decimalMark: rows.decimalMark,
          hasSemicolons: rows.hasSemicolons,
          hasHours: rows.columns.some((one) => HOURS_NAME.test(snake(one))),
          isNumber: rows.isNumber(column),
          ...given,
        });
  const checked = await countRefused(
    connection,
    rows,
    candidates.map((candidate) => placed(candidate, place)),
  );
  // Coordinates are typed only if the features whose geometry has none are few and known.
  const index = checked.findIndex(
    (one) => one !== undefined && (one.refused === 0 || isCoordinate),
  );
  const chosen = candidates[index];
  const counts = checked[index];
  if (chosen === undefined || counts === undefined) return undefined;
  const isText = chosen.document.type === 'string' && chosen.isCode !== true;
  const texts = isText ? (frequent?.texts ?? []) : [];
  const textDoubts = [
    nearlyNumbers(column, texts),
    abbreviatedNumbers(texts),
    nestedTexts(texts),
    nearlyDates(column, texts),
    findDatedRanges(texts),
    projectedPoints(texts),
  ];
  return {
    column,
    place,
    document: chosen.expression === undefined ? chosen.document : placed(chosen, place),
    doubts: [...(chosen.doubts ?? []), ...textDoubts.filter((text) => text !== undefined)],
    isCode: chosen.isCode === true,
    hasTime: chosen.hasTime === true,
    moment: chosen.moment,
    texts: frequent?.texts ?? [],
    filledCount: counts.filled,
  };
}

/** The document of a field of a column; in an expression a position is a name. */
function placed({ document, expression }: Proposal, place: string | number): FieldDocument {
  if (expression === undefined) return { ...document, column: place };
  const name = typeof place === 'number' ? `column ${place}` : place;
  return { ...document, expression: expression(quoteIdentifier(name)) };
}

/** Whether all values of a column can be read as a type. */
export async function isReadable(
  connection: ImportConnection,
  rows: Pick<ReadRows, 'select'>,
  document: FieldDocument,
): Promise<boolean> {
  const [counted] = await countRefused(connection, rows, [document]);
  return counted?.refused === 0;
}

async function countRefused(
  connection: ImportConnection,
  rows: Pick<ReadRows, 'select'>,
  documents: readonly FieldDocument[],
): Promise<readonly ({ readonly refused: number; readonly filled: number } | undefined)[]> {
  const counts: ({ readonly refused: number; readonly filled: number } | undefined)[] = [];
  for (const document of documents) {
    const selection = rows.select({ value: document });
    const [reading] = selection?.readings ?? [];
    if (selection === undefined || reading === undefined) {
      counts.push(undefined);
      continue;
    }
    const [row] = await connection.list(
      `SELECT count(*) FILTER (WHERE (${reading.value}) IS NULL AND NOT (${reading.isAbsent}))::DOUBLE AS refused,
        count(*) FILTER (WHERE NOT (${reading.isAbsent}))::DOUBLE AS filled
        FROM ${preparedRows(selection, selection.readings)}`,
      selection.parameters,
    );
    counts.push(row && { refused: numberOf(row, 'refused'), filled: numberOf(row, 'filled') });
    // The proposals are in their order of preference.
    if (row !== undefined && numberOf(row, 'refused') === 0) break;
  }
  return counts;
}
