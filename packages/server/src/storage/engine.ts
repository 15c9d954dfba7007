import type { PresentValue, Value } from '../domain/value.ts';
import type {
  CountPlan,
  DistinctPlan,
  DistinctPosition,
  RecordPosition,
  RecordsPlan,
} from '../plan/read-plan.ts';

/**
 * Runs plans over the data of versions. Every engine gives the same answer to the same plan: one
 * conformance suite runs them all. A plan was checked before; an engine refuses none.
 *
 * Each method stops as soon as `signal` aborts, ends the work in the database, and throws the
 * signal's reason. It throws a `ServiceError` with `VERSION_NOT_FOUND` when the data of the version
 * are no longer kept.
 */
export type Engine = {
  readonly readRecords: (plan: RecordsPlan, signal: AbortSignal) => Promise<RecordsPage>;
  readonly count: (plan: CountPlan, signal: AbortSignal) => Promise<number>;
  readonly readDistinct: (plan: DistinctPlan, signal: AbortSignal) => Promise<DistinctPage>;
  readonly close: () => Promise<void>;
};

export type RecordsPage = {
  /** Values in the order of the plan's fields. */
  readonly rows: readonly (readonly Value[])[];
  /** Where the page ended, when more records follow. */
  readonly next?: RecordPosition;
};

export type DistinctPage = {
  readonly values: readonly PresentValue[];
  readonly next?: DistinctPosition;
};
