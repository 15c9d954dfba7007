import type { Merged } from './merge-segments.ts';
import type { UsedRows } from './row-budget.ts';
import type { UsageFiles } from './usage-files.ts';
import type { UsageQuery, UsageReport } from './usage-query.ts';

/** What the thread is started with. */
export type UsageThreadSetup = {
  readonly files: UsageFiles;
  /** The one of the merger makes the store, the others find it. */
  readonly use: 'start' | 'service';
};

/** What the thread of the usage store is asked. Each question begins with a merge. */
export type UsageQuestion =
  | { readonly kind: 'merge'; readonly keepMs: number }
  | { readonly kind: 'read'; readonly query: UsageQuery }
  /** How many rows an organisation has used of a day and its month so far. */
  | { readonly kind: 'used_rows'; readonly organisationId: string; readonly day: string }
  /** It is to close the store and end. */
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
  | { readonly id: number; readonly error: unknown };
