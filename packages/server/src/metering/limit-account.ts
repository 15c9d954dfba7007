import type { OrganisationLimits } from '../domain/rights.ts';
import type { ServiceError } from '../domain/service-error.ts';
import type { LimitsLeft } from './limit-headers.ts';
import type { LimitReturn, LimitStanding } from './limit-messages.ts';
import { rateOf } from './limit-set.ts';

/** What a process knows of an organisation with limits, and what of them it was lent. */
export type LimitAccount = {
  limits: OrganisationLimits;
  readonly requests: Lease;
  readonly rows: Lease;
  /** Places that have ended since the authority was told. */
  endedPlaces: number;
  refundedRows: number;
  standing: LimitStanding | undefined;
  /** When it was told. */
  standingMs: number;
  /** Until then what was lent may be used, and what is known is believed. */
  leaseEndMs: number;
  timer: NodeJS.Timeout | undefined;
  /** Until then requests are refused without asking. */
  refusal: { readonly untilMs: number; readonly error: () => ServiceError } | undefined;
};

/** What was lent of one kind. */
type Lease = {
  left: number;
  used: number;
  /** How many times as much as is needed is asked for. */
  factor: number;
};

/** Who asks all the time is lent so many times what it needs at most. */
const FACTOR_MAX = 64;

export function createLimitAccount(limits: OrganisationLimits): LimitAccount {
  return {
    limits,
    requests: { left: 0, used: 0, factor: 1 },
    rows: { left: 0, used: 0, factor: 1 },
    endedPlaces: 0,
    refundedRows: 0,
    standing: undefined,
    standingMs: 0,
    leaseEndMs: 0,
    timer: undefined,
    refusal: undefined,
  };
}

/** It was used up before its end: more is to be asked for. */
export function growLease(lease: Lease): void {
  lease.factor = Math.min(FACTOR_MAX, lease.factor * 2);
}

/** Its end has come: less is to be asked for where most of it was not used. */
export function shrinkLease(lease: Lease): void {
  if (lease.left > lease.used) lease.factor = Math.max(1, Math.floor(lease.factor / 2));
}

/** What the authority is to be told, with what was not used of the kinds that are named; it is forgotten here. */
export function takeReturn(
  organisationId: string,
  account: LimitAccount,
  unused: { readonly requests: boolean; readonly rows: boolean },
): LimitReturn {
  const { requests, rows } = account;
  const returned: LimitReturn = {
    organisationId,
    usedRequests: requests.used,
    unusedRequests: unused.requests ? requests.left : 0,
    usedRows: rows.used,
    unusedRows: unused.rows ? rows.left : 0,
    refundedRows: account.refundedRows,
    places: account.endedPlaces,
    day: account.standing?.day ?? 0,
  };
  requests.used = 0;
  rows.used = 0;
  if (unused.requests) requests.left = 0;
  if (unused.rows) rows.left = 0;
  account.refundedRows = 0;
  account.endedPlaces = 0;
  return returned;
}

/** Whether there is anything in it to be told. */
export function isWorthTelling(returned: LimitReturn): boolean {
  const { usedRequests, unusedRequests, usedRows, unusedRows, refundedRows, places } = returned;
  return usedRequests + unusedRequests + usedRows + unusedRows + refundedRows + places > 0;
}

/** What is left to the organisation, as far as this process knows. */
export function leftOf(account: LimitAccount, nowMs: number): LimitsLeft {
  const { limits, standing, standingMs, requests, rows } = account;
  if (standing === undefined) return {};
  const { places, rowsOfDay, rowsOfMonth } = standing;
  const { requestsPerSecond = 0, burst = 0 } = rateOf(limits) ?? {};
  const cameSince = ((nowMs - standingMs) / 1000) * requestsPerSecond;
  return {
    ...(standing.requests === undefined
      ? {}
      : { requests: Math.min(burst, standing.requests + cameSince) + requests.left }),
    ...(places === undefined ? {} : { places }),
    ...(rowsOfDay === undefined ? {} : { rowsOfDay: rowsOfDay + rows.left }),
    ...(rowsOfMonth === undefined ? {} : { rowsOfMonth: rowsOfMonth + rows.left }),
  };
}
