import type { OrganisationLimits } from '../domain/rights.ts';
import type { LimitHeaders } from './limit-keeper.ts';
import { rateOf } from './limit-set.ts';
import { endOfDay, monthOf } from './usage-calendar.ts';

/** The remainder of each limit; absent if there is no limit or the remainder is unknown. */
export type LimitsLeft = {
  readonly requests?: number | undefined;
  readonly places?: number | undefined;
  readonly rowsOfDay?: number | undefined;
  readonly rowsOfMonth?: number | undefined;
};

/**
 * The header fields with the limits and their remainders. Requests use the fields of
 * draft-ietf-httpapi-ratelimit-headers-10. It has none for rows, so rows use two fields of our own with the
 * same syntax. They are structured fields (RFC 9651): lists of strings with parameters `q` (the quota),
 * `w` (its window in seconds), `qu` (the unit), `r` (the remainder) and `t` (the seconds until there is
 * more).
 */
export function limitHeaders(
  limits: OrganisationLimits,
  {
    left,
    day,
    timeMs,
  }: {
    readonly left: LimitsLeft;
    /** The day (UTC) of the remainders. */
    readonly day: number;
    readonly timeMs: number;
  },
): LimitHeaders {
  const { concurrentQueries, rowsPerDay, rowsPerMonth } = limits;
  const rate = rateOf(limits);
  const month = monthOf(day);
  const secondsUntil = (endMs: number): number => Math.max(0, wholeSeconds(endMs - timeMs));
  const requestPolicies: string[] = [];
  const requestsLeft: string[] = [];
  const rowPolicies: string[] = [];
  const rowsLeft: string[] = [];
  if (rate !== undefined) {
    const { requestsPerSecond } = rate;
    const q = Math.floor(rate.burst);
    // A caller that sends at most q requests in w seconds never exceeds the limit.
    requestPolicies.push(`"requests";q=${q};w=${Math.ceil(q / requestsPerSecond)}`);
    if (left.requests !== undefined) {
      const r = Math.min(q, Math.floor(left.requests));
      const nextMs = ((r + 1 - left.requests) / requestsPerSecond) * 1000;
      requestsLeft.push(`"requests";r=${r}${r === q ? '' : `;t=${wholeSeconds(nextMs)}`}`);
    }
  }
  if (concurrentQueries !== undefined) {
    requestPolicies.push(`"concurrent";q=${concurrentQueries};qu="concurrent-requests"`);
    if (left.places !== undefined) requestsLeft.push(`"concurrent";r=${left.places}`);
  }
  if (rowsPerDay !== undefined) {
    rowPolicies.push(`"day";q=${rowsPerDay};w=86400`);
    if (left.rowsOfDay !== undefined) {
      rowsLeft.push(`"day";r=${left.rowsOfDay};t=${secondsUntil(endOfDay(day))}`);
    }
  }
  if (rowsPerMonth !== undefined) {
    rowPolicies.push(`"month";q=${rowsPerMonth};w=${wholeSeconds(month.endMs - month.startMs)}`);
    if (left.rowsOfMonth !== undefined) {
      rowsLeft.push(`"month";r=${left.rowsOfMonth};t=${secondsUntil(month.endMs)}`);
    }
  }
  const fields: readonly (readonly [string, readonly string[]])[] = [
    ['ratelimit-policy', requestPolicies],
    ['ratelimit', requestsLeft],
    ['locmetrics-rows-policy', rowPolicies],
    ['locmetrics-rows', rowsLeft],
  ];
  return fields
    .filter(([, items]) => items.length > 0)
    .map(([name, items]) => [name, items.join(', ')]);
}

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
