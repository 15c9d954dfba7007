import type { NumberFormat } from './number-format.ts';

/** A step that the rows of the files go through. Its number is its place in the manifest, from 0. */
export type RowStep =
  | { readonly kind: 'where'; readonly number: number; readonly condition: string }
  | ({ readonly kind: 'fill_down'; readonly number: number } & FillDown)
  | ({ readonly kind: 'unpivot'; readonly number: number } & Unpivot)
  | ({ readonly kind: 'unnest'; readonly number: number } & Unnest)
  | ({ readonly kind: 'aggregate'; readonly number: number } & Aggregate)
  | ({ readonly kind: 'join'; readonly number: number } & Join)
  | ({ readonly kind: 'sql'; readonly number: number } & SqlQuery);

/** Columns whose blank values are the value above. */
export type FillDown = {
  /** From the outermost to the innermost: a value of one ends those of the next ones. */
  readonly columns: readonly string[];
};

/** Columns that become rows. */
export type Unpivot = {
  /** The new column with the part of the name in which the columns differ. */
  readonly name: string;
  /** The new columns with the values, and the columns whose values they get. */
  readonly values: readonly {
    readonly name: string;
    readonly columns: string | readonly string[];
  }[];
};

/** Lists or maps in columns, whose numbers become rows. The manifest calls it unpivot, too. */
export type Unnest = {
  readonly of: 'list' | 'map';
  /** The new column with the day, hour or position of a number, or with the key of the map. */
  readonly name: string;
  /** The new columns with the numbers, and the columns with the lists or maps. */
  readonly values: readonly { readonly name: string; readonly column: string }[];
  /** SQL of the first day of a list. */
  readonly start?: string | undefined;
  /** What each number of a list is about. Absent: its position. */
  readonly each?: ListUnit | undefined;
};

export const LIST_UNITS = ['day', 'hour'] as const;
export type ListUnit = (typeof LIST_UNITS)[number];

/** Rows that become one. */
export type Aggregate = {
  /** The columns in which the rows of a group are the same: a column as it is, or a new one by an expression. */
  readonly by: readonly { readonly name: string; readonly expression?: string | undefined }[];
  readonly values: readonly AggregateValue[];
  /** The columns over which there are totals too, and the text that such a row has instead of a value. */
  readonly totals: readonly { readonly name: string; readonly label: string }[];
};

export const AGGREGATE_FUNCTIONS = ['sum', 'mean', 'median', 'min', 'max', 'count'] as const;
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number];

export type AggregateValue = {
  /** The new column. */
  readonly name: string;
  readonly function: AggregateFunction;
  /** The column; `*` counts the rows. */
  readonly column: string;
  /** How its numbers are written. Absent: plainly. */
  readonly format?: NumberFormat | undefined;
};

/** Columns of another file, which come to the rows with the same key. */
export type Join = {
  /** The columns that must be equal: of the rows, and of the file. */
  readonly on: readonly { readonly name: string; readonly fileColumn: string }[];
  /** The number of digits that each code is filled up to, in both. */
  readonly pad?: readonly number[] | undefined;
  /** The columns that come over, and their new names; absent: all but those of `on`. */
  readonly columns?: readonly { readonly name: string; readonly fileColumn: string }[] | undefined;
  readonly unmatched: UnmatchedRule;
};

export const UNMATCHED_RULES = ['keep', 'leave_out', 'refuse'] as const;

/** The treatment of rows for which the file has no row. */
export type UnmatchedRule = (typeof UNMATCHED_RULES)[number];

/** A SELECT over the rows, and over other files by name. */
export type SqlQuery = {
  readonly query: string;
  readonly tables: readonly string[];
};

export const DUPLICATE_RULES = ['first', 'last', 'sum', 'min', 'max', 'same'] as const;

/** How rows with the same key are combined. */
export type DuplicateRule = (typeof DUPLICATE_RULES)[number];
