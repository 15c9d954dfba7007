import type { EngineMemory, QueueLength } from '../domain/load.ts';
import type { PresentValue, Value } from '../domain/value.ts';
import type {
  CountPlan,
  DistinctPlan,
  DistinctPosition,
  ExtentPlan,
  NamedValuePosition,
  NamedValuesPlan,
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
  readonly readNamedValues: (
    plan: NamedValuesPlan,
    signal: AbortSignal,
  ) => Promise<NamedValuesPage>;
  /** How many values the pages of the plan have together. */
  readonly countNamedValues: (plan: NamedValuesPlan, signal: AbortSignal) => Promise<number>;
  readonly readExtent: (plan: ExtentPlan, signal: AbortSignal) => Promise<Extent>;
  /** What the operator watches; an engine that has nothing of the kind leaves it out. */
  readonly status?: EngineStatus;
  readonly close: () => Promise<void>;
};

export type EngineStatus = {
  /** The queries that run now, and those that wait for their turn. */
  readonly queries: () => QueueLength;
  /** What it held when it last said so; undefined as long as it has not. */
  readonly readMemory: () => Promise<EngineMemory | undefined>;
  /** Ends when it has answered something trivial, or is at work and will. */
  readonly probe: () => Promise<void>;
};

export type RecordsPage = {
  /** Values in the order of the plan's fields. */
  readonly rows: readonly (readonly Value[])[];
  /** Where a page ends whose last record is the one with this index in `rows`. */
  readonly positionAt: (index: number) => RecordPosition;
  /** Whether more records follow. */
  readonly hasMore: boolean;
};

export type DistinctPage = {
  readonly values: readonly PresentValue[];
  readonly positionAt: (index: number) => DistinctPosition;
  readonly hasMore: boolean;
};

export type NamedValuesPage = {
  readonly values: readonly NamedValue[];
  readonly positionAt: (index: number) => NamedValuePosition;
  readonly hasMore: boolean;
};

export type NamedValue = {
  /** In text form. */
  readonly value: string;
  readonly shortName: string | null;
  readonly displayName: string | null;
};

/** Days `YYYY-MM-DD`, absent where no record has one. */
export type Extent = {
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly count: number;
};
