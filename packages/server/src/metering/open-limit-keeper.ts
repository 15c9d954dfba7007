import type { Caller } from '../domain/caller.ts';
import { ServiceError } from '../domain/service-error.ts';
import { withinTime } from '../domain/within-time.ts';
import {
  createLimitAccount,
  growLease,
  isWorthTelling,
  type LimitAccount,
  leftOf,
  shrinkLease,
  takeReturn,
} from './limit-account.ts';
import { limitExceeded } from './limit-exceeded.ts';
import { limitHeaders } from './limit-headers.ts';
import { type Admission, type LimitKeeper, UNLIMITED } from './limit-keeper.ts';
import type { LimitAnswer, LimitLine } from './limit-messages.ts';
import { areSameLimits, hasLimits, hasRowLimits } from './limit-set.ts';
import { LEASE_MS, type LimitClock, SYSTEM_CLOCK } from './open-limit-authority.ts';
import { dayOf } from './usage-calendar.ts';

/** A keeper that has something to give back when its process ends. */
export type ClosingLimitKeeper = LimitKeeper & { readonly close: () => void };

/** The authority answers in less than a millisecond, or in 300 where it waits for rows to come back. */
const ANSWER_TIMEOUT_MS = 500;

/** Who is refused is refused again for a moment without asking: a flood must not reach the authority. */
const REFUSED_MIN_MS = 2;
const REFUSED_MAX_MS = LEASE_MS;

type Needs = {
  readonly requests: number;
  readonly rows: number;
  readonly places: number;
};

/**
 * Keeps the organisations within their limits, as the authority at the other end of the line knows them.
 * Of an organisation that sends much this process is lent some requests and rows for a moment, so that
 * most requests ask nobody; one for a place among those that are answered at the same time always asks.
 */
export function openLimitKeeper({
  line,
  clock = SYSTEM_CLOCK,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
}: {
  readonly line: LimitLine;
  readonly clock?: LimitClock;
  readonly answerTimeoutMs?: number;
}): ClosingLimitKeeper {
  const accounts = new Map<string, LimitAccount>();

  const accountOf = ({ organisationId, rights: { limits } }: Caller): LimitAccount => {
    let account = accounts.get(organisationId);
    if (account === undefined) {
      account = createLimitAccount(limits);
      accounts.set(organisationId, account);
    } else if (account.limits !== limits) {
      if (!areSameLimits(account.limits, limits)) {
        endLease(organisationId, account);
        account.standing = undefined;
        account.refusal = undefined;
      }
      account.limits = limits;
    }
    // A timer is late where there is much to do.
    if (account.timer !== undefined && clock.nowMs() >= account.leaseEndMs) {
      endLease(organisationId, account);
    }
    return account;
  };

  const endLease = (organisationId: string, account: LimitAccount): void => {
    clearTimeout(account.timer);
    account.timer = undefined;
    account.leaseEndMs = 0;
    shrinkLease(account.requests);
    shrinkLease(account.rows);
    const returned = takeReturn(organisationId, account, { requests: true, rows: true });
    if (isWorthTelling(returned)) line.tell(returned);
  };

  const take = (
    organisationId: string,
    account: LimitAccount,
    answer: LimitAnswer,
    sentMs: number,
  ): void => {
    if (answer.kind === 'unknown') return;
    const { standing } = answer;
    if (account.standing !== undefined && account.standing.day !== standing.day) {
      // What was lent for a day that is over is nothing any more.
      account.rows.left = 0;
      account.rows.used = 0;
    }
    account.standing = standing;
    account.standingMs = clock.nowMs();
    if (answer.kind === 'exceeded') return;
    account.requests.left += answer.requests;
    account.rows.left += answer.rows;
    if (account.timer !== undefined) return;
    account.leaseEndMs = sentMs + LEASE_MS;
    account.timer = setTimeout(endLease, LEASE_MS, organisationId, account).unref();
  };

  /** Asks for all that is needed; refuses the request where it is not given. */
  const ask = async (caller: Caller, account: LimitAccount, needs: Needs): Promise<void> => {
    const { organisationId } = caller;
    const { limits, requests, rows } = account;
    const sentMs = clock.nowMs();
    // What was lent was not enough, and its time is not over.
    if (sentMs < account.leaseEndMs) {
      if (needs.requests > 0) growLease(requests);
      if (needs.rows > 0) growLease(rows);
    }
    const answering = line.ask({
      organisationId,
      limits,
      ...needs,
      moreRequests: needs.requests * (requests.factor - 1),
      moreRows: needs.rows * (rows.factor - 1),
      returned: takeReturn(organisationId, account, {
        requests: needs.requests > 0,
        rows: needs.rows > 0,
      }),
    });
    const answer = await withinTime(answering, {
      timeoutMs: answerTimeoutMs,
      message: `No answer within ${answerTimeoutMs} ms.`,
    }).catch((cause: unknown) => {
      // What is given too late goes back.
      answering.then(
        (late) => {
          take(organisationId, account, late, sentMs);
          if (late.kind === 'given') giveBack(organisationId, account, needs);
        },
        () => {},
      );
      throw noAnswer(cause);
    });
    take(organisationId, account, answer, sentMs);
    if (answer.kind === 'given') return;
    if (answer.kind === 'unknown') throw noAnswer();
    const exceeded = { ...answer, rows: needs.rows };
    const error = () => limitExceeded(limits, exceeded);
    // A smaller answer may have fewer rows than are left.
    if (needs.rows === 0) {
      const forMs = Math.min(REFUSED_MAX_MS, Math.max(REFUSED_MIN_MS, answer.waitMs));
      const isOfPlaces = answer.limit === 'concurrentQueries';
      const untilMs = sentMs + (isOfPlaces ? REFUSED_MIN_MS : forMs);
      account.refusal = { untilMs, error };
    }
    throw error();
  };

  /** A request that was taken keeps its token: it was sent. */
  const giveBack = (
    organisationId: string,
    account: LimitAccount,
    { rows, places }: Needs,
  ): void => {
    account.refundedRows += rows;
    account.endedPlaces += places;
    const returned = takeReturn(organisationId, account, { requests: false, rows: false });
    if (isWorthTelling(returned)) line.tell(returned);
  };

  const admit = async (caller: Caller, signal: AbortSignal): Promise<Admission> => {
    const account = accountOf(caller);
    const { limits } = caller.rights;
    const now = clock.nowMs();
    const { refusal } = account;
    if (refusal !== undefined && now < refusal.untilMs) throw refusal.error();
    const needs: Needs = {
      requests: limits.requestsPerSecond === undefined ? 0 : 1,
      rows: 0,
      places: limits.concurrentQueries === undefined ? 0 : 1,
    };
    const isKnown =
      now < account.leaseEndMs && account.requests.left >= needs.requests && needs.places === 0;
    if (isKnown) {
      account.requests.left -= needs.requests;
      account.requests.used += needs.requests;
    } else {
      await ask(caller, account, needs);
    }
    let hasEnded = needs.places === 0;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      account.refusal = undefined;
      giveBack(caller.organisationId, account, needs);
    };
    if (signal.aborted) {
      // Nobody will tell its end any more.
      end();
      throw new ServiceError('CANCELLED', 'The caller went away before the answer was ready.');
    }
    return { charge: (rows) => charge(caller, account, rows), end };
  };

  const charge = async (
    caller: Caller,
    account: LimitAccount,
    rows: number,
  ): Promise<() => void> => {
    if (rows === 0 || !hasRowLimits(account.limits)) return () => {};
    const isLent =
      clock.nowMs() < account.leaseEndMs &&
      account.rows.left >= rows &&
      account.standing?.day === dayOf(clock.timeMs());
    if (isLent) {
      account.rows.left -= rows;
      account.rows.used += rows;
    } else {
      await ask(caller, account, { requests: 0, rows, places: 0 });
    }
    const chargedDay = account.standing?.day;
    return () => {
      // Rows of a day that is over are in no count any more.
      if (account.standing?.day !== chargedDay) return;
      giveBack(caller.organisationId, account, { requests: 0, rows, places: 0 });
    };
  };

  /** Tells that an organisation which had limits has none any more. */
  const forget = (caller: Caller): void => {
    if (!accounts.has(caller.organisationId)) return;
    const account = accountOf(caller);
    accounts.delete(caller.organisationId);
    const nothing: Needs = { requests: 0, rows: 0, places: 0 };
    // Nothing is asked for: who is not told now is told of the next limits.
    ask(caller, account, nothing).catch(() => {});
  };

  return {
    admit: (caller, signal) => {
      if (hasLimits(caller.rights.limits)) return admit(caller, signal);
      if (accounts.size > 0) forget(caller);
      return UNLIMITED;
    },
    headers: (caller) => {
      const { limits } = caller.rights;
      if (!hasLimits(limits)) return [];
      const account = accountOf(caller);
      const timeMs = clock.timeMs();
      const day = account.standing?.day ?? dayOf(timeMs);
      return limitHeaders(limits, { left: leftOf(account, clock.nowMs()), day, timeMs });
    },
    close: () => {
      for (const [organisationId, account] of accounts) endLease(organisationId, account);
    },
  };
}

function noAnswer(cause?: unknown): ServiceError {
  return new ServiceError('NOT_READY', 'Not answering: what the limits are counted by.', {
    hint: 'Try again after a second.',
    cause,
  });
}
