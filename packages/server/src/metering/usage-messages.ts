import type { UsagePlace } from './usage-files.ts';
import type { UsageQuery, UsageReport, UsedRows } from './usage-query.ts';
import type { Merged } from './usage-store.ts';

/** The start parameters of the thread. */
export type UsageThreadSetup = {
  readonly place: UsagePlace;
  /** The thread of the merger creates the store (`start`); the others open it. */
  readonly use: 'start' | 'service';
};

/** A question to the thread of the usage store. Each one merges the segments first. */
export type UsageQuestion =
  | { readonly kind: 'merge'; readonly keepMs: number }
  | { readonly kind: 'read'; readonly query: UsageQuery }
  /** How many rows an organisation has used on a day and in its month so far. */
  | { readonly kind: 'used_rows'; readonly organisationId: string; readonly day: string }
  /** Ends a merge early, closes the store and ends the thread. */
  | { readonly kind: 'stop' };

export type UsageAnswers = {
  readonly merge: Merged;
  readonly read: UsageReport;
  readonly used_rows: UsedRows;
  readonly stop: undefined;
};

export type ToUsageThread = { readonly id: number; readonly question: UsageQuestion };

export type FromUsageThread =
  | { readonly id: number; readonly answer: UsageAnswers[keyof UsageAnswers] }
  | {
      readonly id: number;
      readonly error: unknown;
      /** Whether the PostgreSQL with the usage cannot be reached; the class of an error does not cross threads. */
      readonly isAway: boolean;
    };
