import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { monthPattern } from '../../manifest/month-names.ts';
import { unpivotedColumns } from '../../steps/unpivot-columns.ts';
import { DATE_FORMATS, type KnownDateFormat } from '../files/date-formats.ts';
import { isHalfYear } from './half-years.ts';
import { hourOf } from './hour-texts.ts';
import type { JoinedColumn } from './joined-column.ts';
import { distinctName, isCorner, snake, validName } from './valid-name.ts';
import { wordedDates } from './worded-dates.ts';
import { writtenPeriods } from './written-periods.ts';

/** Columns that become rows, as the manifest declares them. */
export type WideColumns = {
  readonly name: string;
  readonly values: readonly {
    readonly name: string;
    readonly columns: string | readonly string[];
  }[];
  /** The columns that are used up. */
  readonly used: readonly string[];
  /** Columns with the sum of those that are used up, which every new row would repeat. */
  readonly sums: readonly string[];
  /** Columns that have one value for all new rows of a period. */
  readonly repeated?: readonly string[];
  /** Whether they are months of a year that no column has. */
  readonly lacksYear?: boolean;
  /** The rows that are kept after the step, and why: a month has no column for some days of others. */
  readonly kept?: { readonly condition: string; readonly note: string };
  /** What the owner has to know, and to decide. */
  readonly notes?: readonly string[];
  readonly doubts?: readonly string[];
};

/** Finds a column for each date, month or year, of one measure or of several. */
export function findWideColumns(
  columns: readonly string[],
  /** How many columns of a measure are enough. */
  least = COLUMNS_MIN,
  joined?: JoinedColumn,
  /** Whether the name of the file says the year. */
  isOfYear = false,
): WideColumns | undefined {
  const found =
    findBesideCorner(columns, joined) ??
    findDates(columns) ??
    findHalfYears(columns) ??
    findRanges(columns) ??
    findMonthNumbers(columns) ??
    findDaysOfMonth(columns) ??
    findMonthNames(columns, isOfYear) ??
    findMonthsOfMeasures(columns) ??
    findHours(columns) ??
    findYears(columns, least);
  if (found === undefined) return undefined;
  const sums = columns.filter((column) => !found.used.includes(column) && SUM_NAME.test(column));
  return { ...found, sums };
}

/** Whether a name is that of a total. */
export function isSumName(column: string): boolean {
  return SUM_NAME.test(column);
}

/** A column for each place. */
export function wideOfPlaces(
  columns: readonly string[],
  {
    used,
    sums,
    prefix,
    suffix,
    valueNameOf,
  }: {
    readonly used: readonly string[];
    readonly sums: readonly string[];
    /** What all columns begin and end with. */
    readonly prefix: string;
    readonly suffix: string;
    readonly valueNameOf: (affix: { readonly prefix: string; readonly suffix: string }) => string;
  },
): WideColumns {
  const kept = keptNames(columns, used);
  const pattern = `${prefix}*${suffix}`;
  const isPattern = pattern !== '*' && isPatternOf(pattern, columns, used);
  const value = distinctName(valueNameOf({ prefix, suffix }), kept);
  const parts = used.map((column) => column.slice(prefix.length, column.length - suffix.length));
  const name = parts.every((part) => /^\d+$/.test(part)) ? 'place_id' : 'place';
  return {
    name: distinctName(name, new Set([...kept, value])),
    values: [{ name: value, columns: isPattern ? pattern : used }],
    used,
    sums,
  };
}

const SUM_NAME =
  /^\W*(grand |row |yearly |annual |year )?(totals?|sum|ytd|year to date|all months|full year|gesamt|insgesamt|summe|total g[eé]n[eé]ral)( year)?\W*$/i;

type FoundColumns = Omit<WideColumns, 'sums'>;

/** Columns whose whole names are dates, months or quarters: 2021-01, Jan 2021, 1/22/20. */
function findDates(columns: readonly string[]): FoundColumns | undefined {
  const found = DATE_FORMATS.flatMap(({ matches, hasTime, as }) =>
    hasTime ? [] : { as, used: columns.filter((column) => matches(column)) },
  );
  // Some months are written in full in every format.
  const worded = columns.filter((column) => wordedDates([column]).length > 0);
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const { as, used } = [...others, { as: undefined, used: worded }, ...rewritten(columns)].reduce(
    (left, right) => (right.used.length > left.used.length ? right : left),
    first,
  );
  // Two are no chance if their years have four digits: 05-09 and 10-14 can be ages.
  const areClear = used.length === 2 && used.every((column) => FULL_YEAR.test(column));
  if (used.length < COLUMNS_MIN && !areClear) return undefined;
  return oneMeasure(columns, used, as ?? 'date');
}

const FULL_YEAR = /(?<!\d)(19|20)\d\d/;

/** Columns of years or months in another calendar, of school years, or some with a mark: 2566, 2021-22, 2024M01*. */
function rewritten(
  columns: readonly string[],
): readonly { readonly as: KnownDateFormat['as']; readonly used: readonly string[] }[] {
  const found = columns.flatMap((column) => {
    const unmarked = DATE_FORMATS.filter(({ hasTime, matches }) => !hasTime && matches(column));
    const formats = [...unmarked, ...writtenPeriods([column]).map(({ format }) => format)];
    return formats.map((format) => ({ column, format }));
  });
  const kindOf = ({ format, as }: KnownDateFormat) => `${format} ${as}`;
  return [...Map.groupBy(found, ({ format }) => kindOf(format)).values()].flatMap((same) => {
    const as = same[0]?.format.as;
    const used = same.map(({ column }) => column);
    // Together they must be readable too.
    return writtenPeriods(used).length === 0 ? [] : { as, used };
  });
}

/** Apr 2021 to Mar 2022, Apr 2022 to Mar 2023, … */
function findRanges(columns: readonly string[]): FoundColumns | undefined {
  const halvesOf = (column: string) => column.split(/\s(?:to|until|bis|au|al|a|até|tot|[-–—])\s/);
  const used = columns.filter((column) => {
    const halves = halvesOf(column);
    return halves.length === 2 && halves.every((half) => MONTHS_OR_DAYS.some((is) => is(half)));
  });
  if (used.length < RANGES_MIN) return undefined;
  const found = oneMeasure(columns, used, 'period');
  return { ...found, values: found.values.map((value) => ({ ...value, columns: used })) };
}

const RANGES_MIN = 2;
const MONTHS_OR_DAYS = DATE_FORMATS.flatMap(({ hasTime, as, matches }) =>
  hasTime || (as !== undefined && as !== 'month') ? [] : [matches],
);

/** 2023-S1, 2023-S2, … */
function findHalfYears(columns: readonly string[]): FoundColumns | undefined {
  const used = columns.filter(isHalfYear);
  return used.length < HALF_YEARS_MIN ? undefined : oneMeasure(columns, used, 'half_year');
}

/** All columns after geo\TIME_PERIOD, whatever their periods are. */
function findBesideCorner(
  columns: readonly string[],
  joined: JoinedColumn | undefined,
): FoundColumns | undefined {
  const corner = columns.findIndex(isCorner);
  const used = joined?.isCorner
    ? columns.filter((column) => !joined.names.includes(column))
    : columns.slice(corner < 0 ? columns.length : corner + 1);
  if (used.length === 0 || !used.every((column) => /\d/.test(column))) return undefined;
  const kinds = [...DATE_FORMATS.filter(({ hasTime }) => !hasTime), HALF_YEARS, YEARS];
  const kind = kinds.find(({ matches }) => used.every(matches));
  return oneMeasure(columns, used, kind === undefined ? 'period' : (kind.as ?? 'date'));
}

const HALF_YEARS = { as: 'half_year', matches: isHalfYear };
const YEARS = { as: 'year', matches: (text: string) => /^\d{4}$/.test(text) };

/** 202101, 202102, … */
function findMonthNumbers(columns: readonly string[]): FoundColumns | undefined {
  const used = columns.filter((column) => /^(19|20)\d\d(0[1-9]|1[0-2])$/.test(column));
  return used.length < COLUMNS_MIN ? undefined : oneMeasure(columns, used, 'month');
}

/** January to December beside a column with the year, or in a file of one year. */
function findMonthNames(columns: readonly string[], isOfYear: boolean): FoundColumns | undefined {
  const hasYear = columns.some((column) => YEAR_NAME.test(snake(column)));
  if (!hasYear && !isOfYear) return undefined;
  const [short, long, numbers] = [SHORT_MONTH, LONG_MONTH, MONTH_NUMBER].map((name) =>
    columns.filter((column) => name.test(column.trim())),
  );
  const named = (long?.length ?? 0) > (short?.length ?? 0) ? long : short;
  const used = numbers?.length === 12 ? numbers : (named ?? []);
  if (used.length < COLUMNS_MIN) return undefined;
  const kept = keptNames(columns, used);
  const values = [{ name: distinctName('value', kept), columns: used }];
  const lacksYear = hasYear ? {} : { lacksYear: true };
  return { name: distinctName('month', kept), values, used, ...lacksYear };
}

/** D01 to D31, or 1 to 31, beside columns with the year and the month; also with a mark for each day, such as V01. */
function findDaysOfMonth(columns: readonly string[]): FoundColumns | undefined {
  const year = columns.find((column) => YEAR_NAME.test(snake(column)));
  const month = columns.find((column) => MONTH_NAME.test(snake(column)));
  if (year === undefined || month === undefined) return undefined;
  const found = columns.flatMap((column) => {
    const [, before, day, after] = /^(\D*)(0?[1-9]|[12]\d|3[01])(\D*)$/.exec(column.trim()) ?? [];
    return day === undefined ? [] : [{ column, before, after, day: Number(day) }];
  });
  const groups = [...Map.groupBy(found, ({ before, after }) => `${before}*${after}`)].flatMap(
    ([kind, days]) => {
      const isWhole = days.length >= DAYS_MIN && days.every(({ day }, index) => day === index + 1);
      const used = days.map(({ column }) => column);
      const patterns = [kind.replace('*', '##'), kind];
      const pattern = patterns.find((one) => isPatternOf(one, columns, used));
      return isWhole && (pattern !== undefined || kind === '*') ? [{ kind, used, pattern }] : [];
    },
  );
  const used = groups.flatMap((group) => group.used);
  if (groups.length === 0) return undefined;
  const kept = keptNames(columns, used);
  const name = distinctName('day', kept);
  const taken = new Set([...kept, name]);
  const values = groups.map(({ kind, used: days, pattern }, index) => {
    const rest = kind.replace('*', ' ').trim();
    const isPlain = index === 0 && /^(d|day|dia|tag|jour|giorno|dag)?[_ -]*$/i.test(rest);
    const value = distinctName(isPlain ? 'value' : validName(rest), taken);
    taken.add(value);
    return { name: value, columns: pattern ?? days };
  });
  const texts = [year, month, name].map((column) => `trim(${quoteIdentifier(column)})`);
  return {
    name,
    values,
    used,
    kept: {
      condition: `TRY_STRPTIME(concat_ws('-', ${texts.join(', ')}), '%Y-%m-%d') IS NOT NULL`,
      note: 'Leaves out the days that a month does not have, such as the 30th of February.',
    },
  };
}

const MONTH_NAME = /(^|_)(month|monat|mois|mes|mese|maand|miesiac)$/;
/** A file of one February has no more columns. */
const DAYS_MIN = 28;

const YEAR_NAME = /(^|_)(year|yr|jahr|annee|ano|anno|fy)$/;
const SHORT = monthPattern('MMM');
const LONG = monthPattern('MMMM');
const MONTH_NUMBER = /^(0?[1-9]|1[0-2])$/;
const SHORT_MONTH = new RegExp(`^(${SHORT})$`, 'i');
const LONG_MONTH = new RegExp(`^(${LONG})$`, 'i');

function oneMeasure(columns: readonly string[], used: readonly string[], as: string): FoundColumns {
  const kept = keptNames(columns, used);
  const values = [
    { name: distinctName('value', kept), columns: commonPattern(columns, used) ?? used },
  ];
  return { name: distinctName(as, kept), values, used };
}

/** A pattern of these columns and no others, from its first to its last character. */
function commonPattern(columns: readonly string[], used: readonly string[]): string | undefined {
  const candidates = [
    used[0]?.replaceAll(/\d/g, '#').replaceAll(/\p{L}+[.]?/gu, '*') ?? '',
    used[0]?.replaceAll(/\p{L}+[.]?|\d+/gu, '*') ?? '',
  ];
  return candidates.find(
    (pattern) => /^[#*].*[#*]$/.test(pattern) && isPatternOf(pattern, columns, used),
  );
}

function isPatternOf(
  pattern: string,
  columns: readonly string[],
  used: readonly string[],
): boolean {
  const matched = unpivotedColumns({ name: '', values: [{ name: '', columns: pattern }] }, columns);
  return matched.length === used.length && matched.every((column) => used.includes(column));
}

type Found = { readonly column: string; readonly pattern: string; readonly part: string };

/** visits_2021_01, visits_2021_02, nights_2021_01, … */
function findMonthsOfMeasures(columns: readonly string[]): FoundColumns | undefined {
  const found = columns.flatMap((column): Found | readonly [] => {
    for (const expression of MONTHS_IN_NAMES) {
      const [part] = expression.exec(column) ?? [];
      if (part === undefined) continue;
      const hidden = part.replaceAll(/\d/g, '#').replaceAll(/\p{L}+[.]?/gu, '*');
      return { column, pattern: column.replace(part, hidden), part };
    }
    return [];
  });
  return severalMeasures(columns, found, {
    name: 'month',
    placeholders: /[#*][#*_. /-]*[#*]/,
    least: PERIODS_MIN,
  });
}

const MONTHS_IN_NAMES = [
  /(?<!\d)(19|20)\d\d[-_/. ]?(0[1-9]|1[0-2])(?!\d)/,
  new RegExp(`(?<!\\p{L})(${SHORT}|${LONG})[-_ ]?((19|20)\\d\\d|\\d\\d)(?!\\d)`, 'iu'),
  new RegExp(`(?<!\\d)(19|20)\\d\\d[-_ ]?(${SHORT}|${LONG})(?!\\p{L})`, 'iu'),
];

/** H00 to H23, hour_1 to hour_24, 0:00 to 23:00, or 12 AM to 11 PM. */
function findHours(columns: readonly string[]): FoundColumns | undefined {
  const found = columns.flatMap((column) => {
    const { hour, minute } = hourOf(column) ?? {};
    const kind = column.trim().replaceAll(/\d+|[ap]\.?m\b/gi, '#');
    return hour === undefined || minute === undefined ? [] : { column, hour, minute, kind };
  });
  const groups = [...Map.groupBy(found, ({ kind }) => kind).values()];
  const same = groups.find((group) => {
    const hours = new Set(group.map(({ hour }) => hour));
    const times = new Set(group.map(({ hour, minute }) => `${hour}:${minute}`));
    return hours.size === 24 && times.size === group.length && group.length % 24 === 0;
  });
  if (same === undefined) return undefined;
  const isHourly = same.length === 24;
  const used = same.map(({ column }) => column);
  const kept = keptNames(columns, used);
  const patterns = [used[0]?.replaceAll(/\d/g, '#') ?? '', used[0]?.replace(/\d+/, '*') ?? ''];
  const pattern = patterns.find((one) => isPatternOf(one, columns, used));
  const values = [{ name: distinctName('value', kept), columns: pattern ?? used }];
  return { name: distinctName(isHourly ? 'hour' : 'time_of_day', kept), values, used };
}

function findYears(columns: readonly string[], least: number): FoundColumns | undefined {
  const found = columns.flatMap((column): Found | readonly [] => {
    const years = [...column.matchAll(/(?<!\d)(1[6-9]|20|21)\d\d(?!\d)/g)];
    const [only] = years;
    if (only === undefined || years.length > 1) return [];
    const pattern = `${column.slice(0, only.index)}####${column.slice(only.index + 4)}`;
    return { column, pattern, part: only[0] };
  });
  const years = new Set(found.map(({ part }) => Number(part)));
  // Two years are no chance either; those of censuses are far from each other.
  const areTwo = years.size === 2;
  const areNext = areTwo && Math.max(...years) - Math.min(...years) === 1;
  const isOnly = isOnlyYear(columns, found);
  const enough = isOnly ? 1 : areTwo ? PERIODS_MIN : least;
  const measures = severalMeasures(columns, found, {
    name: 'year',
    placeholders: /####/,
    least: enough,
  });
  const [year] = years;
  if (measures === undefined) return undefined;
  const doubt = isOnly
    ? `The year is that of the names of the columns, ${year}. If the values are not those of that year, remove this step.`
    : areTwo && !areNext
      ? `The columns ${measures.used.slice(0, 4).join(', ')} become rows by their years. If they are no values of the same kind, remove this step.`
      : undefined;
  return doubt === undefined ? measures : { ...measures, doubts: [doubt] };
}

/** Whether most columns have one year in their names, which nothing else says. */
function isOnlyYear(columns: readonly string[], found: readonly Found[]): boolean {
  const [first, ...others] = new Set(found.map(({ part }) => part));
  return (
    first !== undefined &&
    others.length === 0 &&
    found.every(({ column }) => /[a-z].*[_ -]\d{4}$/i.test(column)) &&
    found.length * 2 >= columns.length - 1 &&
    !columns.some((column) => DATED_NAME.test(snake(column)))
  );
}

const DATED_NAME =
  /(^|_)(year|yr|jahr|jaar|annee|ano|anio|anno|date|datum|fecha|day|month|monat|mois|mes|mese|maand|week|time|period|quarter|start|end|since|from|until)($|_)/;

/** The groups of columns that differ in the year or month only, as far as they have some in common. */
function severalMeasures(
  columns: readonly string[],
  found: readonly Found[],
  {
    name,
    placeholders,
    least,
  }: { readonly name: string; readonly placeholders: RegExp; readonly least: number },
): FoundColumns | undefined {
  const groups = [...Map.groupBy(found, ({ pattern }) => pattern)].filter(
    // The placeholders of a pattern must be those of the year or month.
    ([pattern, same]) =>
      same.length >= least &&
      !/[#*]/.test(pattern.replace(placeholders, '')) &&
      isPatternOf(
        pattern,
        columns,
        same.map(({ column }) => column),
      ),
  );
  const longest = groups.reduce(
    (left, right) => (right[1].length > left[1].length ? right : left),
    ['', [] as readonly Found[]] as readonly [string, readonly Found[]],
  );
  if (longest[1].length === 0) return undefined;
  const main = new Set(longest[1].map(({ part }) => part));
  const together = groups.filter(([, same]) => same.some(({ part }) => main.has(part)));
  const used = together.flatMap(([, same]) => same.map(({ column }) => column));
  const kept = keptNames(columns, used);
  const taken = new Set([...kept, name]);
  const values = together.map(([pattern]) => {
    const rest = pattern.replace(placeholders, ' ').trim();
    const value = distinctName(rest.length < 2 ? 'value' : validName(rest), taken);
    taken.add(value);
    return { name: value, columns: pattern };
  });
  return { name: distinctName(name, kept), values, used };
}

function keptNames(columns: readonly string[], used: readonly string[]): ReadonlySet<string> {
  return new Set(
    columns.filter((column) => !used.includes(column)).map((column) => column.toLowerCase()),
  );
}

const COLUMNS_MIN = 3;
/** Of one measure, whose names differ in the period only. */
const PERIODS_MIN = 2;
/** Half-years are no chance. */
const HALF_YEARS_MIN = 2;
