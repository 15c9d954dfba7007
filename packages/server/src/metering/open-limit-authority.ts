import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OrganisationLimits } from '../domain/rights.ts';
import { withinTime } from '../domain/within-time.ts';
import type { Observe } from '../observe/observation.ts';
import type {
  LimitAnswer,
  LimitLine,
  LimitName,
  LimitQuestion,
  LimitReturn,
  LimitStanding,
  RecallPlaces,
} from './limit-messages.ts';
import { areSameLimits, hasRowLimits, rateOf } from './limit-set.ts';
import { openRequestBucket, type RequestBucket } from './request-bucket.ts';
import { openRowBudget, type RowBudget } from './row-budget.ts';
import { dayOf, endOfDay, monthOf } from './usage-calendar.ts';
import type { UsedRows } from './usage-query.ts';

/** Counts the usage of all processes together, so that no organisation exceeds its limits. */
export type LimitAuthority = {
  /** A connection for one process; it must be ended when the process ends. */
  readonly openLine: () => EndingLimitLine;
};

export type EndingLimitLine = LimitLine & { readonly end: () => void };

export type LimitClock = {
  /** The wall clock in ms since 1970; it decides the day. */
  readonly timeMs: () => number;
  /** A monotonic clock in ms. */
  readonly nowMs: () => number;
};

export const SYSTEM_CLOCK: LimitClock = {
  timeMs: () => Date.now(),
  nowMs: () => performance.now(),
};

/** Reads the usage so far; called once for each organisation and day (UTC). */
export type ReadUsedRows = (organisationId: string) => Promise<UsedRows>;

/** A process returns a lease within this time. */
export const LEASE_MS = 200;

/** A process that has not returned its lease by then is dead or stuck. */
const LEASE_OVERDUE_MS = LEASE_MS + 100;

/** The retry time when all slots are taken. It is not known when a slot becomes free. */
const PLACE_WAIT_MS = 1000;

/** A process, and whether it has ended. */
type Process = { hasEnded: boolean; recall: RecallPlaces };

/** The leases and slots of a process that it has not returned. */
type Holder = { requests: number; rows: number; places: number };

type Organisation = {
  readonly id: string;
  limits: OrganisationLimits;
  bucket: RequestBucket | undefined;
  readonly budget: RowBudget;
  /** Pending while the usage so far is read. */
  beginning: Promise<void> | undefined;
  places: number;
  readonly holders: Map<Process, Holder>;
  /** Callbacks of questions that wait for leased rows; called at the next return. */
  readonly waiting: Set<() => void>;
};

type State = {
  readonly readUsedRows: ReadUsedRows;
  readonly observe: Observe;
  readonly clock: LimitClock;
  readonly organisations: Map<string, Organisation>;
};

/**
 * Opens the authority, in the one process that all others are connected to.
 *
 * Organisations are kept for the life of the process; only those with limits are stored.
 */
export function openLimitAuthority({
  clock = SYSTEM_CLOCK,
  ...options
}: Pick<State, 'readUsedRows' | 'observe'> & { readonly clock?: LimitClock }): LimitAuthority {
  const state: State = { ...options, clock, organisations: new Map() };
  return {
    openLine: () => {
      const process: Process = { hasEnded: false, recall: () => new Promise(() => {}) };
      return {
        onRecall: (recall) => {
          process.recall = recall;
        },
        ask: (question) => ask(state, process, question),
        giveBack: (returned) => {
          const organisation = state.organisations.get(returned.organisationId);
          if (organisation !== undefined) settle(organisation, process, returned);
        },
        end: () => end(state, process),
      };
    },
  };
}

async function ask(state: State, process: Process, question: LimitQuestion): Promise<LimitAnswer> {
  const { clock, observe } = state;
  const organisation = organisationOf(state, question);
  settle(organisation, process, question.returned);
  const overdueMs = clock.nowMs() + LEASE_OVERDUE_MS;
  let areRecalled = false;
  for (;;) {
    if (hasRowLimits(question.limits)) {
      try {
        await beginDay(state, organisation);
      } catch (error) {
        observe({ kind: 'used_rows_unknown', organisationId: organisation.id, error });
        return { kind: 'unknown' };
      }
    }
    if (process.hasEnded) return { kind: 'unknown' };
    const exceeded = findExceeded(organisation, question, clock);
    if (exceeded === undefined) return give(organisation, process, question);
    if (exceeded.limit === 'concurrentQueries' && !areRecalled) {
      areRecalled = true;
      await recallPlaces(organisation, process);
      continue;
    }
    // Rows leased to another process may be returned soon; the bucket of requests refills by itself.
    const isFinal =
      !isOfRows(exceeded.limit) || !organisation.budget.isLent() || clock.nowMs() >= overdueMs;
    if (isFinal) return { kind: 'exceeded', ...exceeded, standing: standingOf(organisation) };
    await nextReturn(organisation, overdueMs - clock.nowMs());
  }
}

/** Takes the free slots back that other processes lease. */
async function recallPlaces(organisation: Organisation, asking: Process): Promise<void> {
  // Slots that were given a moment ago reach their processes before the recall does.
  await nextTurn();
  const holders = [...organisation.holders].filter(
    ([process, { places }]) => process !== asking && places > 0,
  );
  await Promise.all(
    holders.map(async ([process]) => {
      const returning = Promise.resolve(process.recall(organisation.id)).then((returned) =>
        settle(organisation, process, returned),
      );
      // A process that does not answer is dead or stuck, and keeps its slots until it ends.
      await withinTime(returning, { timeoutMs: LEASE_OVERDUE_MS, message: 'No answer.' }).catch(
        () => {},
      );
    }),
  );
}

function end({ organisations }: State, process: Process): void {
  for (const [organisationId, organisation] of organisations) {
    const holder = organisation.holders.get(process);
    if (holder === undefined) continue;
    // How much of its leases was used is unknown, so all counts as used. Its slots are freed.
    settle(organisation, process, {
      organisationId,
      usedRequests: holder.requests,
      unusedRequests: 0,
      usedRows: holder.rows,
      unusedRows: 0,
      refundedRows: 0,
      places: holder.places,
      day: organisation.budget.day() ?? 0,
    });
    organisation.holders.delete(process);
  }
  process.hasEnded = true;
}

function organisationOf(
  { organisations, clock }: State,
  { organisationId, limits }: LimitQuestion,
): Organisation {
  let organisation = organisations.get(organisationId);
  if (organisation === undefined) {
    organisation = {
      id: organisationId,
      limits: {},
      bucket: undefined,
      budget: openRowBudget(),
      beginning: undefined,
      places: 0,
      holders: new Map(),
      waiting: new Set(),
    };
    organisations.set(organisationId, organisation);
  }
  if (!areSameLimits(organisation.limits, limits)) changeLimits(organisation, limits, clock);
  return organisation;
}

function changeLimits(
  organisation: Organisation,
  limits: OrganisationLimits,
  clock: LimitClock,
): void {
  const { budget, holders } = organisation;
  organisation.limits = limits;
  // Usage is not counted while there is no limit.
  if (!hasRowLimits(limits)) {
    budget.forget();
    for (const holder of holders.values()) holder.rows = 0;
  }
  const rate = rateOf(limits);
  if (rate === undefined) {
    organisation.bucket = undefined;
    for (const holder of holders.values()) holder.requests = 0;
  } else if (organisation.bucket === undefined) {
    organisation.bucket = openRequestBucket(rate, clock.nowMs);
  } else organisation.bucket.change(rate);
}

function settle(organisation: Organisation, process: Process, returned: LimitReturn): void {
  // Its last message may arrive after its end, which has settled everything.
  if (process.hasEnded) return;
  const { bucket, budget, waiting } = organisation;
  const holder = holderOf(organisation, process);
  const requests = shareOut(holder.requests, returned.usedRequests, returned.unusedRequests);
  holder.requests -= requests.used + requests.unused;
  bucket?.settle(requests);
  const places = Math.min(holder.places, returned.places);
  holder.places -= places;
  organisation.places -= places;
  // Rows of an earlier day do not count for the current one.
  if (returned.day !== budget.day()) return;
  const rows = shareOut(holder.rows, returned.usedRows, returned.unusedRows);
  holder.rows -= rows.used + rows.unused;
  budget.settle(rows);
  budget.refund(returned.refundedRows);
  for (const proceed of [...waiting]) proceed();
}

function holderOf({ holders }: Organisation, process: Process): Holder {
  let holder = holders.get(process);
  if (holder === undefined) {
    holder = { requests: 0, rows: 0, places: 0 };
    holders.set(process, holder);
  }
  return holder;
}

/** Never settles more than was leased. */
function shareOut(lent: number, used: number, unused: number) {
  const ofUnused = Math.min(lent, unused);
  return { unused: ofUnused, used: Math.min(lent - ofUnused, used) };
}

/** Reads the usage so far, if the day is new for the organisation. */
async function beginDay(state: State, organisation: Organisation): Promise<void> {
  while (organisation.budget.day() !== dayOf(state.clock.timeMs())) {
    organisation.beginning ??= readDay(state, organisation).finally(() => {
      organisation.beginning = undefined;
    });
    await organisation.beginning;
  }
}

async function readDay({ clock, readUsedRows }: State, organisation: Organisation): Promise<void> {
  const { id, budget, holders } = organisation;
  // The leases of the previous day are returned first, so that the month counts them.
  const overdueMs = clock.nowMs() + LEASE_OVERDUE_MS;
  while (budget.isLent() && clock.nowMs() < overdueMs) {
    await nextReturn(organisation, overdueMs - clock.nowMs());
  }
  const day = dayOf(clock.timeMs());
  budget.begin(day, await readUsedRows(id));
  for (const holder of holders.values()) holder.rows = 0;
}

type Exceeded = { readonly limit: LimitName; readonly waitMs: number };

function findExceeded(
  { bucket, budget, places, limits }: Organisation,
  needed: LimitQuestion,
  clock: LimitClock,
): Exceeded | undefined {
  if (bucket !== undefined && bucket.left() < needed.requests) {
    return { limit: 'requestsPerSecond', waitMs: bucket.waitMs() };
  }
  // Some requests cost no rows, for example those with countOnly.
  if (needed.rows > 0) {
    const { ofDay, ofMonth } = budget.left(limits);
    const { rows } = needed;
    const day = budget.day() ?? 0;
    const waitUntil = (endMs: number) => endMs - clock.timeMs();
    // If both are exceeded, the caller must wait for the later reset.
    if (ofMonth < rows) return { limit: 'rowsPerMonth', waitMs: waitUntil(monthOf(day).endMs) };
    if (ofDay < rows) return { limit: 'rowsPerDay', waitMs: waitUntil(endOfDay(day)) };
  }
  const { concurrentQueries = Number.POSITIVE_INFINITY } = limits;
  return places + needed.places > concurrentQueries
    ? { limit: 'concurrentQueries', waitMs: PLACE_WAIT_MS }
    : undefined;
}

function isOfRows(limit: LimitName): boolean {
  return limit === 'rowsPerDay' || limit === 'rowsPerMonth';
}

function give(organisation: Organisation, process: Process, question: LimitQuestion): LimitAnswer {
  const { bucket, budget, limits } = organisation;
  const holder = holderOf(organisation, process);
  bucket?.take(question.requests);
  budget.take(question.rows);
  const places = lendablePlaces(organisation, question);
  organisation.places += question.places + places;
  holder.places += question.places + places;
  const requests = bucket?.lend(question.moreRequests) ?? 0;
  const rows = hasRowLimits(limits) ? budget.lend(question.moreRows, limits) : 0;
  holder.requests += requests;
  holder.rows += rows;
  return { kind: 'given', requests, rows, places, standing: standingOf(organisation) };
}

/** At most half of the free slots, so that other processes seldom need them back. */
function lendablePlaces(
  { places, limits: { concurrentQueries = 0 } }: Organisation,
  needed: LimitQuestion,
): number {
  const free = concurrentQueries - places - needed.places;
  return Math.max(0, Math.min(needed.morePlaces, Math.floor(free / 2)));
}

function standingOf({ bucket, budget, places, limits }: Organisation): LimitStanding {
  const { concurrentQueries, rowsPerDay, rowsPerMonth } = limits;
  const { ofDay, ofMonth } = budget.left(limits);
  return {
    requests: bucket?.left(),
    places: concurrentQueries === undefined ? undefined : Math.max(0, concurrentQueries - places),
    rowsOfDay: rowsPerDay === undefined ? undefined : ofDay,
    rowsOfMonth: rowsPerMonth === undefined ? undefined : ofMonth,
    day: budget.day() ?? 0,
  };
}

function nextReturn({ waiting }: Organisation, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      waiting.delete(end);
      resolve();
    };
    const timer = setTimeout(end, withinMs);
    waiting.add(end);
  });
}
