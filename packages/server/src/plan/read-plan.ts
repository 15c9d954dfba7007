import type { BoundingBox } from '../domain/bounding-box.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { PresentValue, Value } from '../domain/value.ts';

/*
 * Read plans: what an engine is asked to do. Everything in a plan was checked against the schema of
 * its version and the rights of the caller: an engine refuses nothing and interprets no text of a
 * request.
 */

export type ReadPlan = RecordsPlan | CountPlan | DistinctPlan | NamedValuesPlan | ExtentPlan;

/** A page of records: the values of `fields`, in this order, of the records that match. */
export type RecordsPlan = {
  readonly kind: 'records';
  readonly version: DatasetVersion;
  readonly fields: readonly Field[];
  readonly predicates: readonly Predicate[];
  /** What the records are ordered by first, then by the key. */
  readonly order: readonly OrderTerm[];
  readonly keyDescending: boolean;
  /** The last record of the page before; absent on the first page. */
  readonly after?: RecordPosition;
  /** How many records at most, from 1. */
  readonly limit: number;
};

/** How many records match, or how many distinct values a distinct plan would list. */
export type CountPlan = {
  readonly kind: 'count';
  readonly version: DatasetVersion;
  readonly predicates: readonly Predicate[];
  readonly distinct?: { readonly field: Field; readonly term?: string };
};

/** A page of the distinct present values of a field: those that start with the term first. */
export type DistinctPlan = {
  readonly kind: 'distinct';
  readonly version: DatasetVersion;
  readonly field: Field;
  readonly predicates: readonly Predicate[];
  /** A folded text that the folded text form of a value contains; absent: every value. */
  readonly term?: string;
  readonly descending: boolean;
  readonly after?: DistinctPosition;
  readonly limit: number;
};

/** By a field, absent values at one end whatever the direction; or by how well texts fit a query. */
export type OrderTerm =
  | {
      readonly kind: 'field';
      readonly field: Field;
      readonly descending: boolean;
      readonly absentFirst: boolean;
    }
  | { readonly kind: 'rank'; readonly rank: Rank };

/** The best fit of any of the string fields to a folded query: see `QUERY_RANKS`. */
export type Rank = { readonly fields: readonly Field[]; readonly query: string };

/** How a folded text fits a folded query, by rank from 0; a text that does not has the last one. */
export const QUERY_RANKS = ['equals', 'starts_with', 'contains', 'none'] as const;

/**
 * Where a page ended: the ordinal of the record in key order, which is its number in the version,
 * and the values of the terms it was ordered by.
 */
export type RecordPosition = { readonly row: number; readonly orderValues: readonly Value[] };

/**
 * A page of the distinct present values that several fields of several versions hold, in text form,
 * each with the least of the names that stand beside it: those that fit the query best first, then by
 * value.
 */
export type NamedValuesPlan = {
  readonly kind: 'named_values';
  readonly sources: readonly NamedValuesSource[];
  /** Only these values. */
  readonly values?: readonly string[];
  /** A folded text that the folded value or one of its names contains; absent: every value. */
  readonly query?: string;
  readonly after?: NamedValuePosition;
  readonly limit: number;
};

export type NamedValuesSource = {
  readonly version: DatasetVersion;
  readonly value: Field;
  /** String fields. */
  readonly shortName?: Field;
  readonly displayName?: Field;
};

/** Where a page of named values ended: a rank of `QUERY_RANKS`, and the value. */
export type NamedValuePosition = { readonly rank: number; readonly value: string };

/** The days that matching records cover, and how many there are. */
export type ExtentPlan = {
  readonly kind: 'extent';
  readonly version: DatasetVersion;
  readonly predicates: readonly Predicate[];
  readonly start: Day;
  readonly end: Day;
};

/** Where a page of distinct values ended. */
export type DistinctPosition = {
  readonly startsWithTerm: boolean;
  readonly value: PresentValue;
};

/** A condition on a record; the predicates of a plan combine with AND. */
export type Predicate =
  | {
      readonly kind: 'compare';
      readonly field: Field;
      readonly operator: CompareOperator;
      readonly value: PresentValue;
    }
  /** The value is present and one of, or none of, the values; or else absent, where that counts too. */
  | {
      readonly kind: 'in';
      readonly field: Field;
      readonly negated: boolean;
      readonly values: readonly PresentValue[];
      readonly orAbsent?: boolean;
    }
  /** The folded text of a string field stands so to a folded text. */
  | {
      readonly kind: 'match';
      readonly field: Field;
      readonly match: TextMatch;
      readonly folded: string;
    }
  | { readonly kind: 'empty'; readonly field: Field; readonly negated: boolean }
  /** The point is present and inside, edges included. */
  | {
      readonly kind: 'box';
      readonly latitude: Field;
      readonly longitude: Field;
      readonly box: BoundingBox;
    }
  /** The period overlaps the existence of the record's own place. */
  | { readonly kind: 'existed'; readonly overlap: ExistenceOverlap }
  /**
   * The value of the field is the id of a record of another version that matches in turn, and
   * whose existence the period of the record overlaps, where that is asked for.
   */
  | {
      readonly kind: 'feature';
      readonly field: Field;
      readonly features: {
        readonly version: DatasetVersion;
        readonly id: Field;
        readonly predicates: readonly Predicate[];
      };
      readonly overlap?: ExistenceOverlap;
    }
  | { readonly kind: 'never' };

/**
 * A period and an existence that overlap: the days of the period stand in fields or are the same for
 * all records; an absent day leaves its side open.
 */
export type ExistenceOverlap = {
  readonly periodStart: Day;
  readonly periodEnd: Day;
  readonly existenceStart?: Field;
  readonly existenceEnd?: Field;
};

/** A date field of the record, or a day `YYYY-MM-DD`. */
export type Day = Field | string;

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type TextMatch = 'contains' | 'starts_with' | 'ends_with';
