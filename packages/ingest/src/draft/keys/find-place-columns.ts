import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { DISTINCT_NAME, MEAN_NAME } from '@locmetrics/core/domain/additivity';
import type { DraftField, Period } from '../values/draft-fields.ts';
import { isSumName } from '../values/find-wide-columns.ts';
import { COUNT_NAME } from '../values/measure-kind.ts';
import { TYPED_ROWS } from '../values/typed-rows.ts';
import { snake } from '../values/valid-name.ts';
import { type Directions, findDirections } from './find-directions.ts';
import type { FoundKey } from './find-key.ts';
import type { KeyField } from './key-field.ts';

/** Columns with numbers of a file whose rows are periods alone: each can be a place. */
export type PlaceColumns = {
  readonly columns: readonly string[];
  /** The columns that are the sum of the others. */
  readonly sums: readonly string[];
  /** The rows in which a column that is called a total is no sum of the others. */
  readonly otherSumCount: number;
  /** Both directions of each place in columns. */
  readonly directions: Directions | undefined;
  /** Columns of the period, such as the weather, that are no places. */
  readonly others: readonly string[];
  /** Whether their names and values are those of places, also if no other file has them. */
  readonly seemPlaces: boolean;
};

export async function findPlaceColumns(
  connection: ImportConnection,
  {
    fields,
    keyFields,
    key,
    period,
    rowCount,
    leastOf,
  }: {
    /** In the order of the table of values. */
    readonly fields: readonly DraftField[];
    readonly keyFields: readonly KeyField[];
    readonly key: FoundKey;
    readonly period: Period | undefined;
    readonly rowCount: number;
    readonly leastOf: (name: string) => number;
  },
): Promise<PlaceColumns | undefined> {
  const isTime = (name: string) =>
    keyFields.some((field) => field.name === name && ['period', 'dimension'].includes(field.role));
  // Union Station can have the name of a code, but each row is of another period without it.
  const isUnique = keyFields.some(
    ({ role, distinctCount }) => role === 'period' && distinctCount === rowCount,
  );
  const isNumbered = ({ name, isCode, document, column }: DraftField) =>
    isUnique &&
    isCode &&
    document.type === 'string' &&
    document.pad === undefined &&
    /[^_]_[^_]/.test(snake(column ?? '')) &&
    !Number.isNaN(leastOf(name)) &&
    keyFields.some((one) => one.name === name && one.distinctCount * 2 > rowCount);
  const isOfPlace = (name: string) =>
    fields.some((field) => field.name === name && isNumbered(field));
  const isAlone =
    key.fallback === undefined &&
    key.fields.every((name) => isTime(name) || isOfPlace(name)) &&
    key.repeatedCount === 0;
  if (period === undefined || !isAlone) return undefined;
  const numbers = fields.flatMap((field, index) => {
    const { name, document, column, isCode, part, time } = field;
    const isCoded = isNumbered(field);
    const isNumber = document.type === 'integer' || document.type === 'float' || isCoded;
    const isPlain = part === undefined && time === undefined && document.expression === undefined;
    const isOther = ['dimension', 'row_number', 'period'].includes(keyFields[index]?.role ?? '');
    const isOwn = !isCoded && (isCode || key.fields.includes(name));
    const value = isCoded ? `TRY_CAST(v${index} AS DOUBLE)` : `v${index}`;
    const isUsable = isNumber && isPlain && !isOther && !isOwn;
    return column === undefined || !isUsable ? [] : [{ column, name, document, value, isCoded }];
  });
  const others = numbers.filter(({ column }) => OF_PERIOD.test(snake(column)));
  const used = numbers.filter((one) => !others.includes(one));
  // Counters whose names all end with it, such as Trail Total, are no sums of each other.
  const areTotals = used.every(({ column }) => TOTAL_END.test(column));
  if (used.length < COLUMNS_MIN) return undefined;
  const { sums, otherSumCount } = areTotals
    ? { sums: [], otherSumCount: 0 }
    : await findSums(connection, used);
  const columns = used.filter(({ column }) => !sums.includes(column));
  // Galleria North is a place if no other column differs from it in the direction alone.
  const undirected = columns.map(({ column }) => withoutDirection(snake(column)));
  const areNamed = new Set(undirected).size === columns.length && !undirected.includes('');
  const isPlace = ({ column: full, name, document, isCoded }: (typeof used)[number]) => {
    const column = areTotals ? full.replace(TOTAL_END, '') : full;
    const words = areNamed ? withoutDirection(snake(column)) : snake(column);
    const isMeasure =
      (COUNT_NAME.test(words) || MEASURES.test(words) || DISTINCT_NAME.test(words)) &&
      !BUILDING.test(words);
    return (isCoded || document.type === 'integer') && leastOf(name) >= 0 && !isMeasure;
  };
  return {
    columns: columns.map(({ column }) => column),
    sums,
    otherSumCount,
    directions: await findDirections(connection, used),
    others: others.map(({ column }) => column),
    seemPlaces: columns.length >= PLACES_MIN && columns.every(isPlace),
  };
}

const TOTAL_END = /[ _-]+totals?$/i;
const COLUMNS_MIN = 2;
const PLACES_MIN = 3;

/** What is the same at all places of a period. */
const OF_PERIOD = new RegExp(
  `${MEAN_NAME.source}|(^|_)(precip|precipitation|rain|rainfall|snow|snowfall|wind|clouds?|sun|sunshine|weather|holiday|weekend|weekday)($|_)`,
);

/** Parts of a measure, and measures that few files have for several places in columns. */
const MEASURES =
  /^[a-z]?$|(^|_)(value|val|area|pop|size|weight|cost|income|open|high|low|close|in|out|inbound|outbound|[nsew]b|north|south|east|west|northbound|southbound|eastbound|westbound|male|female|men|women|adults?|child|children|all|other|total)($|_)/;

/** Words for a place, of which the words before say what it is for: visitor_center. */
const BUILDING =
  /_(cent(er|re)|museum|gallery|hall|station|bridge|street|avenue|road|park|house|garden|library)$/;

function withoutDirection(words: string): string {
  return words.replace(/(^|_)(north|south|east|west)(?=_|$)/g, '').replace(/^_/, '');
}

/** The columns that are the sum of the others in each row, or that are called so. */
async function findSums(
  connection: ImportConnection,
  used: readonly Numbers[],
): Promise<Pick<PlaceColumns, 'sums' | 'otherSumCount'>> {
  const named = used.filter(({ column }) => isSumName(column));
  const rest = used.filter((one) => !named.includes(one));
  const candidates = named.length > 0 ? named : used.length > PLACES_MIN ? used : [];
  if (candidates.length === 0) return { sums: [], otherSumCount: 0 };
  const counts = candidates.map((one, index) => {
    const others = rest
      .filter((other) => other !== one)
      .map(({ value }) => `coalesce(${value}, 0)`);
    return `count(*) FILTER (WHERE ${one.value} IS DISTINCT FROM ${others.join(' + ')})::DOUBLE AS other_${index}`;
  });
  const [row] = await connection.list(`SELECT ${counts.join(', ')} FROM ${TYPED_ROWS}`);
  if (row === undefined) throw new Error('The sums cannot be compared.');
  const different = candidates.map((_, index) => numberOf(row, `other_${index}`));
  if (named.length > 0) {
    return { sums: named.map(({ column }) => column), otherSumCount: Math.max(...different) };
  }
  const sums = candidates.flatMap(({ column }, index) => (different[index] === 0 ? column : []));
  return { sums, otherSumCount: 0 };
}

type Numbers = { readonly column: string; readonly value: string };
