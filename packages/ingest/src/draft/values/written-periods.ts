import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { DATE_FORMATS, type KnownDateFormat } from '../files/date-formats.ts';

/** Days and periods that a known format reads once an expression has rewritten them. */
export type WrittenPeriod = {
  readonly format: KnownDateFormat;
  /** The texts as the format reads them. */
  readonly plain: readonly string[];
  readonly expression: (text: string) => string;
  readonly doubts: readonly string[];
};

/** The ways to read all texts, if another calendar, a school year, a mark or a prefix is in them. */
export function writtenPeriods(texts: readonly string[]): readonly WrittenPeriod[] {
  const trimmed = texts.map((text) => text.trim());
  if (trimmed.length === 0 || !trimmed.every((text) => /[\d元]/.test(text))) return [];
  for (const find of [
    inOtherCalendar,
    inSchoolYears,
    inShortYears,
    asMonthRanges,
    withMarks,
    withPrefix,
  ]) {
    const found = find(trimmed);
    if (found !== undefined) return periodsOf(found);
  }
  return [];
}

type Rewritten = {
  readonly plain: readonly string[];
  readonly expression: (text: string) => string;
  readonly doubts: readonly string[];
  /** The only format that is meant. */
  readonly only?: 'YYYY' | 'YYYYMM';
  /** The period that the format stands for, if it is not its own. */
  readonly as?: KnownDateFormat['as'];
};

function periodsOf({ plain, expression, doubts, only, as }: Rewritten): readonly WrittenPeriod[] {
  const formats = only === 'YYYY' ? [YEARS] : only === 'YYYYMM' ? [MONTHS, YEARS] : DATE_FORMATS;
  return formats
    .filter((format) => !format.hasTime && plain.every(format.matches))
    .map((format) => ({
      format: as === undefined ? format : { ...format, as },
      plain,
      expression,
      doubts,
    }));
}

const YEARS = plainDigits('YYYY', 'year', /^(19|20)\d\d$/);
const MONTHS = plainDigits('YYYYMM', 'month', /^(19|20)\d\d(0[1-9]|1[0-2])$/);

function plainDigits(
  format: string,
  as: NonNullable<KnownDateFormat['as']>,
  pattern: RegExp,
): KnownDateFormat {
  const nothing = () => undefined;
  return {
    format,
    as,
    hasTime: false,
    matches: (text) => pattern.test(text),
    shortYearOf: nothing,
    weekdayOf: nothing,
  };
}

/** The position of the year of another calendar in a text, and the expression that converts it to a year of the common calendar. */
const CALENDARS = [
  {
    name: 'the Buddhist calendar',
    pattern: /(?<!\d)(?:พ\.ศ\.\s*)?(2[45]\d\d)(?!\d)/,
    sql: '(?:พ[.]ศ[.]\\s*)?(2[45][0-9][0-9])',
    added: -543,
  },
  {
    name: 'Taiwan',
    pattern: /^(?:中華民國|民國)?\s*(\d{2,3})(?=年)/,
    sql: '^(?:中華民國|民國)?\\s*([0-9]{2,3})',
    added: 1911,
  },
  {
    name: 'the era Reiwa',
    pattern: /^(?:令和)\s*(\d{1,2}|元)(?=年)/,
    sql: '^令和\\s*([0-9]{1,2}|元)',
    added: 2018,
  },
  {
    name: 'the era Heisei',
    pattern: /^(?:平成)\s*(\d{1,2}|元)(?=年)/,
    sql: '^平成\\s*([0-9]{1,2}|元)',
    added: 1988,
  },
  {
    name: 'the era Showa',
    pattern: /^(?:昭和)\s*(\d{1,2}|元)(?=年)/,
    sql: '^昭和\\s*([0-9]{1,2}|元)',
    added: 1925,
  },
] as const;

function inOtherCalendar(texts: readonly string[]): Rewritten | undefined {
  const found = texts.map((text) => CALENDARS.find(({ pattern }) => pattern.test(text)));
  const used = CALENDARS.filter((calendar) => found.includes(calendar));
  const [first] = used;
  if (first === undefined || found.includes(undefined)) return undefined;
  // A number such as 2500 is a year only if it is alone or in a date.
  const plain = texts.map((text, index) => {
    const { pattern, added } = found[index] ?? first;
    return text.replace(pattern, (_, year: string) =>
      String(Number(year.replace('元', '1')) + added),
    );
  });
  const areYears = plain.every(YEARS.matches);
  const examples = used.map((calendar) => {
    const index = found.indexOf(calendar);
    return `'${texts[index]}' is ${plain[index]}`;
  });
  const names = used.map(({ name }) => name).join(' and ');
  return {
    plain,
    expression: (text) =>
      used.length === 1 && texts.every((one) => /^\d+$/.test(one))
        ? `CAST(TRY_CAST(trim(${text}) AS INTEGER) ${first.added < 0 ? '-' : '+'} ${Math.abs(first.added)} AS VARCHAR)`
        : calendarSql(`trim(${text})`, used),
    doubts: [`Read as years of ${names}: ${examples.join(', and ')}.`],
    ...(areYears ? { only: 'YYYY' } : {}),
  };
}

function calendarSql(text: string, used: readonly (typeof CALENDARS)[number][]): string {
  return used.reduceRight((rest, { sql, added }, index) => {
    const written = `regexp_extract(${text}, ${quoteLiteral(sql)}, 1)`;
    const number = sql.includes('元') ? `replace(${written}, '元', '1')` : written;
    const year = `CAST(TRY_CAST(${number} AS INTEGER) ${added < 0 ? '-' : '+'} ${Math.abs(added)} AS VARCHAR)`;
    const replaced = `replace(${text}, regexp_extract(${text}, ${quoteLiteral(sql)}), ${year})`;
    return index === used.length - 1
      ? replaced
      : `CASE WHEN regexp_matches(${text}, ${quoteLiteral(sql)}) THEN ${replaced} ELSE ${rest} END`;
  }, text);
}

const SCHOOL_YEAR = /^(?:(?:FY|SY|AY) ?)?((?:19|20)\d\d)(?: ?[-–/] ?)?((?:19|20)?\d\d)$/i;

/** 2021-22, 2021/2022 and 202122: a year that begins in one and ends in the next one. */
function inSchoolYears(texts: readonly string[]): Rewritten | undefined {
  const found = texts.map((text) => SCHOOL_YEAR.exec(text));
  const isNext = (first: string, second: string) =>
    (Number(first) + 1) % 100 === Number(second) % 100 &&
    (second.length === 2 || Number(second) === Number(first) + 1);
  if (!found.every((one) => one !== null && isNext(one[1] ?? '', one[2] ?? ''))) return undefined;
  // Such as 200910, which is a month too.
  const areMonths = texts.every((text) => MONTHS.matches(text.replace(/[-/]/, '')));
  const areDigits = texts.some((text) => /^\d+$/.test(text));
  if (areMonths && (areDigits || texts.length < 2)) return undefined;
  const [text = ''] = texts;
  const [, year = ''] = found[0] ?? [];
  return {
    plain: found.map((one) => one?.[1] ?? ''),
    expression: (name) => `regexp_extract(trim(${name}), '(19|20)[0-9][0-9]')`,
    doubts: [
      `A year that ends in the next one, such as a school year, is read as the calendar year in which it begins: '${text}' is ${year}.`,
    ],
    only: 'YYYY',
  };
}

const SHORT_YEAR = /^(CY|FY|SY|AY)[ '-]?(\d\d)(?: ?[-–/] ?(\d\d))?$/i;

/** CY 22, FY22 and FY22/23: years of this century after letters that say which kind they are. */
function inShortYears(texts: readonly string[]): Rewritten | undefined {
  const found = texts.map((text) => SHORT_YEAR.exec(text));
  const [first] = found;
  const ends = found.map((one) => one?.[3]);
  const areNext = found.every((one) => (Number(one?.[2]) + 1) % 100 === Number(one?.[3]));
  const areSingle = ends.every((end) => end === undefined);
  if (!found.every((one) => one !== null) || !(areNext || areSingle)) return undefined;
  const plain = found.map((one) => `20${one[2]}`);
  const isOfCalendar = /^cy$/i.test(first?.[1] ?? '');
  const read = areNext
    ? 'A year that ends in the next one, such as a fiscal year, is read as the calendar year in which it begins'
    : isOfCalendar
      ? 'Years of two digits are read as those of this century'
      : 'A fiscal year is read as the calendar year with the same number';
  return {
    plain,
    expression: (name) => `'20' || regexp_extract(trim(${name}), '[0-9][0-9]')`,
    doubts: [`${read}: '${texts[0]}' is ${plain[0]}.`],
    only: 'YYYY',
  };
}

const MONTH_RANGE =
  /^(jan|apr|jul|oct)[a-z]*\.?(?: (\d{4}))?(?: ?[-–] ?| to )(mar|jun|sep|dec)[a-z]*\.? (\d{4})$/i;

/** Jan-Mar 2023 and Jan 2023-Dec 2023, which are quarters and years. */
function asMonthRanges(texts: readonly string[]): Rewritten | undefined {
  const lengths = texts.map((text) => {
    const [, first = '', year, last = '', end = ''] = MONTH_RANGE.exec(text) ?? [];
    const months = [first, last].map((name) => MONTH_STARTS.indexOf(name.toLowerCase()));
    return (year ?? end) === end ? (months[1] ?? 0) - (months[0] ?? 0) + 1 : 0;
  });
  const [length] = lengths;
  const as = length === 3 ? 'quarter' : length === 12 ? 'year' : undefined;
  const isWhole = texts.every((text) => MONTH_RANGE.test(text));
  if (!isWhole || as === undefined || lengths.some((one) => one !== length)) return undefined;
  return {
    plain: texts.map((text) => `${text.slice(0, 3)} ${text.slice(-4)}`),
    expression: (text) => `left(trim(${text}), 3) || ' ' || right(trim(${text}), 4)`,
    doubts: [],
    as,
  };
}

const MONTH_STARTS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Letters and stars of preliminary values, and the midnight of HTTP dates. */
const MARK = /(?<=\d)\s*(?:\*+|\([a-z]\)|(?<=\s)[prs]| 00:00:00 (?:GMT|UTC))$/i;
const MARK_SQL = '\\s*([*]+|[(][a-zA-Z][)]|\\s[prsPRS]|\\s00:00:00 (GMT|UTC))$';

function withMarks(texts: readonly string[]): Rewritten | undefined {
  if (!texts.some((text) => MARK.test(text))) return undefined;
  const plain = texts.map((text) => text.replace(MARK, ''));
  const withoutWeekdays = plain.map((text) => text.replace(WEEKDAY, ''));
  const areNamed = plain.every((text) => WEEKDAY.test(text));
  return {
    plain: areNamed ? withoutWeekdays : plain,
    expression: (text) => {
      const unmarked = `regexp_replace(trim(${text}), ${quoteLiteral(MARK_SQL)}, '')`;
      return areNamed ? `regexp_replace(${unmarked}, '^[A-Za-z]{3},\\s*', '')` : unmarked;
    },
    doubts: [],
    ...(plain.every(YEARS.matches) ? { only: 'YYYY' } : {}),
  };
}

const WEEKDAY = /^(sun|mon|tue|wed|thu|fri|sat),\s*/i;

/** TIT-202311: the same code before each month or year. */
function withPrefix(texts: readonly string[]): Rewritten | undefined {
  const [prefix = ''] = /^[A-Z][A-Z0-9]*[-_]/.exec(texts[0] ?? '') ?? [];
  if (prefix === '' || texts.length < 2) return undefined;
  if (!texts.every((text) => text.startsWith(prefix))) return undefined;
  const plain = texts.map((text) => text.slice(prefix.length));
  // ST-2001 is more likely the code of a station.
  if (plain.every(YEARS.matches) && !YEAR_PREFIX.test(prefix)) return undefined;
  return {
    plain,
    expression: (text) => `substr(trim(${text}), ${prefix.length + 1})`,
    doubts: [`Read without '${prefix}' at the start: '${texts[0]}' is ${plain[0]}.`],
    only: 'YYYYMM',
  };
}

const YEAR_PREFIX = /^(JAHR|YEAR|ANNEE|ANNO|ANO|A10)[-_]/;
