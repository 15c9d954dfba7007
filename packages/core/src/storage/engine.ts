import type { MetricExtent } from '../domain/metric-extent.ts';
import type { Column, PresentValue, Value } from '../domain/value.ts';
import type { VisitRecord } from '../domain/value-visitor.ts';
import type {
  BatchPlan,
  DistinctPosition,
  NamedValuePosition,
  ReadPlan,
  RecordPosition,
  RecordsPlan,
} from '../plan/read-plan.ts';
import type { EngineMemory, QueueLength } from '../runtime/engine-load.ts';
import type { StopSignal } from '../runtime/stop.ts';
import type { NewTableFile } from './table-file.ts';

/**
 * Runs plans over the data of versions. All engines return the same answer to the same plan; one
 * conformance suite tests them all. Plans are already checked, so an engine refuses none.
 *
 * `run` stops as soon as `signal` aborts, ends the work in the database, and throws the signal's reason. It
 * throws a `ServiceError` with `VERSION_NOT_FOUND` when the data of the version are no longer kept.
 */
export type Engine = {
  readonly run: <Kind extends PlanKind>(
    plan: PlanOf<Kind>,
    signal: StopSignal,
  ) => Promise<PlanResults[Kind]>;
  /**
   * Writes all records of a plan, whatever its limit, to a Parquet file at a path: in its order, with the types of
   * `TableFile`. Absent for an engine that cannot; then its records are read and added.
   */
  readonly copyRecords?: (
    plan: RecordsPlan,
    file: Pick<NewTableFile, 'path' | 'metadata'>,
    signal: StopSignal,
  ) => Promise<void>;
  /**
   * Sorts the records of a plan, up to its limit, into a file at a path, in a folder that exists. Absent for an engine
   * that cannot, undefined for a plan that it cannot sort or if it has many copies; then its pages are read. If it
   * rejects, nothing is left of the file.
   */
  readonly sortRecords?: (
    plan: RecordsPlan,
    path: string,
    signal: StopSignal,
  ) => Promise<SortedRecords | undefined>;
  /** Which store would answer a plan, and why; absent for an engine of one store. */
  readonly explain?: (plan: ReadPlan) => PlanExplanation;
  /** The status for monitoring; optional. */
  readonly status?: EngineStatus;
  readonly close: () => Promise<void>;
};

export type PlanExplanation = {
  /** The row store or the column store. */
  readonly store: 'rows' | 'columns';
  /** How the records are found: an index, or all of them. */
  readonly access: string;
  /** The most that it can take, in µs; absent if that has no bound. */
  readonly boundUs?: number;
  readonly reason: string;
};

export type PlanKind = ReadPlan['kind'];
export type PlanOf<Kind extends PlanKind> = Extract<ReadPlan, { readonly kind: Kind }>;

/** The result of each kind of plan. */
export type PlanResults = {
  readonly records: RecordsPage;
  readonly batch: RecordsBatch;
  readonly count: number;
  readonly distinct: DistinctPage;
  readonly named_values: NamedValuesPage;
  readonly named_values_count: number;
  readonly extent: Extent;
  readonly tile: Tile;
  readonly groups: GroupsPage;
};

/** How an engine runs each kind of plan. */
export type PlanRunners = {
  readonly [Kind in PlanKind]: (
    plan: PlanOf<Kind>,
    signal: StopSignal,
  ) => Promise<PlanResults[Kind]>;
};

/** Chooses the runner of a plan by its kind. */
export function runBy(runners: PlanRunners): Engine['run'] {
  return (plan, signal) => runners[plan.kind](plan, signal);
}

export type EngineStatus = {
  /** The number of running and of queued queries. */
  readonly queries: () => QueueLength;
  /** The latest reading of the memory; undefined before the first one. */
  readonly readMemory: () => Promise<EngineMemory | undefined>;
  /** Resolves when a trivial query was answered, or when all connections are busy. */
  readonly probe: () => Promise<void>;
};

export type RecordsPage = {
  /** The number of records. */
  readonly size: number;
  /** Values in the order of the plan's fields. */
  readonly rows: readonly (readonly Value[])[];
  /** The same by the plan's fields, if the engine has them so: reading them spares making the rows. */
  readonly columns?: readonly Column[] | undefined;
  /** The same record by record, if the engine has them so: visiting them spares making the values. */
  readonly visit?: VisitRecord | undefined;
  /** The end position of a page whose last record has this index in `rows`. */
  readonly positionAt: (index: number) => RecordPosition;
  /** Whether more records follow. */
  readonly hasMore: boolean;
  /** The number of all records that match, if the engine knows it; otherwise it is counted on demand. */
  readonly total?: number | undefined;
};

export type RecordsBatch = {
  /** The number of records. */
  readonly size: number;
  /** The ordinal after the last one that was read; the engine chooses it if the records have too many bytes. */
  readonly end: number;
  /** Values in the order of the plan's fields; empty if the engine returned columns or lines. */
  readonly rows: readonly (readonly Value[])[];
  /** The same by the plan's fields, if the engine has them so. */
  readonly columns?: readonly Column[];
  /** The records in the format of lines of the plan, if the engine writes it: that spares making the values. */
  readonly lines?: readonly RecordLines[];
};

/** The lines of some records, in UTF-8. */
export type RecordLines = { readonly size: number; readonly bytes: Uint8Array };

/**
 * A copy of the records of a plan in its order, on a disk. A stream in another order than that of the key reads it in
 * ranges, where each page of a plan would read and sort all records again. Records that are ordered by distance have the
 * value of this order too, after their fields.
 */
export type SortedRecords = {
  /** The number of its records. */
  readonly size: number;
  /** The records with these numbers in the order, from 0. Refused: a version whose data are no longer kept. */
  readonly read: (range: SortedRange, signal: StopSignal) => Promise<RecordsBatch>;
  /** Removes the copy, once no call reads it. */
  readonly close: () => Promise<void>;
};

/** `from` and `end` are numbers in the order, as the ordinals of a batch are in that of the key. */
export type SortedRange = Pick<BatchPlan, 'from' | 'end' | 'textBytesMax' | 'lines'>;

export type DistinctPage = {
  readonly values: readonly PresentValue[];
  readonly positionAt: (index: number) => DistinctPosition;
  readonly hasMore: boolean;
};

export type GroupsPage = {
  /** The values of the group terms, then those of the aggregates. */
  readonly rows: readonly (readonly Value[])[];
  /** The aggregates that those of each row are compared with; undefined without a group for that. */
  readonly compared?: readonly (readonly Value[] | undefined)[];
  /** The rank of each row by the number of the plan; undefined where that is absent. */
  readonly ranks?: readonly (GroupRank | undefined)[];
  /** The number of groups up to the one with this index, it included. */
  readonly positionAt: (index: number) => number;
  readonly hasMore: boolean;
  /** The number of groups that match the conditions. */
  readonly total: number;
  /** Whether there are more than `GROUPS_MAX` groups, or groups to compare them with here; then there is no page. */
  readonly isCutOff: boolean;
};

export type GroupRank = {
  /** 1 for the largest number; equal ones share a rank. */
  readonly rank: number;
  /** The share of the present numbers that are strictly below, from 0 to 100. */
  readonly percentile: number;
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

/** Days `YYYY-MM-DD`, null if no record has one. */
export type Extent = Omit<MetricExtent, 'isWhole'>;

/** The records of a tile, or its cells that have some. */
export type Tile =
  | {
      readonly kind: 'points';
      /** The longitude, the latitude, then the values of the fields of the plan; in the order of the key. */
      readonly rows: readonly (readonly Value[])[];
    }
  | { readonly kind: 'cells'; readonly cells: readonly TileCell[] };

export type TileCell = {
  /** From the west, from 0. */
  readonly column: number;
  /** From the north, from 0. */
  readonly row: number;
  /** The number of records. */
  readonly count: number;
  /** The aggregates of the plan; null where no record has a value, or one is too large to add. */
  readonly values: readonly (bigint | number | null)[];
};
