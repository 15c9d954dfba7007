import type { Proof } from './sums-of-records.ts';

/** Records that are the sums of others. */
export type FoundTotal = {
  readonly field: string;
  /** The value of the field in these records; or for names, how they begin or end. */
  readonly value: string;
  readonly kind:
    | 'word'
    | 'value'
    | 'level'
    | 'state'
    | 'code_length'
    | 'beginning'
    | 'ending'
    | 'blank';
  /** Whether only its name says that it is about all others together. */
  readonly isNamed?: boolean;
  /** The columns that these records lack. */
  readonly blank?: readonly string[];
  /** Whether the field has other levels than this one and that of its parts. */
  readonly hasOthers?: boolean;
  /** Whether only its name and its size say that it is a total: the world, among places of several levels. */
  readonly isWorld?: boolean;
  /** The levels of places that a column tells, though none is the sum of another; the value is that of most records. */
  readonly levels?: readonly string[];
  /** The measure that adds up, and in how many of the groups of records it does; absent: the sums only come close. */
  readonly proof?: Proof;
};
