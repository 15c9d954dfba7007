import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import type { RequestRate } from './request-bucket.ts';

/** Whether anything is limited; a burst by itself limits nothing. */
export function hasLimits(limits: OrganisationLimits): boolean {
  return (
    limits.requestsPerSecond !== undefined ||
    limits.concurrentQueries !== undefined ||
    hasRowLimits(limits)
  );
}

export function hasRowLimits({ rowsPerDay, rowsPerMonth }: OrganisationLimits): boolean {
  return rowsPerDay !== undefined || rowsPerMonth !== undefined;
}

/** The default burst is the requests of one second, and at least one. */
export function rateOf({ requestsPerSecond, burst }: OrganisationLimits): RequestRate | undefined {
  if (requestsPerSecond === undefined) return undefined;
  return { requestsPerSecond, burst: burst ?? Math.max(1, Math.ceil(requestsPerSecond)) };
}

export function areSameLimits(one: OrganisationLimits, other: OrganisationLimits): boolean {
  return (
    one.requestsPerSecond === other.requestsPerSecond &&
    one.burst === other.burst &&
    one.rowsPerDay === other.rowsPerDay &&
    one.rowsPerMonth === other.rowsPerMonth &&
    one.concurrentQueries === other.concurrentQueries
  );
}
