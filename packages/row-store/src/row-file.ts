import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field, FieldType } from '@locmetrics/core/domain/field';

/**
 * The layout of a version's row file: the records in the order of the key, cut into blocks, and where the
 * records of each value of the first key field begin.
 *
 * - `blocks`: `row`, the ordinal of the first record; `data`, the records (see `record-block.ts`). A block
 *   has records of one series only, so that a series is read without its neighbours.
 * - `series`: for each value of the first field of the key, the ordinal of its first record and their number.
 *   A series is thus a range of ordinals. With a key of one field, where each record is a series, there is an
 *   entry only for the first record of each block.
 * - `order_0`, `order_1`, … for each field marked `sorted`: the ordinals in the order of its values, absent ones
 *   last, then by ordinal, in blocks with the values of the fields in `RowFacts.covered`.
 * - `points`: the same for records with a point, neighbours together; `boxes`, the box of each of its blocks.
 * - `values_0`, `values_1`, … for each text field marked `searchable`: its distinct values in their order, in blocks;
 *   the place of a value is its number. `grams_0`, …: the numbers of the values with each gram (see
 *   `grams.ts`). With search rule 2 also `starts_0`, … and `wholes_0`, … (see `short-starts.ts`, `whole-texts.ts`).
 * - `outlines`: for datasets of features with outlines: `number`, a zoom and the ordinal of a record; `id`, the feature;
 *   `data`, its outline simplified for the zoom (see `outline-bytes.ts`). `outline_levels`, for each zoom: the ordinals
 *   of the records that are seen at it, and the box of each of their outlines.
 * - `facts`: what is known of the file as a whole, one JSON text; see `RowFacts`.
 */
export const ROW_FILE = 'rows.sqlite';

/** Raised with each change of the layout: earlier releases do not read such files. */
export const ROW_LAYOUT = 3;

/** Files of this layout and all later ones are read: they have no more than this release knows. */
export const ROW_LAYOUT_MIN = 2;

/** The sizes of the blocks of a file, as a number of records or entries. */
export type BlockSizes = {
  /** The maximum of a series. */
  readonly series: number;
  /** Of records with a key of one field: few, because one of them is read at a time. */
  readonly singles: number;
  /** Of each block of an order but the last. */
  readonly order: number;
  /** Of points: fewer, because a small box needs a few points of several blocks. */
  readonly points: number;
  /** Of distinct values. */
  readonly values: number;
};

export const BLOCK_SIZES: BlockSizes = {
  series: 256,
  singles: 4,
  order: 256,
  points: 128,
  values: 64,
};

/** Counters are kept of fields with up to so many distinct values. */
export const COUNTED_VALUES_MAX = 1000;

/** Combinations of values are counted of a field that has up to so many of them with the days of the period. */
export const COUNTED_GROUPS_MAX = 10_000;

/** The description of a row file, for routing and reading. */
export type RowFacts = {
  /** In the order in which a block has their values. */
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[];
  readonly sizes: BlockSizes;
  /** The first field of the key. */
  readonly seriesField: string;
  readonly records: number;
  /** Whether `series` has only the first value of each block. */
  readonly isSparse: boolean;
  /** The number of records of the longest series; 0 without records. */
  readonly longestSeries: number;
  /** The fields whose values are in blocks of orders and points, after the ordinal. */
  readonly covered: readonly string[];
  readonly orders: readonly OrderFacts[];
  readonly searches: readonly SearchFacts[];
  /** The number of records with a point; absent if the dataset has no points. */
  readonly points?: number;
  /** Absent without outlines. `wholeFrom` is the zoom from which outlines have all their positions. */
  readonly outlines?: { readonly wholeFrom: number };
  /** The number of records with each value, of fields with few values; absent values are left out. */
  readonly counters: Readonly<Record<string, readonly (readonly [StoredValue, number])[]>>;
  /** Absent in files of earlier releases. */
  readonly groups?: readonly CountedGroups[];
};

/** The number of records with each combination of values of some fields. */
export type CountedGroups = {
  readonly fields: readonly string[];
  /** The distinct values of each of these fields; null for absent ones. */
  readonly values: readonly (readonly (StoredValue | null)[])[];
  /** For each combination that occurs, the index of each of its values, then the number of records. */
  readonly counts: readonly number[];
};

export type OrderFacts = {
  readonly field: string;
  readonly table: string;
  /** The number of entries that have a value; the others follow them. */
  readonly present: number;
};

export type SearchFacts = {
  readonly field: string;
  readonly valuesTable: string;
  readonly gramsTable: string;
  /** The number of distinct values. */
  readonly values: number;
  /** For search rule 2: the tables of short starts and of whole texts. Absent: the values are folded by rule 1. */
  readonly foldedTables?: { readonly starts: string; readonly wholes: string };
  /** For search rule 1: the letters that folding changes among the first two of each value. */
  readonly capitals: string;
};

/** Of a field with more distinct values there is no search: its letters would take too much memory. */
export const SEARCHED_VALUES_MAX = 4_000_000;

/** A value in JSON: the number of a float, else its text. */
export type StoredValue = string | number;

export const PAGE_BYTES = 8192;

/** Text is compared by its bytes, as everywhere; a date is a text, a boolean is 0 or 1. */
export function createTablesSql(seriesField: Field): readonly string[] {
  return [
    'CREATE TABLE blocks (row INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT',
    `CREATE TABLE series (
      value ${SERIES_TYPES[seriesField.type]} PRIMARY KEY,
      row INTEGER NOT NULL,
      records INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    'CREATE TABLE facts (facts TEXT NOT NULL) STRICT',
    `PRAGMA user_version = ${ROW_LAYOUT}`,
  ];
}

const SERIES_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'TEXT',
  date: 'TEXT',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  float: 'REAL',
};

/** The first field of the key. */
export function seriesFieldOf({ fields, key, name }: Dataset): Field {
  const field = fields.find((one) => one.name === key[0]);
  if (field === undefined) throw new Error(`${name} has no field for its key.`);
  return field;
}

/** The fields of blocks. Outlines are not in them: a record is mostly read without its outline, which is long. */
export function withoutOutlines(dataset: Dataset): Dataset {
  const fields = dataset.fields.filter(({ outline }) => outline !== true);
  return fields.length === dataset.fields.length ? dataset : { ...dataset, fields };
}

/** A table of blocks by their number. */
export function createBlocksSql(table: string): string {
  return `CREATE TABLE ${table} (block INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT`;
}

export const POINTS_TABLE = 'points';
/** One row: for each block of points the edges of its box as floats: minLng, minLat, maxLng, maxLat. */
export const BOXES_TABLE = 'boxes';

export const CREATE_OUTLINES_SQL = [
  'CREATE TABLE outlines (number INTEGER PRIMARY KEY, id TEXT NOT NULL, data BLOB NOT NULL) STRICT',
  'CREATE TABLE outline_levels (zoom INTEGER PRIMARY KEY, rows BLOB NOT NULL, boxes BLOB NOT NULL) STRICT',
];

/** The number of an outline is that of its zoom times this, plus the ordinal of its record. */
export const OUTLINE_ROWS = 2 ** 40;

/** The world is so many bits wide in outlines with all their positions: a unit has four centimetres. */
export const WORLD_BITS = 30;

/** The name of the column of ordinals in blocks of orders and points. */
export const ORDINAL_TYPE: FieldType = 'integer';

/** The fields that blocks of orders and points have: those that are filtered or ordered by. */
export function coveredFields({ fields, point, period, existence }: Dataset): readonly Field[] {
  const roles = [point, period, existence].flatMap((role) => Object.values(role ?? {}));
  return fields.filter(
    ({ name, sorted, searchable }) =>
      sorted === true || searchable === true || roles.includes(name),
  );
}
