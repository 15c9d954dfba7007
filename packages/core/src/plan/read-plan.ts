import type { Bucket } from '../domain/date-bucket.ts';
import type { Field } from '../domain/field.ts';
import type { LineFormat } from '../domain/line-format.ts';
import type { Day, Predicate, ReadableVersion } from '../domain/predicate.ts';
import type { SearchText } from '../domain/search-text.ts';
import type { PresentValue, Value } from '../domain/value.ts';
import type { TileGrid } from '../geometry/tile.ts';
import type { UnitVector } from '../geometry/unit-vector.ts';
import type { Aggregation } from '../requests/aggregation.ts';

/*
 * Read plans: the queries for an engine. A plan is already checked against the schema of its version and
 * the rights of the caller, so an engine refuses nothing and interprets no text of a request.
 */

export type ReadPlan =
  | RecordsPlan
  | BatchPlan
  | CountPlan
  | DistinctPlan
  | NamedValuesPlan
  | NamedValuesCountPlan
  | ExtentPlan
  | TilePlan
  | GroupsPlan;

/** A page of records: the values of `fields`, in this order, of the records that match. */
export type RecordsPlan = {
  readonly kind: 'records';
  readonly version: ReadableVersion;
  readonly fields: readonly Field[];
  readonly predicates: readonly Predicate[];
  /** The terms that order the records, before the key. */
  readonly order: readonly OrderTerm[];
  readonly keyDescending: boolean;
  /** The last record of the previous page; absent on the first page. */
  readonly after?: RecordPosition | undefined;
  /** The maximum number of records, from 1. */
  readonly limit: number;
};

/**
 * A part of a stream of records: those that match and have one of these ordinals, in the order of the key. It is as large
 * as the range of the ordinals, so that no engine holds more, and no query is open while the caller reads.
 */
export type BatchPlan = {
  readonly kind: 'batch';
  readonly version: ReadableVersion;
  readonly fields: readonly Field[];
  readonly predicates: readonly Predicate[];
  /** The first ordinal, and the one after the last. */
  readonly from: number;
  readonly end: number;
  /** The range ends earlier, but not before its first record, if the texts of its records have more bytes of UTF-8. */
  readonly textBytesMax: number;
  /** A format in which an engine may write the records itself. */
  readonly lines?: LineFormat | undefined;
};

/** Counts the matching records, or the distinct values of a distinct plan. */
export type CountPlan = {
  readonly kind: 'count';
  readonly version: ReadableVersion;
  readonly predicates: readonly Predicate[];
  readonly distinct?: { readonly field: Field; readonly term?: SearchText | undefined };
};

/** A page of the distinct present values of a field: those that match the term best first. */
export type DistinctPlan = {
  readonly kind: 'distinct';
  readonly version: ReadableVersion;
  readonly field: Field;
  readonly predicates: readonly Predicate[];
  /** The folded text form of a value contains the folded term; absent: every value. */
  readonly term?: SearchText | undefined;
  readonly descending: boolean;
  readonly after?: DistinctPosition | undefined;
  readonly limit: number;
};

/** Sorts by a field, with absent values at one end in either direction, or by how well texts match a query. */
export type OrderTerm =
  | {
      readonly kind: 'field';
      readonly field: Field;
      readonly descending: boolean;
      readonly absentFirst: boolean;
    }
  | { readonly kind: 'rank'; readonly rank: Rank }
  /** The square of the chord from the point to another one, the shortest first; absent without a point, which is last. */
  | {
      readonly kind: 'near';
      readonly latitude: Field;
      readonly longitude: Field;
      readonly target: UnitVector;
    };

/** The best match of any of the fields with a query: see `QUERY_RANKS`, or `feature-rank.ts` with words. */
export type Rank = {
  readonly fields: readonly Field[];
  readonly query: SearchText;
  /** The words of the query, and the fields whose words are compared with them. Absent: search rule 1, which has none. */
  readonly words?: { readonly fields: readonly Field[]; readonly words: readonly string[] };
};

/**
 * The end of a page: the ordinal of the record in key order, which is its number in the version,
 * and the values of the terms it was ordered by.
 */
export type RecordPosition = { readonly row: number; readonly orderValues: readonly Value[] };

/**
 * A page of the distinct present values of several fields of several versions, in text form. Each value has
 * the smallest of its names in the same records. The best matches of the query come first, then the order is
 * by value.
 */
export type NamedValuesPlan = NamedValuesSelection & {
  readonly kind: 'named_values';
  readonly after?: NamedValuePosition | undefined;
  readonly limit: number;
};

/** Counts the values on all pages of a plan for named values. */
export type NamedValuesCountPlan = NamedValuesSelection & { readonly kind: 'named_values_count' };

export type NamedValuesSelection = {
  readonly sources: readonly NamedValuesSource[];
  /** Only these values. */
  readonly values?: readonly string[] | undefined;
  /** The folded value or one of its folded names contains the folded query; absent: every value. */
  readonly query?: SearchText | undefined;
};

export type NamedValuesSource = {
  readonly version: ReadableVersion;
  readonly value: Field;
  /** String fields. */
  readonly shortName?: Field | undefined;
  readonly displayName?: Field | undefined;
};

/** The end of a page of named values: a rank of `QUERY_RANKS`, and the value. */
export type NamedValuePosition = { readonly rank: number; readonly value: string };

/** The day range and the number of matching records. */
export type ExtentPlan = {
  readonly kind: 'extent';
  readonly version: ReadableVersion;
  readonly predicates: readonly Predicate[];
  readonly start: Day;
  readonly end: Day;
};

/**
 * The records of a map tile: each with its point if they are few, else cells of its grid with their counts and
 * aggregates. The predicates leave only records whose point is in the tile.
 */
export type TilePlan = {
  readonly kind: 'tile';
  readonly version: ReadableVersion;
  readonly predicates: readonly Predicate[];
  readonly latitude: Field;
  readonly longitude: Field;
  readonly grid: TileGrid;
  /** The fields of each record, where they are few. */
  readonly fields: readonly Field[];
  /** The values computed for each cell, where they are many. */
  readonly aggregates: readonly TileAggregate[];
  /** Up to so many records are returned one by one. */
  readonly limit: number;
};

export type TileAggregate = {
  readonly function: TileFunction;
  /** A field of numbers. */
  readonly field: Field;
};

export const TILE_FUNCTIONS = ['sum', 'mean'] as const;
export type TileFunction = (typeof TILE_FUNCTIONS)[number];

/**
 * A page of groups of the matching records, each with its aggregates. Without group terms there is exactly one, even
 * over no records.
 */
export type GroupsPlan = {
  readonly kind: 'groups';
  readonly version: ReadableVersion;
  readonly predicates: readonly Predicate[];
  readonly groups: readonly GroupTerm[];
  readonly aggregates: readonly AggregateTerm[];
  /** Of other records of the version: a group is compared with the group of these that has the same values. */
  readonly compared?: { readonly predicates: readonly Predicate[] } | undefined;
  /** On the values of the groups and aggregates, by their names. */
  readonly conditions: readonly Predicate[];
  /** Absent values are last. Ties are broken by the group terms. */
  readonly order: readonly (GroupNumber & { readonly descending: boolean })[];
  /** Each group has a rank by this number among all groups. */
  readonly rankBy?: GroupNumber | undefined;
  /** The number of groups before the page. */
  readonly after: number;
  readonly limit: number;
};

/** A group term, or one of the aggregates after them, or how that compares. */
export type GroupNumber = {
  readonly index: number;
  /** Of a number of a plan that compares. Absent: the value itself. */
  readonly part?: 'change' | 'percent' | undefined;
};

/** More groups would not fit into the memory of a request. */
export const GROUPS_MAX = 1_000_000;

/** A field by whose values, or whose buckets of days, records are grouped. `name` is that of the value in the answer. */
export type GroupTerm = {
  readonly name: string;
  readonly field: Field;
  readonly bucket?: Bucket | undefined;
  /** If given, records are grouped by a value of the record of another version that the field refers to. */
  readonly lookup?: GroupLookup | undefined;
};

/** A field of the record of another version whose id is the value of the field; absent without such a record. */
export type GroupLookup = {
  readonly version: ReadableVersion;
  /** No two records have the same. */
  readonly id: Field;
  readonly value: Field;
};

/** A value that is computed of each group. Without a field it is the number of records. */
export type AggregateTerm = {
  readonly name: string;
  readonly aggregation: Aggregation;
  readonly field?: Field | undefined;
  /** From 0 to 1; the median is 0.5. */
  readonly quantile: number;
  /** For COUNT_DISTINCT: only of records that have a value in one of these fields. Absent: of all. */
  readonly ofPresent?: readonly Field[] | undefined;
};

/** The end of a page of distinct values: a rank of `QUERY_RANKS`, 0 without a term, and the value. */
export type DistinctPosition = {
  readonly rank: number;
  readonly value: PresentValue;
};
