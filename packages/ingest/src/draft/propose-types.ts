import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { OpenedRows } from '../formats/row-format.ts';
import { preparedRows } from '../rows/stage-rows.ts';
import { CODE_NAME } from './code-names.ts';
import { DATE_FORMATS, type KnownDateFormat } from './date-formats.ts';
import { bothDegrees, degreesOf, LATITUDE, LONGITUDE } from './degrees-texts.ts';
import { formattedNumbers, type NumberContext, pointNumbers } from './formatted-numbers.ts';
import { isCountedName } from './measure-kind.ts';
import { nearlyNumbers } from './nearly-numbers.ts';
import type { FieldDocument, ReadRows } from './open-rows.ts';
import { snake, validName } from './valid-name.ts';

/** A column with what its values can be. */
export type TypedColumn = {
  readonly column: string;
  /** Its name or position in the manifest. */
  readonly place: string | number;
  readonly document: FieldDocument;
  readonly doubts: readonly string[];
  readonly isCode: boolean;
  /** Whether the times of its dates are left out. */
  readonly hasTime: boolean;
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

/** Whether a column of a file with types has times of day, by its first values. */
export async function hasHours(
  connection: ImportConnection,
  rows: Pick<OpenedRows, 'selectTexts'>,
  index: number,
): Promise<boolean> {
  const { query, parameters, texts } = rows.selectTexts([index]);
  const listed = await connection.list(
    `SELECT DISTINCT text FROM (SELECT ${texts[0]} AS text FROM (${query})
      WHERE text IS NOT NULL LIMIT ${TEXTS_MAX})`,
    parameters,
  );
  const values = listed.map(({ text }) => String(text));
  const times = DATE_FORMATS.filter(({ hasTime }) => hasTime);
  return (
    values.some((text) => !MIDNIGHT.test(text)) &&
    times.some(({ matches }) => values.every((text) => matches(text)))
  );
}

const MIDNIGHT = /[ T](00:00(:00(\.0+)?)?|12:00(:00)? am)(Z|[+-]\d\d(:?\d\d)?)?$/i;

type Proposal = {
  readonly document: FieldDocument;
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
    isNumber = false,
  }: Partial<Pick<NumberContext, 'decimalMark'>> & {
    /** Whether the file itself has numbers. */
    readonly isNumber?: boolean;
  } = {},
): readonly Proposal[] {
  if (texts.length === 0) return [STRING];
  const all = (pattern: RegExp) => texts.every((text) => pattern.test(text.trim()));
  // Degrees and minutes are read as such if another column has the other coordinate.
  if (degreesOf(column, texts) !== undefined || bothDegrees(texts) !== undefined) return [STRING];
  const name = validName(column);
  const context = { name, decimalMark };
  // Of 47,300 the comma divides degrees, and no thousands.
  const isDegrees = isDegreesName(column);
  const found: Proposal[] = [];
  if (all(/^[+-]?\d{1,19}$/)) found.push(...wholeNumbers(column, texts));
  if (all(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/)) {
    found.push(...(isDegrees || isNumber ? [FLOAT] : pointNumbers(texts, context)));
  }
  found.push(...booleans(texts), ...dates(texts));
  if (all(/\d/)) {
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

function wholeNumbers(column: string, texts: readonly string[]): readonly Proposal[] {
  const name = snake(column);
  const digits = texts.map((text) => text.trim());
  const lengths = digits.map(({ length }) => length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  if (digits.some((text) => /^0\d/.test(text))) return [{ ...STRING, isCode: true }];
  const isYear = digits.every((text) => /^(1[5-9]|20|21)\d\d$/.test(text));
  if (isYear && /(^|_)(year|yr|jahr|jaar|annee|ano|anio|anno|an|fy)($|_)|year$/.test(name)) {
    return [{ document: { type: 'date', format: 'YYYY', as: 'year' } }];
  }
  const isTimeName =
    /(^|_)(date|day|month|period|yyyymm|yyyymmdd|ym|time|week|datum|monat)($|_)/.test(name);
  const isMonth = digits.every((text) => /^(19|20)\d\d(0[1-9]|1[0-2])$/.test(text));
  if (isMonth && (isTimeName || digits.length > 11)) {
    return [{ document: { type: 'date', format: 'YYYYMM', as: 'month' } }];
  }
  const isDay = digits.every((text) => /^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/.test(text));
  if (isDay && (isTimeName || digits.length > 11)) {
    return [{ document: { type: 'date', format: 'YYYYMMDD' } }];
  }
  const isCode =
    CODE_NAME.test(name) ||
    (NUMBER_NAME.test(name) && !isCountedName(name) && !digits.includes('0'));
  if (!isCode || digits.some((text) => /^[+-]/.test(text))) {
    return [{ document: { type: 'integer' } }];
  }
  const pad = lostDigits(name, shortest, longest);
  if (pad === undefined) return [{ ...STRING, isCode: true }];
  return [
    {
      document: { type: 'string', pad },
      isCode: true,
      doubts: [
        `Codes of ${shortest} to ${longest} digits, so leading zeros seem to be missing: they are padded to ${pad}.`,
      ],
    },
    { ...STRING, isCode: true },
  ];
}

const NUMBER_NAME = /(^|_)(no|nr)$/;

/** The usual length of a code that has lost its leading zeros. */
function lostDigits(name: string, shortest: number, longest: number): number | undefined {
  if (shortest === longest) return undefined;
  const usual = /zip|postal/.test(name)
    ? 5
    : /tract/.test(name)
      ? 6
      : /fips|fp$|geoid|stcou/.test(name)
        ? /county|cnty/.test(name) && longest <= 3
          ? 3
          : longest <= 2
            ? 2
            : 5
        : undefined;
  return usual === undefined || longest !== usual || shortest < usual - 2 ? undefined : usual;
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

function dates(texts: readonly string[]): readonly Proposal[] {
  const found = DATE_FORMATS.filter(({ matches }) => texts.every(matches));
  return found.map((one) => toDate(one, found));
}

function toDate(
  { format, as, hasTime }: KnownDateFormat,
  all: readonly KnownDateFormat[],
): Proposal {
  const isMonthFirst = format !== undefined && /^M{1,2}[/-]D/.test(format);
  const isAmbiguous =
    isMonthFirst && all.some((one) => one.format !== undefined && /^D{1,2}[/-]M/.test(one.format));
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
      ...(/^M+[ -]YY$/.test(format ?? '')
        ? ['Read as a month and the last two digits of its year, not as a month and its day.']
        : []),
      ...(/^\[FY\]/.test(format ?? '')
        ? ['A fiscal year is read as the calendar year with the same number.']
        : []),
      ...(hasOffset ? ['The time zone that decides the day, such as America/Los_Angeles.'] : []),
    ],
  };
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
          isNumber: rows.isNumber(column),
        });
  const checked = await countRefused(
    connection,
    rows,
    candidates.map(({ document }) => ({ ...document, column: place })),
  );
  const index = checked.findIndex((one) => one !== undefined && one.refused === 0);
  const chosen = candidates[index];
  const counts = checked[index];
  if (chosen === undefined || counts === undefined) return undefined;
  const nearly =
    chosen.document.type === 'string' && chosen.isCode !== true
      ? nearlyNumbers(column, frequent?.texts ?? [])
      : undefined;
  return {
    column,
    place,
    document: chosen.document,
    doubts: [...(chosen.doubts ?? []), ...(nearly === undefined ? [] : [nearly])],
    isCode: chosen.isCode === true,
    hasTime: chosen.hasTime === true,
    texts: frequent?.texts ?? [],
    filledCount: counts.filled,
  };
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
