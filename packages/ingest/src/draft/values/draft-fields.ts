import type { Cadence } from '@locmetrics/core/domain/metric';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { LOCAL_ZONE, parseDateFormat } from '../../manifest/date-format.ts';
import { monthPattern } from '../../manifest/month-names.ts';
import { parsePointFormat } from '../../manifest/point-format.ts';
import {
  bothDegrees,
  type DegreesOfColumn,
  degreesOf,
  LATITUDE,
  LONGITUDE,
} from './degrees-texts.ts';
import { type Moment, momentSql } from './moments.ts';
import { nearlyDates } from './nearly-numbers.ts';
import type { FieldDocument } from './open-rows.ts';
import type { TypedColumn } from './propose-types.ts';
import { distinctName, snake, validName } from './valid-name.ts';
import { WEEK_DOUBT } from './week-doubt.ts';

/** A field of the first manifest. */
export type DraftField = {
  readonly name: string;
  readonly document: FieldDocument;
  /** The column of the file; absent for a field of several. */
  readonly column: string | undefined;
  readonly isCode: boolean;
  readonly hasTime: boolean;
  /** Whether its texts are arrays of JSON, which a publish reads only if it reads all columns as texts. */
  readonly isArray?: boolean;
  readonly part: 'latitude' | 'longitude' | undefined;
  /** From a row below the header. */
  readonly unit?: string | undefined;
  /** What it is about, from a row below a header of codes. */
  readonly label?: string | undefined;
  /** For the hour of a time: the column, and how the engine reads it. */
  readonly time?: {
    readonly column: string;
    readonly pattern: string;
    /** For times with an offset: the zone whose hour is meant. */
    readonly zone?: string | undefined;
    readonly unit: 'hour' | 'minute';
    /** For numbers that count time, how they do. */
    readonly moment?: Moment | undefined;
  };
  /** The other day of weeks that do not start on Monday, if its days are the first or the last ones of these. */
  readonly week?: { readonly name: string; readonly expression: string; readonly isEnd: boolean };
  /** Things that the owner has to decide. */
  readonly doubts: readonly string[];
  readonly notes: readonly string[];
};

export type Point = { readonly latitude: string; readonly longitude: string };

export type Period = {
  readonly start: string;
  readonly end: string;
  /** The length of a period; absent if start and end are columns. */
  readonly unit: 'day' | FieldDocument['as'] | undefined;
  /** The cadence of periods from two columns. */
  readonly cadence?: Cadence;
  /** Fields that got another name. */
  readonly renamed: ReadonlyMap<string, string>;
};

/** Makes fields of columns: with valid names, and with dates and points of several columns or of one. */
export function draftFields(
  typed: readonly TypedColumn[],
  isTabular: boolean,
  /** Better names of columns that are known by their position. */
  names: ReadonlyMap<string, string> = new Map(),
): readonly DraftField[] {
  const taken = new Set<string>();
  const claim = (name: string): string => {
    const free = distinctName(name, taken);
    taken.add(free);
    return free;
  };
  const columns = isTabular ? withDaysOfYear(typed) : typed;
  const joined = isTabular ? findYearAndPart(columns) : undefined;
  const source = findPointSource(columns, names);
  const isOnlyYear = columns.some(
    (column) => column.document.as === 'year' && column !== joined?.year,
  );
  return columns.flatMap((column): readonly DraftField[] => {
    if (joined?.parts.includes(column)) return [];
    if (column === joined?.year) {
      return [
        {
          ...plain(claim(joined.unit), column),
          document: joinedDate(joined),
          column: undefined,
          ...(joined.unit === 'week' ? { doubts: [...column.doubts, WEEK_DOUBT] } : {}),
        },
      ];
    }
    const coordinate = source.degrees.get(column);
    if (coordinate !== undefined) {
      const { part, format, doubts } = coordinate;
      const named = withColumn(plain(claim(validName(column.column)), column));
      const document: FieldDocument = { ...named.document, type: 'float', format };
      return [{ ...named, document, isCode: false, part, doubts }];
    }
    if (source.text?.column === column) return pointFields(column, source.text.point, claim);
    const isTime = isTabular && column.hasTime;
    const shown = names.get(column.column) ?? column.column;
    const name = claim(
      column.fieldName ?? (isTime && HOUR_NAME.test(shown) ? 'day' : validName(shown)),
    );
    const part = source.parts.get(column);
    // Coordinates in whole degrees are floats too, as a point needs them.
    const type = part === undefined ? column.document.type : 'float';
    const document: FieldDocument = { ...column.document, type };
    const isPlanar = part !== undefined && partOf(column, names) === undefined;
    const others = part === undefined ? 0 : othersOf(column, part, source);
    const doubts = [
      ...(isPlanar ? [`Read as a ${part}, because all values could be.`] : []),
      ...(isOnlyYear && isPartOfYear(column) ? [PART_OF_YEAR_DOUBT] : []),
    ];
    const repeated =
      others === 0
        ? []
        : [`${others + 1} columns seem to have the ${part}. The point uses this one.`];
    const named = plain(name, {
      ...column,
      document,
      doubts: [...column.doubts, ...doubts, ...repeated],
    });
    const hasPoint = source.texts.includes(column);
    const notes = hasPoint ? ['It has points too, but those of other columns are used.'] : [];
    const field = withColumn({ ...named, part, notes });
    return isTime ? [field, ...hourOf(column, claim)] : [field];
  });
}

const HOUR_NAME = /^hour$/i;

/** Beside a year, a few numbers or codes called period are quarters or months. */
function isPartOfYear({ column, document, texts }: TypedColumn): boolean {
  return (
    document.type !== 'date' &&
    /^(period|periodo|periode)$/.test(snake(column)) &&
    texts.length <= 53 &&
    texts.every((text) => text.trim().length <= 4)
  );
}

const PART_OF_YEAR_DOUBT =
  'It seems to be a part of the year, such as a quarter or a month, but the period is the whole year. An expression can make dates of both.';

/** The columns that the point comes from. Others that have it too stay as they are. */
type PointSource = {
  /** Columns with numbers. */
  readonly parts: ReadonlyMap<TypedColumn, 'latitude' | 'longitude'>;
  /** The two columns with degrees and minutes. */
  readonly degrees: ReadonlyMap<TypedColumn, DegreesOfColumn>;
  /** A column with both coordinates in one text. */
  readonly text: { readonly column: TypedColumn; readonly point: FoundPoint } | undefined;
  /** All columns of that kind. */
  readonly texts: readonly TypedColumn[];
};

/** Finds them: numbers are the first choice, but columns with more values are better. */
function findPointSource(
  columns: readonly TypedColumn[],
  names: ReadonlyMap<string, string>,
): PointSource {
  const parts = new Map(
    columns.flatMap((column) => {
      const part = partOf(column, names);
      return part === undefined ? [] : [[column, part] as const];
    }),
  );
  const texts = columns.flatMap((column) => {
    const point = pointFormat(column);
    return point === undefined ? [] : [{ column, point }];
  });
  const none: PointSource = {
    parts: new Map(),
    degrees: new Map(),
    text: undefined,
    texts: texts.map(({ column }) => column),
  };
  const degrees = findDegrees(columns);
  const least = (found: Iterable<TypedColumn>) =>
    Math.min(...[...found].map(({ filledCount }) => filledCount));
  const candidates = [
    ...(new Set(parts.values()).size === 2
      ? [{ filledCount: least(parts.keys()), source: { ...none, parts } }]
      : []),
    ...(degrees.size === 2
      ? [{ filledCount: least(degrees.keys()), source: { ...none, degrees } }]
      : []),
    ...texts.map((text) => ({
      filledCount: text.column.filledCount,
      source: { ...none, text },
    })),
  ];
  const [first, ...others] = candidates;
  if (first === undefined) {
    return { ...none, parts: parts.size > 0 ? parts : findPlanar(columns) };
  }
  return others.reduce((best, next) => (next.filledCount > best.filledCount ? next : best), first)
    .source;
}

function plain(
  name: string,
  { column, document, isCode, hasTime, doubts }: TypedColumn,
): DraftField {
  const isText = document.type === 'string';
  return {
    name,
    document,
    column,
    isCode:
      isCode ||
      (isText && /(^|_)(id|code|fips|iata|icao|geoid|key|uuid)$|^(id|code)_/.test(snake(column))),
    hasTime,
    part: undefined,
    doubts,
    notes: [],
  };
}

function withColumn(field: DraftField): DraftField {
  const { column } = field;
  const position = /^column (\d+)$/.exec(column ?? '')?.[1];
  const isComputed = field.document.expression !== undefined;
  if (column === undefined || column === field.name || isComputed) return field;
  const place = position === undefined ? column : Number(position);
  return { ...field, document: { ...field.document, column: place } };
}

/** The other columns with the same coordinate, if this is the one that the point uses. A geometry is used without a doubt. */
function othersOf(
  column: TypedColumn,
  part: NonNullable<DraftField['part']>,
  { parts }: PointSource,
): number {
  const same = [...parts].flatMap(([one, found]) => (found === part ? [one] : []));
  const hasGeometry = same.some((one) => one.column.startsWith('$'));
  return hasGeometry || same[0] !== column ? 0 : same.length - 1;
}

function partOf(
  { column, document }: TypedColumn,
  names: ReadonlyMap<string, string>,
): DraftField['part'] {
  if (document.type !== 'float' && document.type !== 'integer') return undefined;
  // Of a member of an object, its own name counts: location.lat.
  const name = validName(names.get(column) ?? column.slice(column.lastIndexOf('.') + 1));
  if (column === '$latitude' || LATITUDE.test(name)) return 'latitude';
  return column === '$longitude' || LONGITUDE.test(name) ? 'longitude' : undefined;
}

/** Two columns that differ only in x and y, or in lat and lon, and whose values are degrees, as it seems. */
function findPlanar(
  columns: readonly TypedColumn[],
): ReadonlyMap<TypedColumn, 'latitude' | 'longitude'> {
  const find = (names: RegExp, limit: number) =>
    columns.flatMap((column) => {
      const [, before, after = ''] = names.exec(snake(column.column)) ?? [];
      const isDegrees =
        column.document.type === 'float' &&
        column.texts.some((text) => /[.,]\d{3}/.test(text)) &&
        column.texts.every((text) => Math.abs(Number(text.trim().replace(',', '.'))) <= limit);
      return before !== undefined && isDegrees ? [{ column, rest: `${before} ${after}` }] : [];
    });
  const longitudes = find(PLANAR_LONGITUDE, 180);
  const [pair, ...more] = find(PLANAR_LATITUDE, 90).flatMap((latitude) => {
    const longitude = longitudes.find(({ rest }) => rest === latitude.rest);
    return longitude === undefined ? [] : [{ latitude, longitude }];
  });
  if (pair === undefined || more.length > 0) return new Map();
  return new Map([
    [pair.latitude.column, 'latitude'],
    [pair.longitude.column, 'longitude'],
  ]);
}

/** What is before and after the coordinate: `center_` of center_lat, `c` of cx, `_coord` of x_coord. */
const PLANAR_LATITUDE =
  /^(.+_(?=lat)|(?:c|point|coord|centroid|center|centre)?_?)(?:lat|y)(_?coord(?:inate)?)?$/;
const PLANAR_LONGITUDE =
  /^(.+_(?=lon|lng)|(?:c|point|coord|centroid|center|centre)?_?)(?:lon|lng|long|x)(_?coord(?:inate)?)?$/;

/** The date of several columns: an expression, if one makes the year. */
function joinedDate({ year, parts, format, unit }: YearAndPart): FieldDocument {
  const { expression } = year.document;
  const texts = parts.map(
    ({ place, column }) => `trim(${quoteIdentifier(typeof place === 'number' ? column : place)})`,
  );
  const source =
    expression === undefined
      ? { column: [year.place, ...parts.map(({ place }) => place)] }
      : { expression: [`(${expression})`, ...texts].join(` || ' ' || `) };
  return { type: 'date', ...source, format, ...(unit === 'date' ? {} : { as: unit }) };
}

type YearAndPart = {
  readonly year: TypedColumn;
  readonly parts: readonly TypedColumn[];
  readonly unit: 'date' | 'month' | 'quarter' | 'week';
  readonly format: string;
};

/** A year in one column and a month or quarter in another are a date; so are year, month and day. */
function findYearAndPart(columns: readonly TypedColumn[]): YearAndPart | undefined {
  const year = columns.find(
    ({ document }) => document.as === 'year' && /^(\[FY\] ?)?(YY)?YY$/.test(document.format ?? ''),
  );
  if (year === undefined) return undefined;
  const dayOfYear = findDayAndMonth(columns, year);
  if (dayOfYear !== undefined) return dayOfYear;
  for (const { name, unit, format: ofFour, values } of YEAR_PARTS) {
    const format = ofFour.replace('YYYY', year.document.format ?? '');
    const part = findPart(columns, name, values);
    if (part === undefined || part.filledCount !== year.filledCount) continue;
    const day =
      unit === 'month' ? findPart(columns, DAY_NAME, /^(0?[1-9]|[12]\d|3[01])$/) : undefined;
    return day === undefined || day.filledCount !== year.filledCount
      ? { year, parts: [part], unit, format }
      : { year, parts: [part, day], unit: 'date', format: `${format} D` };
  }
  return undefined;
}

/** In a column of days beside a column with the year, 12/30 is the 30th of December, not December 1930. */
function withDaysOfYear(columns: readonly TypedColumn[]): readonly TypedColumn[] {
  const hasYear = columns.some(({ document }) => document.as === 'year');
  if (!hasYear) return columns;
  return columns.map((one) => {
    const { column, place, document, texts } = one;
    const isShort = document.as === 'month' && /(?<!Y)YY$/.test(document.format ?? '');
    if (!isShort || !DAY_AND_MONTH_NAME.test(snake(column))) return one;
    const doubt = nearlyDates(column, texts);
    const doubts = doubt === undefined ? [] : [doubt];
    return { ...one, document: { type: 'string', column: place }, doubts };
  });
}

/** 20/12 or Dec 20 in a column of days beside that of the year. */
function findDayAndMonth(
  columns: readonly TypedColumn[],
  year: TypedColumn,
): YearAndPart | undefined {
  for (const { format, values } of DAYS_AND_MONTHS) {
    const parts = columns.filter(
      ({ column, document, texts, filledCount }) =>
        document.type === 'string' &&
        DAY_AND_MONTH_NAME.test(snake(column)) &&
        filledCount === year.filledCount &&
        texts.length > 0 &&
        texts.every((text) => values.test(text.trim())),
    );
    const [part] = parts;
    if (part === undefined || parts.length > 1) continue;
    // 02/03 can be both.
    const others = DAYS_AND_MONTHS.filter((one) => one.format !== format && one.other === format);
    if (others.some((one) => part.texts.every((text) => one.values.test(text.trim())))) continue;
    const { format: ofYear = 'YYYY' } = year.document;
    return { year, parts: [part], unit: 'date', format: `${ofYear} ${format}` };
  }
  return undefined;
}

const DAY_AND_MONTH_NAME =
  /(^|_)(date|day|datum|tag|fecha|dia|data|giorno|jour|day_month|month_day)($|_)/;
const DAY_OF_MONTH = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH_OF_YEAR = '(?:0?[1-9]|1[0-2])';
const DAYS_AND_MONTHS: readonly {
  readonly format: string;
  readonly values: RegExp;
  /** The format with the parts in the other order. */
  readonly other?: string;
}[] = [
  ...['/', '-', '.'].flatMap((between) => [
    {
      format: `D${between}M`,
      other: `M${between}D`,
      values: new RegExp(`^${DAY_OF_MONTH}[${between}]${MONTH_OF_YEAR}$`),
    },
    {
      format: `M${between}D`,
      other: `D${between}M`,
      values: new RegExp(`^${MONTH_OF_YEAR}[${between}]${DAY_OF_MONTH}$`),
    },
  ]),
  { format: 'D.M.', values: new RegExp(`^${DAY_OF_MONTH}[.]${MONTH_OF_YEAR}[.]$`) },
  ...(['MMM', 'MMMM'] as const).flatMap((month) => [
    { format: `${month} D`, values: new RegExp(`^${monthPattern(month)} ${DAY_OF_MONTH}$`, 'i') },
    { format: `D ${month}`, values: new RegExp(`^${DAY_OF_MONTH} ${monthPattern(month)}$`, 'i') },
    { format: `D-${month}`, values: new RegExp(`^${DAY_OF_MONTH}-${monthPattern(month)}$`, 'i') },
    {
      format: `D. ${month}`,
      values: new RegExp(`^${DAY_OF_MONTH}[.] ${monthPattern(month)}$`, 'i'),
    },
  ]),
];

function findPart(
  columns: readonly TypedColumn[],
  name: RegExp,
  values: RegExp,
): TypedColumn | undefined {
  return columns.find(
    ({ column, texts }) =>
      // The header can be in two languages: 日/Day.
      (name.test(snake(column)) ||
        name.test(snake(column.replace(/^.*\//, ''))) ||
        (name === MONTH_NAME && OTHER_MONTH_NAME.test(column.trim())) ||
        // Names of months need no name of their column.
        (name === MONTHS_NAME && UNNAMED.test(column) && texts.length >= MONTHS_MIN)) &&
      texts.length > 0 &&
      texts.every((text) => values.test(text.trim())),
  );
}

const UNNAMED = /^column \d+$/;
const MONTHS_MIN = 3;

const DAY_NAME =
  /^(day|dd|da|dy|tag|jour|dia|giorno|dag|day_?of_?(the_)?month|(count_?)?day_?(record|data))$/;

const OTHER_MONTH_NAME = /^(เดือน|月|月份|월|месяц|місяць|μήνας|الشهر|חודש)$/iu;

const MONTH_NAME = /(^|_)(month|mon|mo|mth|monat|mois|mes|mese|maand|maned|manad)(_|$)|^mm$/;
/** Of names of months, the plural cannot be a number of months. */
const MONTHS_NAME =
  /(^|_)(months?|mon|mo|mth|monate?|mois|mes|meses|mese|mesi|maand|maned|manad)(_|$)/;
const WEEK_NAME =
  /^((iso_?|calendar_?)?week(_?(no|nr|num|number))?|kw|kalenderwoche|woche|wochennummer|weeknummer|semaine|semana|settimana|uge|vecka)$/;
const QUARTER_NAME = /(^|_)(quarter|qtr|quartal)(_|$)/;
const YEAR_PARTS = [
  { name: MONTH_NAME, unit: 'month', format: 'YYYY M', values: /^(0?[1-9]|1[0-2])$/ },
  {
    name: MONTHS_NAME,
    unit: 'month',
    format: 'YYYY MMM',
    values: new RegExp(`^(${monthPattern('MMM')})$`, 'i'),
  },
  {
    name: MONTHS_NAME,
    unit: 'month',
    format: 'YYYY MMMM',
    values: new RegExp(`^(${monthPattern('MMMM')})$`, 'i'),
  },
  { name: WEEK_NAME, unit: 'week', format: 'YYYY W', values: /^(0?[1-9]|[1-4]\d|5[0-3])$/ },
  { name: /^period$/, unit: 'month', format: 'YYYY [M]MM', values: /^M(0[1-9]|1[0-2])$/ },
  { name: /^period$/, unit: 'quarter', format: 'YYYY [Q]Q', values: /^Q[1-4]$/ },
  { name: /^period$/, unit: 'quarter', format: 'YYYY [Q0]Q', values: /^Q0[1-4]$/ },
  { name: QUARTER_NAME, unit: 'quarter', format: 'YYYY Q', values: /^[1-4]$/ },
  { name: QUARTER_NAME, unit: 'quarter', format: 'YYYY [Q]Q', values: /^Q[1-4]$/ },
] as const;

const NUMBER = '[+-]?\\d+(?:\\.\\d+)?';
const POINTS = [
  { format: '(lat, lng)', pattern: new RegExp(`^\\((${NUMBER}),\\s*(${NUMBER})\\)$`) },
  {
    format: 'POINT (lng lat)',
    pattern: new RegExp(`^POINT\\s*\\((${NUMBER})\\s+(${NUMBER})\\)$`, 'i'),
  },
  { format: 'lat, lng', pattern: new RegExp(`^(${NUMBER}),\\s*(${NUMBER})$`) },
];

/** The two columns with a latitude and a longitude in degrees and minutes. */
function findDegrees(columns: readonly TypedColumn[]): ReadonlyMap<TypedColumn, DegreesOfColumn> {
  const found = columns.flatMap((column) => {
    const degrees =
      column.document.type === 'string' ? degreesOf(column.column, column.texts) : undefined;
    return degrees === undefined ? [] : [{ column, degrees }];
  });
  const latitudes = found.filter(({ degrees }) => degrees.part === 'latitude');
  const longitudes = found.filter(({ degrees }) => degrees.part === 'longitude');
  const [latitude, ...moreLatitudes] = latitudes;
  const [longitude, ...moreLongitudes] = longitudes;
  const isPair = moreLatitudes.length === 0 && moreLongitudes.length === 0;
  if (latitude === undefined || longitude === undefined || !isPair) return new Map();
  return new Map([latitude, longitude].map(({ column, degrees }) => [column, degrees]));
}

/** A place that has no point, in well-known text. */
const EMPTY_POINT = /^\s*POINT( +(Z|M|ZM))? +EMPTY\s*$/i;

type FoundPoint = { readonly format: string; readonly doubts: readonly string[] };

/** How a column writes both coordinates in one text. */
function pointFormat({ document, texts: all }: TypedColumn): FoundPoint | undefined {
  const texts = all.filter((text) => !EMPTY_POINT.test(text));
  if (document.type !== 'string' || texts.length === 0) return undefined;
  const degrees = bothDegrees(texts);
  if (degrees !== undefined) return { format: degrees, doubts: [] };
  for (const { format, pattern } of POINTS) {
    const found = texts.map((text) => pattern.exec(text.trim()));
    if (found.some((one) => one === null)) continue;
    const pairs = found.map((one) => [Number(one?.[1]), Number(one?.[2])] as const);
    const firstMax = Math.max(...pairs.map(([first]) => Math.abs(first)));
    const secondMax = Math.max(...pairs.map(([, second]) => Math.abs(second)));
    if (format.startsWith('POINT')) {
      return firstMax <= 180 && secondMax <= 90 ? { format, doubts: [] } : undefined;
    }
    if (firstMax <= 90 && secondMax <= 180) {
      const doubts =
        secondMax <= 90 ? ['Check that the latitude is the first of the two numbers.'] : [];
      return { format, doubts };
    }
    if (firstMax <= 180 && secondMax <= 90) {
      return { format: format === '(lat, lng)' ? '(lng, lat)' : 'lng, lat', doubts: [] };
    }
  }
  return undefined;
}

function pointFields(
  column: TypedColumn,
  { format, doubts }: FoundPoint,
  claim: (name: string) => string,
): readonly DraftField[] {
  if (parsePointFormat(format.replace(/^DMS /, '')) === undefined) return [];
  const field = (part: 'latitude' | 'longitude'): DraftField => ({
    ...plain(claim(part), column),
    document: { type: 'float', column: column.place, format },
    isCode: false,
    part,
    doubts: part === 'latitude' ? doubts : [],
  });
  return [field('latitude'), field('longitude')];
}

/** The hour of a time, which a date leaves out. */
function hourOf(
  { column, place, document, texts, moment }: TypedColumn,
  claim: (name: string) => string,
): readonly DraftField[] {
  const { format, zone } = document;
  const name = typeof place === 'number' ? `column ${place}` : column;
  if (moment !== undefined)
    return [hourField({ column, name, pattern: '', unit: 'hour', moment }, claim)];
  const isRead = zone === undefined || zone === LOCAL_ZONE || ISO_TIME.test(format ?? '');
  if (format === undefined || !isRead) return [];
  if (texts.every((text) => /[ T](00:00(:00(\.0+)?)?|12:00(:00)? am)$/i.test(text.trim())))
    return [];
  const pattern = strptimePattern(format);
  const unit = haveMinutes(texts) ? 'minute' : 'hour';
  return [hourField({ column, name, pattern, zone, unit }, claim)];
}

function hourField(
  { name, ...time }: NonNullable<DraftField['time']> & { readonly name: string },
  claim: (name: string) => string,
): DraftField {
  const isHour = time.unit === 'hour';
  return {
    name: claim(isHour ? 'hour' : 'time_of_day'),
    document: {
      type: isHour ? 'integer' : 'string',
      expression: timeSql(quoteIdentifier(name), time),
    },
    column: undefined,
    isCode: false,
    hasTime: false,
    part: undefined,
    time,
    doubts: [],
    notes: [
      isHour
        ? 'A date has no time of day, so the hour is a separate field.'
        : 'A date has no time of day, so it is a separate field.',
    ],
  };
}

/** Whether times are at a few minutes of each hour, such as each quarter. */
function haveMinutes(texts: readonly string[]): boolean {
  const minutes = new Set(texts.map((text) => /[ T]\d{1,2}:(\d\d)/.exec(text)?.[1]));
  return minutes.size > 1 && minutes.size <= MINUTES_MAX && texts.length > MINUTES_MAX;
}

const MINUTES_MAX = 12;

type TimeOfText = Omit<NonNullable<DraftField['time']>, 'column'>;

/** SQL of the hour, or of the hour and minute, of a text with a time. */
export function timeSql(
  text: string,
  {
    isPadded = false,
    ...time
  }: TimeOfText & {
    /** Whether the hour is a text of two digits. */
    readonly isPadded?: boolean;
  },
): string {
  const moment = timestampSql(text, time);
  if (time.unit === 'minute') return `strftime(${moment}, '%H:%M')`;
  return isPadded ? `strftime(${moment}, '%H')` : `hour(${moment})`;
}

/** SQL of the day of a text with a time. */
export function daySql(text: string, time: TimeOfText): string {
  return `CAST(${timestampSql(text, time)} AS DATE)`;
}

function timestampSql(text: string, { pattern, zone, moment }: Omit<TimeOfText, 'unit'>): string {
  if (moment !== undefined) return momentSql(text, moment);
  const written =
    zone === LOCAL_ZONE
      ? `regexp_replace(trim(${text}), '(Z|[+-][0-9]{2}:?[0-9]{2})$', '')`
      : `trim(${text})`;
  return zone === undefined || zone === LOCAL_ZONE
    ? `TRY_STRPTIME(${written}, ${quoteLiteral(pattern.replace('%z', ''))})`
    : `timezone(${quoteLiteral(zone)}, TRY_CAST(trim(${text}) AS TIMESTAMPTZ))`;
}

/** Times with an offset that the engine reads as they are. */
const ISO_TIME = /^YYYY-MM-DD[T ]HH:mm:ss(\.SSS)?Z$/;

/** A format of dates as the engine writes it. */
export function strptimePattern(format: string): string {
  const parsed = parseDateFormat(format);
  if ('problem' in parsed) throw new Error(`${format}: ${parsed.problem}`);
  return parsed.parts
    .map((part) => (part.token === undefined ? part.text : STRPTIME[part.token]))
    .join('');
}

const STRPTIME: Readonly<Record<string, string>> = {
  YYYY: '%Y',
  YY: '%y',
  Z: '%z',
  MMMM: '%B',
  MMM: '%b',
  MM: '%m',
  M: '%m',
  DD: '%d',
  D: '%d',
  HH: '%H',
  H: '%H',
  hh: '%I',
  h: '%I',
  mm: '%M',
  ss: '%S',
  SSS: '%g',
  A: '%p',
};
