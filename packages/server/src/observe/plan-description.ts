/** The kinds of plans that an engine runs. */
export type PlanKind =
  | 'records'
  | 'batch'
  | 'count'
  | 'distinct'
  | 'named_values'
  | 'named_values_count'
  | 'extent'
  | 'tile'
  | 'groups';

/** A description of a plan with the names of the schema, without any value from a caller. */
export type PlanDescription = {
  readonly plan: PlanKind;
  readonly dataset: string;
  readonly version: string;
  /** Each filter as operator and field, for example `== region` or `in placekey (500 values)`. */
  readonly filters: readonly string[];
  /** Added by the rights of the caller: filters, as above, and fields whose small values are withheld, as `withheld visits`. */
  readonly rights: readonly string[];
  /** Each field by which records are grouped, with its bucket, for example `start by MONTH`. */
  readonly groups?: readonly string[];
  /** Each aggregation and its field, for example `SUM visits`. */
  readonly aggregates?: readonly string[];
  /** Each term as field and direction, for example `visits desc`. */
  readonly order: readonly string[];
  readonly fields?: number;
  readonly pageSize?: number;
  /** Whether it continues after another page. */
  readonly isLaterPage?: boolean;
  /** The store that answers it, if the engine has several. */
  readonly store?: string;
  /** How the row store finds the records, or why it does not. */
  readonly access?: string;
  /** The most that the row store needs, in µs; absent without a bound. */
  readonly boundUs?: number;
  /** Why this store, as a sentence. */
  readonly reason?: string;
};
