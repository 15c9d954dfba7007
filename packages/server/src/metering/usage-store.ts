import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import type {
  UsagePeriod,
  UsageQuery,
  UsageRecordsQuery,
  UsageReport,
  UsedRows,
} from './usage-query.ts';

/** The store of merged usage: a file of the data directory, or the PostgreSQL that several nodes share. */
export type UsageStore = {
  /**
   * Merges the current content of the segments of this data directory, each record exactly once. Any process may
   * merge at any time, and may be killed while it does. Ends early, between two chunks, if `signal` is aborted.
   */
  readonly merge: (signal?: AbortSignal) => Promise<Merged>;
  /** Queries usage, including everything that this data directory recorded before the call. */
  readonly reading: <Result>(work: (reads: UsageReads) => Promise<Result>) => Promise<Result>;
  /** Removes single records older than `keepMs`; their sums stay. */
  readonly prune: (keepMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type Merged = {
  readonly records: number;
  /** Lines that are not a record; a power failure can leave them. */
  readonly unreadableLines: number;
};

export type UsageReads = {
  /** Sums of the merged records. */
  readonly read: (query: UsageQuery) => Promise<Omit<UsageReport, 'completeUntil'>>;
  /** Single records, the oldest first, as far back as they are kept. */
  readonly records: (query: UsageRecordsQuery) => AsyncIterable<UsageRecord>;
  /** The organisations with any usage in a period. */
  readonly organisations: (period: UsagePeriod) => Promise<readonly string[]>;
  /** Fast: it takes less than a millisecond for an organisation with a few tokens and datasets. */
  readonly usedRows: (account: string, day: string) => Promise<UsedRows>;
};
