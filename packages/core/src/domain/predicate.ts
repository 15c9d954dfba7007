import type { BoundingBox } from '../geometry/bounding-box.ts';
import type { Ring } from '../geometry/ring.ts';
import type { UnitVector } from '../geometry/unit-vector.ts';
import type { Dataset } from './dataset.ts';
import type { Field } from './field.ts';
import type { PresentValue } from './value.ts';

/** A condition on a record; several combine with AND. */
export type Predicate =
  | {
      readonly kind: 'compare';
      readonly field: Field;
      readonly operator: CompareOperator;
      readonly value: PresentValue;
    }
  /** The value is present and is, or is not, one of the values; or it is absent, if that matches too. */
  | {
      readonly kind: 'in';
      readonly field: Field;
      readonly negated: boolean;
      readonly values: readonly PresentValue[];
      readonly orAbsent?: boolean;
    }
  /** The folded text of a string field matches a folded text. */
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
  /** The point is present and, rounded to 10⁻⁹ degrees, inside the ring or on one of its edges. */
  | {
      readonly kind: 'polygon';
      readonly latitude: Field;
      readonly longitude: Field;
      readonly ring: Ring;
    }
  /** The point is present, and the square of its chord to the centre is at most this; see `unit-vector.ts`. */
  | {
      readonly kind: 'circle';
      readonly latitude: Field;
      readonly longitude: Field;
      readonly center: UnitVector;
      readonly chordSquaredMax: number;
    }
  /** The period overlaps the existence of the record's own place. */
  | { readonly kind: 'existed'; readonly overlap: ExistenceOverlap }
  /**
   * The value of the field is the id of a record of another version that matches the predicates. If
   * requested, the period of this record must overlap the existence of that one.
   */
  | {
      readonly kind: 'feature';
      readonly field: Field;
      readonly features: {
        readonly version: ReadableVersion;
        readonly id: Field;
        readonly predicates: readonly Predicate[];
      };
      readonly overlap?: ExistenceOverlap | undefined;
    }
  /** All predicates of at least one alternative match. */
  | { readonly kind: 'any'; readonly alternatives: readonly (readonly Predicate[])[] }
  /** At least one of the predicates does not match, be it because of an absent value. */
  | { readonly kind: 'not'; readonly predicates: readonly Predicate[] }
  | { readonly kind: 'never' };

/**
 * A period and an existence that must overlap. The days of the period are in fields, or are the same for
 * all records. An absent day means an open side.
 */
export type ExistenceOverlap = {
  readonly periodStart: Day;
  readonly periodEnd: Day;
  readonly existenceStart?: Field | undefined;
  readonly existenceEnd?: Field | undefined;
};

/** A date field of the record, or a day `YYYY-MM-DD`. */
export type Day = Field | string;

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type TextMatch = 'contains' | 'starts_with' | 'ends_with';

/** The part of a version that an engine needs to read it. */
export type ReadableVersion = {
  readonly dataset: Dataset;
  /** See `version-name.ts`. */
  readonly version: string;
  /** Absent if the caller sees only some of the records; those are counted on demand. */
  readonly rowCount?: number;
  /** The part that a caller sees; absent: all. */
  readonly narrowing?: Narrowing;
};

/**
 * The visible part of a version. For every plan, an engine treats the hidden part as if it did not exist.
 */
export type Narrowing = {
  /** Fields whose values below their `suppressBelow` are treated as absent. */
  readonly suppressed: readonly Field[];
  /** Only records that match are visible; they are compared after the suppression. */
  readonly predicates: readonly Predicate[];
  /** The number of records of the version, hidden ones included: engines need it to read all, and no answer shows it. */
  readonly storedRows?: number | undefined;
};
