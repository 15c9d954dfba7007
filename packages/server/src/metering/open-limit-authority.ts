import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { withinTime } from '@locmetrics/core/runtime/within-time';
import type { Observe } from '../observe/observation.ts';
import type { LimitAllowance, SharedLimits } from './limit-allowance.ts';
import { type LimitClock, RETURN_OVERDUE_MS, SYSTEM_CLOCK } from './limit-clock.ts';
import type {
  LimitAnswer,
  LimitLine,
  LimitName,
  LimitQuestion,
  LimitReturn,
  RecallPlaces,
} from './limit-messages.ts';
import { areSameLimits, hasRowLimits, rateOf } from './limit-set.ts';
import { openLocalAllowance } from './local-allowance.ts';
import type { UsedRows } from './usage-query.ts';

/** Counts the usage of all processes together, so that no organisation exceeds its limits. */
export type LimitAuthority = {
  /** A connection for one process; it must be ended when the process ends. */
  readonly openLine: () => EndingLimitLine;
};

export type EndingLimitLine = LimitLine & { readonly end: () => void };

/** Reads the usage so far; called once for each organisation and day (UTC). */
export type ReadUsedRows = (organisationId: string) => Promise<UsedRows>;

/** A process, and whether it has ended. */
type Process = { hasEnded: boolean; recall: RecallPlaces };

/** The leases and slots of a process that it has not returned; the rows are those of `day`. */
type Holder = { requests: number; rows: number; places: number; day: number | undefined };

type Organisation = {
  readonly id: string;
  limits: OrganisationLimits;
  readonly allowance: LimitAllowance;
  readonly holders: Map<Process, Holder>;
};

type State = {
  readonly readUsedRows: ReadUsedRows;
  readonly observe: Observe;
  readonly clock: LimitClock;
  readonly shared: SharedLimits | undefined;
  readonly organisations: Map<string, Organisation>;
};

/**
 * Opens the authority, in the one process of a machine that all others are connected to. With `shared`, the limits hold for
 * all machines that share them.
 *
 * Organisations are kept for the life of the process; only those with limits are stored.
 */
export function openLimitAuthority({
  clock = SYSTEM_CLOCK,
  shared,
  ...options
}: Pick<State, 'readUsedRows' | 'observe'> & {
  readonly clock?: LimitClock;
  readonly shared?: SharedLimits | undefined;
}): LimitAuthority {
  const state: State = { ...options, clock, shared, organisations: new Map() };
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
  const { allowance } = organisation;
  settle(organisation, process, question.returned);
  const overdueMs = clock.nowMs() + RETURN_OVERDUE_MS;
  let areRecalled = false;
  let mayReplenish = allowance.replenish !== undefined;
  for (;;) {
    if (hasRowLimits(question.limits)) {
      try {
        await allowance.startDay();
      } catch (error) {
        observe({ kind: 'used_rows_unknown', organisationId: organisation.id, error });
        return { kind: 'unknown' };
      }
    }
    if (process.hasEnded) return { kind: 'unknown' };
    const exceeded = allowance.findExceeded(question);
    if (exceeded === undefined) return give(organisation, process, question);
    // Another request may have taken what was drawn for this one.
    if (mayReplenish || (exceeded.mayBeDrawn === true && clock.nowMs() < overdueMs)) {
      mayReplenish = false;
      await allowance.replenish?.(question);
      continue;
    }
    if (exceeded.limit === 'concurrentQueries' && !areRecalled) {
      areRecalled = true;
      await recallPlaces(organisation, process);
      // By the next time, other machines have returned their free slots too.
      mayReplenish = allowance.replenish !== undefined;
      continue;
    }
    // Rows leased to another process may be returned soon; the bucket of requests refills by itself.
    const isFinal =
      !isOfRows(exceeded.limit) || !allowance.areRowsLent() || clock.nowMs() >= overdueMs;
    if (isFinal) {
      const { limit, waitMs, mayBeDrawn = false } = exceeded;
      // There are enough, but other requests were faster for too long.
      if (mayBeDrawn) return { kind: 'unknown' };
      return { kind: 'exceeded', limit, waitMs, standing: allowance.standing() };
    }
    await allowance.nextReturn(overdueMs - clock.nowMs());
  }
}

/** Takes the free slots back that processes lease. */
async function recallPlaces(organisation: Organisation, asking?: Process): Promise<void> {
  // Slots that were given a moment ago reach their processes before the recall does.
  await nextLoopTick();
  const holders = [...organisation.holders].filter(
    ([process, { places }]) => process !== asking && places > 0,
  );
  await Promise.all(
    holders.map(async ([process]) => {
      const returning = Promise.resolve(process.recall(organisation.id)).then((returned) =>
        settle(organisation, process, returned),
      );
      // A process that does not answer is dead or stuck, and keeps its slots until it ends.
      await withinTime(returning, { timeoutMs: RETURN_OVERDUE_MS, message: 'No answer.' }).catch(
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
      day: organisation.allowance.day() ?? 0,
    });
    organisation.holders.delete(process);
  }
  process.hasEnded = true;
}

function organisationOf(state: State, { organisationId, limits }: LimitQuestion): Organisation {
  const { organisations } = state;
  let organisation = organisations.get(organisationId);
  if (organisation === undefined) {
    organisation = openOrganisation(state, organisationId);
    organisations.set(organisationId, organisation);
  }
  if (!areSameLimits(organisation.limits, limits)) changeLimits(organisation, limits);
  return organisation;
}

function openOrganisation({ clock, readUsedRows, shared }: State, id: string): Organisation {
  const holders = new Map<Process, Holder>();
  const options = { clock, readUsedRows: () => readUsedRows(id) };
  if (shared === undefined) {
    return { id, limits: {}, allowance: openLocalAllowance(options), holders };
  }
  const allowance = shared.openAllowance({
    ...options,
    organisationId: id,
    recallPlaces: () => recallPlaces(organisation),
  });
  const organisation: Organisation = { id, limits: {}, allowance, holders };
  return organisation;
}

function changeLimits(organisation: Organisation, limits: OrganisationLimits): void {
  const { allowance, holders } = organisation;
  organisation.limits = limits;
  allowance.change(limits);
  for (const holder of holders.values()) {
    if (!hasRowLimits(limits)) holder.rows = 0;
    if (rateOf(limits) === undefined) holder.requests = 0;
  }
}

function settle(organisation: Organisation, process: Process, returned: LimitReturn): void {
  // Its last message may arrive after its end, which has settled everything.
  if (process.hasEnded) return;
  const { allowance } = organisation;
  const holder = holderOf(organisation, process);
  // Rows of an earlier day do not count for the current one.
  const isOfDay = returned.day === allowance.day();
  const requests = shareOut(holder.requests, returned.usedRequests, returned.unusedRequests);
  const rows = isOfDay
    ? shareOut(holder.rows, returned.usedRows, returned.unusedRows)
    : { used: 0, unused: 0 };
  const places = Math.min(holder.places, returned.places);
  holder.requests -= requests.used + requests.unused;
  holder.rows -= rows.used + rows.unused;
  holder.places -= places;
  const refundedRows = isOfDay ? returned.refundedRows : 0;
  allowance.settle({ requests, rows, refundedRows, places });
}

function holderOf({ holders, allowance }: Organisation, process: Process): Holder {
  let holder = holders.get(process);
  if (holder === undefined) {
    holder = { requests: 0, rows: 0, places: 0, day: undefined };
    holders.set(process, holder);
  }
  const day = allowance.day();
  if (holder.day !== day) {
    holder.day = day;
    holder.rows = 0;
  }
  return holder;
}

/** Never settles more than was leased. */
function shareOut(lent: number, used: number, unused: number) {
  const ofUnused = Math.min(lent, unused);
  return { unused: ofUnused, used: Math.min(lent - ofUnused, used) };
}

function isOfRows(limit: LimitName): boolean {
  return limit === 'rowsPerDay' || limit === 'rowsPerMonth';
}

function give(organisation: Organisation, process: Process, question: LimitQuestion): LimitAnswer {
  const { allowance } = organisation;
  const holder = holderOf(organisation, process);
  const { requests, rows, places } = allowance.give(question);
  holder.requests += requests;
  holder.rows += rows;
  holder.places += question.places + places;
  return { kind: 'given', requests, rows, places, standing: allowance.standing() };
}
