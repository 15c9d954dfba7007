import type { UsageGroup } from '@locmetrics/core/domain/usage-group';

/** The column of each group in the tables of usage. */
export const USAGE_COLUMNS: Readonly<Record<UsageGroup, string>> = {
  organisation: 'organisation',
  day: 'day',
  dataset: 'resource',
  operation: 'operation',
  token: 'token',
};

/** Days are `YYYY-MM-DD` in UTC, both included. */
export type UsagePeriod = { readonly from: string; readonly to: string };

export type UsageQuery = UsagePeriod & {
  /** Undefined: all. */
  readonly organisationId: string | undefined;
  readonly groupBy: readonly UsageGroup[];
  /** The group values of the last row of the previous page; undefined on the first page. */
  readonly after: readonly string[] | undefined;
  readonly rowsMax: number;
};

export type UsageSums = {
  readonly requests: number;
  readonly rows: number;
  readonly bytes: number;
};

/** The sums of one combination of group values. */
export type UsageRow = UsageSums & { readonly groups: readonly string[] };

export type UsageReport = {
  /** Sorted by their group values. */
  readonly rows: readonly UsageRow[];
  readonly hasMore: boolean;
  /** The totals of the whole period, the same on every page. */
  readonly total: UsageSums;
  /** The report includes every request that was answered before this time, in ms since 1970. */
  readonly completeUntil: number;
};

/** Rows of answers on a day, and in its month. */
export type UsedRows = { readonly day: number; readonly month: number };

export type UsageRecordsQuery = UsagePeriod & { readonly organisationId: string };
