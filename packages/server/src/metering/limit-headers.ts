import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { memoize } from '@locmetrics/core/runtime/memoize';
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
  const { rate, requestPolicy, rowPolicy, dayEndMs, monthEndMs } = policiesOf(limits)(day);
  const secondsUntil = (endMs: number): number => Math.max(0, wholeSeconds(endMs - timeMs));
  const requestsLeft: string[] = [];
  const rowsLeft: string[] = [];
  if (rate !== undefined && left.requests !== undefined) {
    const q = Math.floor(rate.burst);
    const r = Math.min(q, Math.floor(left.requests));
    const nextMs = ((r + 1 - left.requests) / rate.requestsPerSecond) * 1000;
    requestsLeft.push(`"requests";r=${r}${r === q ? '' : `;t=${wholeSeconds(nextMs)}`}`);
  }
  if (concurrentQueries !== undefined && left.places !== undefined) {
    requestsLeft.push(`"concurrent";r=${left.places}`);
  }
  if (rowsPerDay !== undefined && left.rowsOfDay !== undefined) {
    rowsLeft.push(`"day";r=${left.rowsOfDay};t=${secondsUntil(dayEndMs)}`);
  }
  if (rowsPerMonth !== undefined && left.rowsOfMonth !== undefined) {
    rowsLeft.push(`"month";r=${left.rowsOfMonth};t=${secondsUntil(monthEndMs)}`);
  }
  const fields: [string, string][] = [];
  if (requestPolicy !== '') fields.push(['ratelimit-policy', requestPolicy]);
  if (requestsLeft.length > 0) fields.push(['ratelimit', requestsLeft.join(', ')]);
  if (rowPolicy !== '') fields.push(['locmetrics-rows-policy', rowPolicy]);
  if (rowsLeft.length > 0) fields.push(['locmetrics-rows', rowsLeft.join(', ')]);
  return fields;
}

/** The parts of the fields that follow from the limits and the day alone. */
const policiesOf = memoize((limits: OrganisationLimits) =>
  memoize((day: number) => describePolicies(limits, day), 1),
);

function describePolicies(limits: OrganisationLimits, day: number) {
  const { concurrentQueries, rowsPerDay, rowsPerMonth } = limits;
  const rate = rateOf(limits);
  const month = monthOf(day);
  const requests: string[] = [];
  const rows: string[] = [];
  if (rate !== undefined) {
    const q = Math.floor(rate.burst);
    // A caller that sends at most q requests in w seconds never exceeds the limit.
    requests.push(`"requests";q=${q};w=${Math.ceil(q / rate.requestsPerSecond)}`);
  }
  if (concurrentQueries !== undefined) {
    requests.push(`"concurrent";q=${concurrentQueries};qu="concurrent-requests"`);
  }
  if (rowsPerDay !== undefined) rows.push(`"day";q=${rowsPerDay};w=86400`);
  if (rowsPerMonth !== undefined) {
    rows.push(`"month";q=${rowsPerMonth};w=${wholeSeconds(month.endMs - month.startMs)}`);
  }
  return {
    rate,
    requestPolicy: requests.join(', '),
    rowPolicy: rows.join(', '),
    dayEndMs: endOfDay(day),
    monthEndMs: month.endMs,
  };
}

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
