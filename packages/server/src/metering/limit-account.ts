import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import type { ServiceError } from '@locmetrics/core/errors/service-error';
import type { LimitsLeft } from './limit-headers.ts';
import type { LimitReturn, LimitStanding } from './limit-messages.ts';
import { rateOf } from './limit-set.ts';

/** The state of an organisation with limits in one process, with the process's leases. */
export type LimitAccount = {
  readonly organisationId: string;
  limits: OrganisationLimits;
  readonly requests: Lease;
  readonly rows: Lease;
  /** Slots: those left are free, and those used are the requests that a lease admitted. */
  readonly places: Lease;
  /** Until then freed slots go back to the authority, because another process needs them. */
  recalledUntilMs: number;
  /** Slots that were freed and not yet reported to the authority. */
  endedPlaces: number;
  refundedRows: number;
  standing: LimitStanding | undefined;
  /** When the authority reported `standing`. */
  standingMs: number;
  /** The leases and `standing` are valid until then. */
  leaseEndMs: number;
  timer: NodeJS.Timeout | undefined;
  /** Requests are refused until then without asking the authority. */
  refusal: { readonly untilMs: number; readonly error: () => ServiceError } | undefined;
};

/** The lease of requests, of rows or of slots. */
type Lease = {
  left: number;
  used: number;
  /** Each request for a lease asks for this many times the amount needed. */
  factor: number;
};

/** The largest factor, for a process that asks all the time. */
const FACTOR_MAX = 64;

export function createLimitAccount(
  organisationId: string,
  limits: OrganisationLimits,
): LimitAccount {
  return {
    organisationId,
    limits,
    requests: { left: 0, used: 0, factor: 1 },
    rows: { left: 0, used: 0, factor: 1 },
    places: { left: 0, used: 0, factor: 1 },
    recalledUntilMs: 0,
    endedPlaces: 0,
    refundedRows: 0,
    standing: undefined,
    standingMs: 0,
    leaseEndMs: 0,
    timer: undefined,
    refusal: undefined,
  };
}

/** Asks for more next time, because the lease was used up before its end. */
export function growLease(lease: Lease): void {
  lease.factor = Math.min(FACTOR_MAX, lease.factor * 2);
}

/**
 * Asks for less after a lease has ended if less than a quarter of it was used. A lease that fits exactly would be
 * used up before its end half of the time.
 */
export function shrinkLease(lease: Lease): void {
  if (lease.left > 3 * lease.used) lease.factor = Math.max(1, Math.floor(lease.factor / 2));
}

export type LeaseKinds = {
  readonly requests: boolean;
  readonly rows: boolean;
  readonly places: boolean;
};

/** Makes the report to the authority and resets the counts. `unused` selects the leases to give back. */
export function takeReturn(account: LimitAccount, unused: LeaseKinds): LimitReturn {
  const { organisationId, requests, rows, places } = account;
  const unusedPlaces = unused.places ? places.left : 0;
  const returned: LimitReturn = {
    organisationId,
    usedRequests: requests.used,
    unusedRequests: unused.requests ? requests.left : 0,
    usedRows: rows.used,
    unusedRows: unused.rows ? rows.left : 0,
    refundedRows: account.refundedRows,
    places: account.endedPlaces + unusedPlaces,
    day: account.standing?.day ?? 0,
  };
  const { standing } = account;
  if (standing !== undefined) {
    // The authority has again what is given back.
    const { unusedRequests, unusedRows } = returned;
    account.standing = {
      ...standing,
      requests: plus(standing.requests, unusedRequests),
      places: plus(standing.places, unusedPlaces),
      rowsOfDay: plus(standing.rowsOfDay, unusedRows),
      rowsOfMonth: plus(standing.rowsOfMonth, unusedRows),
    };
  }
  requests.used = 0;
  rows.used = 0;
  if (unused.requests) requests.left = 0;
  if (unused.rows) rows.left = 0;
  if (unused.places) places.left = 0;
  account.refundedRows = 0;
  account.endedPlaces = 0;
  return returned;
}

/** Whether the report has any content. */
export function hasContent(returned: LimitReturn): boolean {
  const { usedRequests, unusedRequests, usedRows, unusedRows, refundedRows, places } = returned;
  return usedRequests + unusedRequests + usedRows + unusedRows + refundedRows + places > 0;
}

/** The remaining limits of the organisation, as far as this process knows. */
export function leftOf(account: LimitAccount, nowMs: number): LimitsLeft {
  const { limits, standing, standingMs, requests, rows } = account;
  if (standing === undefined) return {};
  const { places, rowsOfDay, rowsOfMonth } = standing;
  const { requestsPerSecond = 0, burst = 0 } = rateOf(limits) ?? {};
  const cameSince = ((nowMs - standingMs) / 1000) * requestsPerSecond;
  return {
    requests: plus(
      standing.requests === undefined ? undefined : Math.min(burst, standing.requests + cameSince),
      requests.left,
    ),
    places: plus(places, account.places.left),
    rowsOfDay: plus(rowsOfDay, rows.left),
    rowsOfMonth: plus(rowsOfMonth, rows.left),
  };
}

/** Undefined stands for no limit. */
function plus(left: number | undefined, more: number): number | undefined {
  return left === undefined ? undefined : left + more;
}
