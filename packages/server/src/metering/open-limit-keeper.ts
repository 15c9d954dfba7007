import type { Caller } from '@locmetrics/core/domain/caller';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { withinTime } from '@locmetrics/core/runtime/within-time';
import {
  createLimitAccount,
  growLease,
  hasContent,
  type LeaseKinds,
  type LimitAccount,
  leftOf,
  shrinkLease,
  takeReturn,
} from './limit-account.ts';
import { LEASE_MS, type LimitClock, SYSTEM_CLOCK } from './limit-clock.ts';
import { limitExceeded } from './limit-exceeded.ts';
import { limitHeaders } from './limit-headers.ts';
import {
  type Abortable,
  type Admission,
  type LimitKeeper,
  NOTHING_CHARGED,
  type Refund,
  UNLIMITED,
} from './limit-keeper.ts';
import type { LimitAnswer, LimitLine } from './limit-messages.ts';
import { areSameLimits, hasLimits, hasRowLimits } from './limit-set.ts';
import { dayOf } from './usage-calendar.ts';

/** A keeper that returns its leases when its process ends. */
export type ClosingLimitKeeper = LimitKeeper & { readonly close: () => void };

/** The authority answers in less than a millisecond, or in 300 ms if it waits for leased rows; on a busy machine, later. */
const ANSWER_TIMEOUT_MS = 2_000;

/** A refusal is cached for a short time, so that a flood of requests does not reach the authority. */
const REFUSED_MIN_MS = 2;
const REFUSED_MAX_MS = LEASE_MS;

type Needs = {
  readonly requests: number;
  readonly rows: number;
  readonly places: number;
};

type State = {
  readonly line: LimitLine;
  readonly clock: LimitClock;
  readonly answerTimeoutMs: number;
  readonly accounts: Map<string, LimitAccount>;
};

/**
 * Enforces the limits of the organisations, as counted by the authority. For a busy organisation this
 * process holds short leases of requests, rows and slots, so that most requests need no question to the
 * authority.
 */
export function openLimitKeeper({
  line,
  clock = SYSTEM_CLOCK,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
}: Pick<State, 'line'> & Partial<Pick<State, 'clock' | 'answerTimeoutMs'>>): ClosingLimitKeeper {
  const accounts = new Map<string, LimitAccount>();
  const state: State = { line, clock, answerTimeoutMs, accounts };
  line.onRecall((organisationId) => {
    const account = accounts.get(organisationId) ?? createLimitAccount(organisationId, {});
    account.places.factor = 1;
    account.recalledUntilMs = clock.nowMs() + LEASE_MS;
    return takeReturn(account, { ...NO_LEASES, places: true });
  });
  return {
    admit: (caller, signal) => {
      if (hasLimits(caller.rights.limits)) return admit(state, caller, signal);
      if (accounts.size > 0) forget(state, caller);
      return UNLIMITED;
    },
    charge: (caller, rows) => {
      const { limits } = caller.rights;
      return rows === 0 || !hasRowLimits(limits)
        ? NOTHING_CHARGED
        : charge(state, accountOf(state, caller), rows);
    },
    headers: (caller) => {
      const { limits } = caller.rights;
      if (!hasLimits(limits)) return [];
      const account = accountOf(state, caller);
      const timeMs = clock.timeMs();
      const day = account.standing?.day ?? dayOf(timeMs);
      return limitHeaders(limits, { left: leftOf(account, clock.nowMs()), day, timeMs });
    },
    close: () => {
      for (const account of accounts.values()) endLease(line, account);
    },
  };
}

async function admit(state: State, caller: Caller, signal: Abortable): Promise<Admission> {
  const account = accountOf(state, caller);
  const { limits } = caller.rights;
  const now = state.clock.nowMs();
  const { refusal } = account;
  if (refusal !== undefined && now < refusal.untilMs) throw refusal.error();
  const isPlaceNeeded = limits.concurrentQueries !== undefined;
  const needs: Needs = {
    requests: limits.requestsPerSecond === undefined ? 0 : 1,
    rows: 0,
    places: isPlaceNeeded ? 1 : 0,
  };
  const isLent =
    now < account.leaseEndMs &&
    account.requests.left >= needs.requests &&
    account.places.left >= needs.places;
  if (isLent) {
    account.requests.left -= needs.requests;
    account.requests.used += needs.requests;
    account.places.left -= needs.places;
    account.places.used += needs.places;
  } else {
    await ask(state, account, needs);
  }
  let hasEnded = !isPlaceNeeded;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    freePlace(state, account);
  };
  if (signal.aborted) {
    // No one else will end this admission.
    end();
    throw new ServiceError('CANCELLED', 'The caller cancelled before the answer was ready.');
  }
  return {
    charge: (rows) =>
      rows === 0 || !hasRowLimits(account.limits) ? NOTHING_CHARGED : charge(state, account, rows),
    end,
  };
}

async function charge(state: State, account: LimitAccount, rows: number): Promise<Refund> {
  const { line, clock } = state;
  const isLent =
    clock.nowMs() < account.leaseEndMs &&
    account.rows.left >= rows &&
    account.standing?.day === dayOf(clock.timeMs());
  if (isLent) {
    account.rows.left -= rows;
    account.rows.used += rows;
  } else {
    await ask(state, account, { requests: 0, rows, places: 0 });
  }
  const chargedDay = account.standing?.day;
  return (refunded = rows) => {
    // Rows of an earlier day are no longer counted.
    if (account.standing?.day !== chargedDay) return;
    giveBack(line, account, { requests: 0, rows: refunded, places: 0 });
  };
}

/** Reports to the authority that the limits of an organisation were removed. */
function forget(state: State, caller: Caller): void {
  if (!state.accounts.has(caller.organisationId)) return;
  const account = accountOf(state, caller);
  state.accounts.delete(caller.organisationId);
  // A failure does no harm: the authority learns of the next limits with the next question.
  ask(state, account, { requests: 0, rows: 0, places: 0 }).catch(() => {});
}

function accountOf(
  { accounts, clock, line }: State,
  { organisationId, rights: { limits } }: Caller,
): LimitAccount {
  let account = accounts.get(organisationId);
  if (account === undefined) {
    account = createLimitAccount(organisationId, limits);
    accounts.set(organisationId, account);
  } else if (account.limits !== limits) {
    if (!areSameLimits(account.limits, limits)) {
      endLease(line, account);
      account.standing = undefined;
      account.refusal = undefined;
    }
    account.limits = limits;
  }
  // Under load the timer may be late.
  if (account.timer !== undefined && clock.nowMs() >= account.leaseEndMs) endLease(line, account);
  return account;
}

/** Asks the authority for the needs; refuses the request if they are not given. */
async function ask(state: State, account: LimitAccount, needs: Needs): Promise<void> {
  const { line, clock, answerTimeoutMs } = state;
  const { organisationId, limits, requests, rows, places } = account;
  const sentMs = clock.nowMs();
  // The lease was used up before its end.
  if (sentMs < account.leaseEndMs) {
    if (needs.requests > 0) growLease(requests);
    if (needs.rows > 0) growLease(rows);
    if (needs.places > 0 && mayKeepPlaces(account, sentMs)) growLease(places);
  }
  const answering = line.ask({
    organisationId,
    limits,
    ...needs,
    moreRequests: needs.requests * (requests.factor - 1),
    moreRows: needs.rows * (rows.factor - 1),
    morePlaces: needs.places * (places.factor - 1),
    returned: takeReturn(account, {
      requests: needs.requests > 0,
      rows: needs.rows > 0,
      places: needs.places > 0,
    }),
  });
  const answer = await withinTime(answering, {
    timeoutMs: answerTimeoutMs,
    message: `No answer within ${answerTimeoutMs} ms.`,
  }).catch((cause: unknown) => {
    // An answer that comes too late is given back.
    answering.then(
      (late) => {
        take(state, account, late, sentMs);
        if (late.kind === 'given') giveBack(line, account, needs);
      },
      () => {},
    );
    throw noAnswer(cause);
  });
  take(state, account, answer, sentMs);
  if (answer.kind === 'given') return;
  if (answer.kind === 'unknown') throw noAnswer();
  if (answer.limit === 'concurrentQueries' && places.left > 0) {
    return takeLeasedPlace(state, account, needs);
  }
  const exceeded = { ...answer, rows: needs.rows };
  const error = () => limitExceeded(limits, exceeded);
  // A refusal of rows is not cached: a smaller answer may fit.
  if (needs.rows === 0) {
    const forMs = Math.min(REFUSED_MAX_MS, Math.max(REFUSED_MIN_MS, answer.waitMs));
    const isOfPlaces = answer.limit === 'concurrentQueries';
    const untilMs = sentMs + (isOfPlaces ? REFUSED_MIN_MS : forMs);
    account.refusal = { untilMs, error };
  }
  throw error();
}

/** Uses a slot that came with the answer to an earlier question, while the authority had no other one. */
async function takeLeasedPlace(state: State, account: LimitAccount, needs: Needs): Promise<void> {
  account.places.left -= 1;
  account.places.used += 1;
  try {
    if (needs.requests > 0) await ask(state, account, { ...needs, places: 0 });
  } catch (error) {
    freePlace(state, account);
    throw error;
  }
}

function take(state: State, account: LimitAccount, answer: LimitAnswer, sentMs: number): void {
  if (answer.kind === 'unknown') return;
  const { standing } = answer;
  if (account.standing !== undefined && account.standing.day !== standing.day) {
    // Rows leased for an earlier day are void.
    account.rows.left = 0;
    account.rows.used = 0;
  }
  account.standing = standing;
  account.standingMs = state.clock.nowMs();
  if (answer.kind === 'exceeded') return;
  account.requests.left += answer.requests;
  account.rows.left += answer.rows;
  account.places.left += answer.places;
  if (account.timer !== undefined) return;
  account.leaseEndMs = endOfLeases(sentMs);
  const forMs = account.leaseEndMs - sentMs;
  account.timer = setTimeout(renewLease, forMs, state, account).unref();
}

/** All leases of this process end together, so that the messages about them are sent together. */
function endOfLeases(nowMs: number): number {
  return (Math.floor(nowMs / LEASE_MS) + 1) * LEASE_MS;
}

/**
 * Returns a lease, and asks for the next one if the organisation is busy. Rows are not asked for: those that are
 * leased delay the refusals of other processes.
 */
function renewLease(state: State, account: LimitAccount): void {
  const { line, clock } = state;
  const { organisationId, limits, requests, places } = account;
  const sentMs = clock.nowMs();
  const wasUsed = requests.used > 0 || places.used > 0;
  const mayKeep = sentMs >= account.recalledUntilMs;
  closeLease(account);
  const moreRequests = wasUsed ? sizeOf(requests) : 0;
  const morePlaces = wasUsed && mayKeep ? sizeOf(places) : 0;
  if (moreRequests + morePlaces === 0) {
    report(line, account, ALL_LEASES);
    return;
  }
  const none = { requests: 0, rows: 0, places: 0 };
  const more = { moreRequests, moreRows: 0, morePlaces };
  const returned = takeReturn(account, ALL_LEASES);
  line.ask({ organisationId, limits, ...none, ...more, returned }).then(
    (answer) => take(state, account, answer, sentMs),
    // The next request asks again.
    () => {},
  );
}

/** A process that asks for each request gets no lease. */
function sizeOf({ factor }: LimitAccount['requests']): number {
  return factor > 1 ? factor : 0;
}

function endLease(line: LimitLine, account: LimitAccount): void {
  closeLease(account);
  report(line, account, ALL_LEASES);
}

function closeLease(account: LimitAccount): void {
  clearTimeout(account.timer);
  account.timer = undefined;
  account.leaseEndMs = 0;
  shrinkLease(account.requests);
  shrinkLease(account.rows);
  shrinkLease(account.places);
  account.places.used = 0;
}

/** Keeps the slot of a request that has ended for the next one. */
function freePlace({ line, clock }: State, account: LimitAccount): void {
  account.refusal = undefined;
  // A process with few requests asks for each, so that its free slots are at once free for all.
  const isBusy = account.places.factor > 1;
  if (isBusy && mayKeepPlaces(account, clock.nowMs())) account.places.left += 1;
  else giveBack(line, account, { requests: 0, rows: 0, places: 1 });
}

/** Whether slots that are free may stay with this process. */
function mayKeepPlaces({ leaseEndMs, recalledUntilMs }: LimitAccount, nowMs: number): boolean {
  return nowMs < leaseEndMs && nowMs >= recalledUntilMs;
}

/** Returns rows and slots. The request itself stays counted, because the caller sent it. */
function giveBack(line: LimitLine, account: LimitAccount, { rows, places }: Needs): void {
  account.refundedRows += rows;
  account.endedPlaces += places;
  report(line, account, NO_LEASES);
}

const ALL_LEASES: LeaseKinds = { requests: true, rows: true, places: true };
const NO_LEASES: LeaseKinds = { requests: false, rows: false, places: false };

function report(line: LimitLine, ...taken: Parameters<typeof takeReturn>): void {
  const returned = takeReturn(...taken);
  if (hasContent(returned)) line.giveBack(returned);
}

function noAnswer(cause?: unknown): ServiceError {
  return new ServiceError('NOT_READY', 'The limits cannot be checked now.', {
    hint: 'Try again after a second.',
    cause,
  });
}
