import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { LimitName, LimitStanding } from './limit-messages.ts';
import { rateOf } from './limit-set.ts';
import { endOfDay, monthOf } from './usage-calendar.ts';

/** The refusal of a request that exceeds a limit, or of an answer with too many rows. */
export function limitExceeded(
  limits: OrganisationLimits,
  exceeded: {
    readonly limit: LimitName;
    readonly waitMs: number;
    readonly standing: LimitStanding;
    /** The rows of the answer; 0 before there is one. */
    readonly rows: number;
  },
): ServiceError {
  const { message, hint } = describe(limits, exceeded);
  const retryAfterSeconds = Math.max(1, Math.ceil(exceeded.waitMs / 1000));
  return new ServiceError('LIMIT_EXCEEDED', message, {
    hint,
    limit: exceeded.limit,
    retryAfterSeconds,
  });
}

type Exceeded = Parameters<typeof limitExceeded>[1];

function describe(
  limits: OrganisationLimits,
  exceeded: Exceeded,
): { readonly message: string; readonly hint: string } {
  const { limit, waitMs, standing } = exceeded;
  switch (limit) {
    case 'requestsPerSecond': {
      const { requestsPerSecond = 0, burst = 0 } = rateOf(limits) ?? {};
      return {
        message: `Your organisation may send ${requestsPerSecond} requests a second, in bursts of ${burst}. None is left; the next is allowed in ${Math.ceil(waitMs)} ms.`,
        hint: 'Send fewer requests a second. The header RateLimit contains how many are left.',
      };
    }
    case 'concurrentQueries':
      return {
        message: `Your organisation has ${limits.concurrentQueries} requests in progress, which is its limit.`,
        hint: 'Wait until one of them has ended before you send the next.',
      };
    case 'rowsPerDay':
      return describeRows(exceeded, {
        most: `${limits.rowsPerDay} rows a day`,
        left: standing.rowsOfDay ?? 0,
        resetMs: endOfDay(standing.day),
      });
    case 'rowsPerMonth':
      return describeRows(exceeded, {
        most: `${limits.rowsPerMonth} rows a month`,
        left: standing.rowsOfMonth ?? 0,
        resetMs: monthOf(standing.day).endMs,
      });
  }
}

function describeRows(
  { rows }: Exceeded,
  {
    most,
    left,
    resetMs,
  }: {
    readonly most: string;
    readonly left: number;
    readonly resetMs: number;
  },
) {
  const reset = new Date(resetMs).toISOString().replace('.000Z', 'Z');
  if (left === 0) {
    return {
      message: `None of the ${most} of your organisation is left. The count restarts at ${reset}.`,
      hint: 'Wait until then, or ask the data owner for more.',
    };
  }
  return {
    message: `The answer has ${rows} ${rows === 1 ? 'row' : 'rows'}, and ${left} of the ${most} of your organisation are left. The count restarts at ${reset}.`,
    hint: `Ask for a smaller page: pageSize at most ${left}; or for a map tile with more filters. With countOnly the answer is the number of rows that all pages cost.`,
  };
}
