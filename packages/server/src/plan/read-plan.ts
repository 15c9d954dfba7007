import type { BoundingBox } from '../domain/bounding-box.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { PresentValue, Value } from '../domain/value.ts';

/*
 * Read plans: what an engine is asked to do. Everything in a plan was checked against the schema of
 * its version and the rights of the caller: an engine refuses nothing and interprets no text of a
 * request.
 */

/** A page of records: the values of `fields`, in this order, of the records that match. */
export type RecordsPlan = {
  readonly kind: 'records';
  readonly version: DatasetVersion;
  readonly fields: readonly Field[];
  readonly predicates: readonly Predicate[];
  /** Absent: in the order of the key. */
  readonly order?: Order;
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

/** Absent values come last in both directions; ties are broken by the key, ascending. */
export type Order = { readonly field: Field; readonly descending: boolean };

/**
 * Where a page ended: the ordinal of the record in key order, which is its number in the version,
 * and the value it was ordered by, if the plan has an order.
 */
export type RecordPosition = { readonly row: number; readonly orderValue: Value };

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
  /** The value is present and one of, or none of, the values. */
  | {
      readonly kind: 'in';
      readonly field: Field;
      readonly negated: boolean;
      readonly values: readonly PresentValue[];
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
  /** The period overlaps the existence; an absent date leaves its side open. */
  | {
      readonly kind: 'existed';
      readonly periodStart: Field;
      readonly periodEnd: Field;
      readonly existenceStart: Field | undefined;
      readonly existenceEnd: Field | undefined;
    }
  | { readonly kind: 'never' };

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type TextMatch = 'contains' | 'starts_with' | 'ends_with';
