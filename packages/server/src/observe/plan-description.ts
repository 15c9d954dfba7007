/** The kinds of plans that an engine runs. */
export type PlanKind =
  | 'records'
  | 'count'
  | 'distinct'
  | 'named_values'
  | 'named_values_count'
  | 'extent';

/** What a plan asks for, with the names of the schema and without any value that a caller sent. */
export type PlanDescription = {
  readonly plan: PlanKind;
  readonly dataset: string;
  readonly version: string;
  /** Each as its operator and field, for example `== region` or `in placekey (500 values)`. */
  readonly filters: readonly string[];
  /** Each as its field and direction, for example `visits desc`. */
  readonly order: readonly string[];
  readonly fields?: number;
  readonly pageSize?: number;
  /** Whether it goes on after another page. */
  readonly isLaterPage?: boolean;
};
