import type { UsageRecord } from '../domain/usage-record.ts';

/** By what usage is added up; `dataset` is the resource, whatever it is. */
export const USAGE_GROUPS = ['organisation', 'day', 'dataset', 'operation', 'token'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Days are `YYYY-MM-DD` in UTC, both included. */
export type UsagePeriod = { readonly from: string; readonly to: string };

export type UsageQuery = UsagePeriod & {
  /** Undefined: of all. */
  readonly organisationId: string | undefined;
  readonly groupBy: readonly UsageGroup[];
  /** The values of the groups behind which the rows begin; undefined: from the first. */
  readonly after: readonly string[] | undefined;
  readonly rowsMax: number;
};

export type UsageSums = {
  readonly requests: number;
  readonly rows: number;
  readonly bytes: number;
};

/** The sums of what the groups have in common, with a value for each. */
export type UsageRow = UsageSums & { readonly groups: readonly string[] };

export type UsageReport = {
  /** In the order of the values of their groups. */
  readonly rows: readonly UsageRow[];
  readonly hasMore: boolean;
  /** Of the whole period, on every page. */
  readonly total: UsageSums;
  /** Every request that was answered before this time is in it, in ms since 1970. */
  readonly completeUntil: number;
};

/** Rows of answers on a day, and in its month. */
export type UsedRows = { readonly day: number; readonly month: number };

export type UsageRecordsQuery = UsagePeriod & { readonly organisationId: string };

/** The day of a record. */
export function dayOf({ time }: Pick<UsageRecord, 'time'>): string {
  return new Date(time).toISOString().slice(0, 10);
}
