import { type DateToken, parseDateFormat } from '../../manifest/date-format.ts';
import type { DATE_SPANS } from '../../manifest/field-source.ts';
import { MONTH_NAMES, monthPattern } from '../../manifest/month-names.ts';

/** A way in which files write dates, with the part of the calendar that a value stands for. */
export type KnownDateFormat = {
  /** Absent: YYYY-MM-DD, which needs no format. */
  readonly format: string | undefined;
  readonly as?: (typeof DATE_SPANS)[number];
  readonly hasTime: boolean;
  readonly matches: (text: string) => boolean;
  /** The year of a text, if it is written with two digits. */
  readonly shortYearOf: (text: string) => string | undefined;
  /** The weekday of a text, from 0 for Sunday, if it is written with a day. */
  readonly weekdayOf: (text: string) => number | undefined;
};

const DAYS = [
  'YYYY-MM-DD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'M/D/YYYY',
  'D/M/YYYY',
  'DD.MM.YYYY',
  'D.M.YYYY',
  'YYYY/MM/DD',
  'YYYY/M/D',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'D-M-YYYY',
  'DD-MMM-YYYY',
  'D-MMM-YYYY',
  'DD MMM YYYY',
  'D MMM YYYY',
  'D MMMM YYYY',
  'MMM D, YYYY',
  'MMMM D, YYYY',
  'MMM DD YYYY',
  'YYYY.MM.DD',
  'MM/DD/YY',
  'M/D/YY',
  'DD/MM/YY',
  'D/M/YY',
  'DD.MM.YY',
  'D.M.YY',
  'DD-MMM-YY',
  'D-MMM-YY',
  'DD MMM YY',
  'D MMM YY',
  'MM-DD-YY',
  'M-D-YY',
  'DD-MM-YY',
  'D-M-YY',
  'YYYY年M月D日',
  'D [de] MMMM [de] YYYY',
  'MMM D YYYY',
  'MMMM D YYYY',
  'D. MMMM YYYY',
  'D. MMM YYYY',
];

const TIMES = [
  ' HH:mm:ss',
  'THH:mm:ss',
  ' HH:mm',
  'THH:mm',
  ' H:mm',
  ' hh:mm:ss A',
  ' h:mm:ss A',
  ' hh:mm A',
  ' h:mm A',
  ' HH:mm:ss.SSS',
  'THH:mm:ss.SSS',
  'THH:mm:ssZ',
  'THH:mm:ss.SSSZ',
  ' HH:mm:ssZ',
  ' HH:mm:ss Z',
  ' HH:mm:ss.SSSZ',
  'THH:mmZ',
];

const SPANS: readonly (readonly [string, KnownDateFormat['as']])[] = [
  ['YYYY-MM', 'month'],
  ['YYYY/MM', 'month'],
  ['YYYY.MM', 'month'],
  ['MM/YYYY', 'month'],
  ['M/YYYY', 'month'],
  ['MM-YYYY', 'month'],
  ['MM.YYYY', 'month'],
  ['MMM YYYY', 'month'],
  ['MMM-YYYY', 'month'],
  ['MMMM YYYY', 'month'],
  ['YYYY MMM', 'month'],
  ['YYYY MMMM', 'month'],
  ['YYYY-MMM', 'month'],
  ['MMM-YY', 'month'],
  ['MMM YY', 'month'],
  ['MM/YY', 'month'],
  ['YYYY年M月', 'month'],
  ['YYYY年', 'year'],
  ['YYYY_MM', 'month'],
  ['MMM_YYYY', 'month'],
  ['MMMM_YYYY', 'month'],
  ['MMMM-YYYY', 'month'],
  ['YYYY_MMM', 'month'],
  ['MMM_YY', 'month'],
  ['MMMYYYY', 'month'],
  ['MMMYY', 'month'],
  ['YYYY_[Q]Q', 'quarter'],
  ['[Q]Q_YYYY', 'quarter'],
  ['YYYY[M]MM', 'month'],
  ['YYYY-[Q]Q', 'quarter'],
  ['YYYY[Q]Q', 'quarter'],
  ['YYYY [Q]Q', 'quarter'],
  ['YYYY/[Q]Q', 'quarter'],
  ['[Q]Q YYYY', 'quarter'],
  ['[Q]Q-YYYY', 'quarter'],
  ['[Q]Q/YYYY', 'quarter'],
  ['Q[Q]YYYY', 'quarter'],
  ['Q[Q] YYYY', 'quarter'],
  // In other languages: kvartal, trimestre, Quartal.
  ...['K', 'T', 'KV', 'KW0', 'TRIM'].flatMap((quarter): (typeof SPANS)[number][] =>
    [`YYYY[${quarter}]Q`, `YYYY-[${quarter}]Q`, `YYYY [${quarter}]Q`].map((one) => [
      one,
      'quarter',
    ]),
  ),
  ...[
    'T',
    'K',
    'KV',
    '. Quartal',
    '. kvartal',
    '. kv.',
    'º trimestre',
    'e trimestre',
    '° trimestre',
  ].flatMap((quarter): (typeof SPANS)[number][] =>
    [`Q[${quarter}]YYYY`, `Q[${quarter}] YYYY`, `Q[${quarter}]/YYYY`].map((one) => [
      one,
      'quarter',
    ]),
  ),
  ['[T]Q YYYY', 'quarter'],
  ['[T]Q-YYYY', 'quarter'],
  ['[T]Q/YYYY', 'quarter'],
  // Statistics Netherlands.
  ['YYYY[JJ00]', 'year'],
  ['YYYY[MM]MM', 'month'],
  // Korea.
  ['YYYY[년] M[월]', 'month'],
  ['YYYY[년]M[월]', 'month'],
  ['YYYY.MM [월]', 'month'],
  ['YYYY[년]', 'year'],
  ['[FY]YYYY [Q]Q', 'quarter'],
  ['[FY]YYYY-[Q]Q', 'quarter'],
  ['[FY]YYYY', 'year'],
  ['[FY] YYYY', 'year'],
  ['[CY]YYYY', 'year'],
  ['[CY] YYYY', 'year'],
  ['YYYY-[W]WW', 'week'],
  ['YYYY[W]WW', 'week'],
  ['YYYY [W]WW', 'week'],
  ['[W]WW YYYY', 'week'],
  ['[W]WW-YYYY', 'week'],
  ...[
    'YYYY[-KW]WW',
    'YYYY[/KW]WW',
    'YYYY [KW]WW',
    'YYYY [KW] W',
    '[KW] W/YYYY',
    '[KW]W/YYYY',
    '[KW] W YYYY',
    '[KW]W YYYY',
  ].map((one): (typeof SPANS)[number] => [one, 'week']),
  ...[
    'YYYY [Week] W',
    'YYYY, [Week] W',
    'YYYY-[Week] W',
    '[Week] W YYYY',
    '[Week] W, YYYY',
    '[Week] W/YYYY',
    '[Wk] W YYYY',
    '[Wk]W YYYY',
    'YYYY [Wk] W',
    'YYYY-[Wk]W',
  ].map((one): (typeof SPANS)[number] => [one, 'week']),
];

export function isDateText(text: string): boolean {
  return /\d/.test(text) && DATE_FORMATS.some(({ matches }) => matches(text));
}

function known(
  format: string | undefined,
  written: string,
  as: KnownDateFormat['as'],
  hasTime: boolean,
): KnownDateFormat {
  const parsed = parseDateFormat(written);
  if ('problem' in parsed) throw new Error(`${written}: ${parsed.problem}`);
  const parts = parsed.parts.map((part) =>
    part.token === undefined
      ? RegExp.escape(part.text)
      : `(${DAY_TOKENS.has(part.token) ? `?<${part.token}>` : '?:'}${patternOf(part.token, hasTime)})`,
  );
  const pattern = new RegExp(`^${parts.join('')}$`, 'i');
  const partsOf = (text: string) => pattern.exec(text.trim())?.groups ?? {};
  return {
    format,
    hasTime,
    ...(as === undefined ? {} : { as }),
    matches: (text) => pattern.test(text.trim()),
    shortYearOf: (text) => partsOf(text)['YY'],
    weekdayOf: (text) => weekdayOf(partsOf(text)),
  };
}

const DAY_TOKENS: ReadonlySet<DateToken> = new Set([
  'YYYY',
  'YY',
  'MMMM',
  'MMM',
  'MM',
  'M',
  'DD',
  'D',
]);

function weekdayOf(parts: Readonly<Record<string, string | undefined>>): number | undefined {
  const { YYYY, YY, MM, M = MM, DD, D = DD, MMM, MMMM = MMM } = parts;
  const year = YY === undefined ? YYYY : `${YY >= '69' ? '19' : '20'}${YY}`;
  const name = MMMM?.toLowerCase().replace(/[.]$/, '');
  const kind = MMM === undefined ? 'MMMM' : 'MMM';
  const index = name === undefined ? -1 : MONTH_NAMES[kind].indexOf(name);
  const month = name === undefined ? Number(M) : index < 0 ? Number.NaN : (index % 12) + 1;
  const day = new Date(Date.UTC(Number(year), month - 1, Number(D)));
  return day.getUTCMonth() === month - 1 ? day.getUTCDay() : undefined;
}

/** Times are read by the engine, which knows the months in English alone. */
function patternOf(token: DateToken, hasTime: boolean): string {
  return !hasTime && (token === 'MMM' || token === 'MMMM') ? monthPattern(token) : PATTERNS[token];
}

const SHORT_MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december';

/** These are only for a choice: the reader of dates decides over the whole file. */
const PATTERNS: Readonly<Record<DateToken, string>> = {
  YYYY: '\\d{4}',
  YY: '\\d{2}',
  MMMM: MONTHS,
  MMM: SHORT_MONTHS,
  MM: '0\\d|1[0-2]',
  M: '0?[1-9]|1[0-2]',
  DD: '0\\d|[12]\\d|3[01]',
  D: '0?[1-9]|[12]\\d|3[01]',
  Q: '[1-4]',
  WW: '\\d\\d',
  W: '\\d{1,2}',
  HH: '[01]\\d|2[0-3]',
  H: '\\d{1,2}',
  h: '0?[1-9]|1[0-2]',
  hh: '0\\d|1[0-2]',
  mm: '\\d\\d',
  ss: '\\d\\d',
  SSS: '\\d{1,9}',
  A: 'am|pm',
  Z: 'Z|[+-]\\d\\d(?::?\\d\\d)?',
};

/** All ways but those of digits alone, which need the name of the column too. */
export const DATE_FORMATS: readonly KnownDateFormat[] = [
  ...DAYS.map((day) => known(day === 'YYYY-MM-DD' ? undefined : day, day, undefined, false)),
  ...SPANS.map(([format, as]) => known(format, format, as, false)),
  ...DAYS.flatMap((day) => TIMES.map((time) => known(day + time, day + time, undefined, true))),
];
