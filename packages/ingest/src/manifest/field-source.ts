import type { DateFormat } from './date-format.ts';
import type { NumberFormat } from './number-format.ts';
import type { DegreesFormat, PointFormat } from './point-format.ts';
import type { PointSource } from './point-source.ts';

/** The name of a column of the files, or in CSV and TSV its position from 1. */
export type ColumnName = string | number;

/** The source of the values of a field, and how they are written there. */
export type FieldSource = {
  /** Several columns are joined: codes without anything between them, parts of a date with a space. */
  readonly columns: readonly ColumnName[];
  /** SQL over the columns; then `columns` is empty. */
  readonly expression?: string | undefined;
  /** The value that the point of the record gives; then `columns` is empty. */
  readonly from?: PointSource | undefined;
  /** The number of digits that each column is filled up to with zeros. */
  readonly pad?: readonly number[] | undefined;
  /** Absent: as the type is written in a clean file. */
  readonly format?: ValueFormat | undefined;
  /** The part of the calendar that a date stands for, and which of its days it becomes. */
  readonly span?: DateSpan | undefined;
  /** Whether the date is the first one after a period, so that the day before it is meant. */
  readonly isExclusiveEnd?: boolean;
};

export type ValueFormat =
  | ({ readonly kind: 'number' } & NumberFormat)
  | ({ readonly kind: 'date' } & DateFormat)
  | ({ readonly kind: 'point'; readonly part: 'lat' | 'lng' } & PointFormat)
  | ({ readonly kind: 'degrees'; readonly part: 'lat' | 'lng' } & DegreesFormat)
  | {
      readonly kind: 'boolean';
      readonly written: string;
      readonly yes: string;
      readonly no: string;
    };

export const DATE_SPANS = ['week', 'month', 'quarter', 'year'] as const;

export type DateSpan = {
  readonly unit: (typeof DATE_SPANS)[number];
  readonly day: 'first' | 'last';
};
