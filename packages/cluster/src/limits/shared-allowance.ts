import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { type DemandMeter, openDemandMeter } from '@locmetrics/server/metering/demand-meter';
import {
  type LimitAllowance,
  type LimitAmounts,
  type LimitWishes,
  openReturnSignal,
  type SettledAmounts,
  type SharedAllowanceOptions,
} from '@locmetrics/server/metering/limit-allowance';
import { LEASE_MS, RETURN_OVERDUE_MS } from '@locmetrics/server/metering/limit-clock';
import { hasRowLimits, rateOf } from '@locmetrics/server/metering/limit-set';
import { dayOf } from '@locmetrics/server/metering/usage-calendar';
import {
  forgetRows,
  isDayBegun,
  NOTHING,
  type SharedSource,
  type State,
} from './shared-allowance-state.ts';
import { AHEAD_MS, draw, drawFor, slotsToKeep } from './shared-draw.ts';
import { findExceeded, standingOf } from './shared-standing.ts';

/** An allowance that draws on what several machines share. */
export type SharedAllowance = LimitAllowance & {
  /** Returns what is not needed; called every `TICK_MS`. */
  readonly tick: () => void;
  /** Whether its rows are counted with those of other machines. */
  readonly areRowsCounted: () => boolean;
  /** Hears the rows that all machines have used, so that it knows its part if the database goes away. */
  readonly receiveUsed: (used: CountedRows) => void;
  /** Returns free slots at once, because another machine needs them. */
  readonly recall: () => Promise<void>;
  /** Returns everything that is not used. */
  readonly close: () => Promise<void>;
};

/** The rows of a count that all machines have used or hold. */
export type CountedRows = {
  readonly number: number;
  readonly ofDay: number;
  readonly ofMonth: number;
};

export const TICK_MS = 200;

/** A recall costs each process a message. */
const RECALL_EVERY_MS = 50;

/** A slot that was not used for this many ticks is returned. */
const SLOT_TICKS = 3;

export function openSharedAllowance(
  options: SharedAllowanceOptions & { readonly source: SharedSource },
): SharedAllowance {
  const { nowMs } = options.clock;
  const state: State = {
    ...options,
    demand: { requests: openDemandMeter(nowMs), rows: openDemandMeter(nowMs) },
    returns: openReturnSignal(),
    queue: new Set(),
    limits: {},
    requests: 0,
    rows: 0,
    lentRequests: 0,
    lentRows: 0,
    usedRows: 0,
    number: undefined,
    day: undefined,
    slots: 0,
    usedSlots: 0,
    peakSlots: 0,
    peaks: [],
    recalledMs: Number.NEGATIVE_INFINITY,
    reportedRequests: 0,
    used: undefined,
    waiting: NOTHING,
    drawn: undefined,
    drawnMs: 0,
    sentMs: Number.NEGATIVE_INFINITY,
    isBusy: false,
    draws: 0,
    drawing: undefined,
    next: undefined,
    starting: undefined,
    away: undefined,
  };
  return {
    change: (limits) => change(state, limits),
    startDay: () => startDay(state),
    day: () => state.day,
    findExceeded: (needs) => findExceeded(state, needs),
    give: (question) => give(state, question),
    settle: (settled) => settle(state, settled),
    areRowsLent: () => state.lentRows > 0,
    nextReturn: state.returns.next,
    standing: () => standingOf(state),
    replenish: (question) => replenish(state, question),
    tick: () => tick(state),
    areRowsCounted: () => state.number !== undefined && isDayBegun(state),
    receiveUsed: (used) => receiveUsed(state, used),
    recall: () => recall(state),
    close: () => close(state),
  };
}

function change(state: State, limits: OrganisationLimits): void {
  if (hasRowLimits(state.limits) && !hasRowLimits(limits)) {
    forgetRows(state, undefined);
    state.source.forgetRows(state.organisationId);
  }
  if (rateOf(limits) === undefined) {
    state.requests = 0;
    state.lentRequests = 0;
  }
  state.limits = limits;
  // The parts of the limits are made again, from what is known.
  state.away = undefined;
}

async function startDay(state: State): Promise<void> {
  if (isDayBegun(state)) return;
  state.starting ??= readDay(state).finally(() => {
    state.starting = undefined;
  });
  await state.starting;
}

async function readDay(state: State): Promise<void> {
  const { clock, readUsedRows } = state;
  const overdueMs = clock.nowMs() + RETURN_OVERDUE_MS;
  for (;;) {
    await draw(state);
    if (isDayBegun(state)) return;
    if (state.drawn?.counting === 'begin') {
      const used = await readUsedRows();
      // A clock that is behind has the sum of the day before.
      const isOfDay = dayOf(clock.timeMs()) === state.drawn.day;
      state.used = isOfDay ? used : { ...used, day: 0 };
    } else if (clock.nowMs() >= overdueMs) {
      throw new Error('Another machine has not read the rows used so far yet.');
    }
  }
}

function give(state: State, question: LimitWishes): LimitAmounts {
  const { limits, demand } = state;
  const requests = rateOf(limits) === undefined ? 0 : question.requests;
  const rows = hasRowLimits(limits) ? question.rows : 0;
  demand.requests.add(requests);
  demand.rows.add(rows);
  // Half of it, so that something is left for other processes.
  const moreRequests = Math.min(question.moreRequests, Math.floor((state.requests - requests) / 2));
  const moreRows = Math.min(question.moreRows, Math.floor((state.rows - rows) / 2));
  state.requests -= requests + moreRequests;
  state.lentRequests += moreRequests;
  state.rows -= rows + moreRows;
  state.usedRows += rows + moreRows;
  state.lentRows += moreRows;
  state.usedSlots += question.places;
  const morePlaces = Math.max(
    0,
    Math.min(question.morePlaces, Math.floor((state.slots - state.usedSlots) / 2)),
  );
  state.usedSlots += morePlaces;
  state.peakSlots = Math.max(state.peakSlots, state.usedSlots);
  askAhead(state);
  return { requests: moreRequests, rows: moreRows, places: morePlaces };
}

/** Draws before the next request must wait for it. */
function askAhead(state: State): void {
  const { demand, limits, clock } = state;
  const isBusy = clock.nowMs() - state.sentMs < LEASE_MS;
  if (!isBusy || state.next !== undefined || state.drawing !== undefined) return;
  const isShort = (held: number, meter: DemandMeter): boolean => held < meter.perMs() * AHEAD_MS;
  const isLow =
    (rateOf(limits) !== undefined && isShort(state.requests, demand.requests)) ||
    (hasRowLimits(limits) && isShort(state.rows, demand.rows));
  if (isLow) void draw(state);
}

function settle(state: State, { requests, rows, refundedRows, places }: SettledAmounts): void {
  state.requests += requests.unused;
  state.lentRequests -= requests.used + requests.unused;
  state.demand.requests.add(requests.used);
  state.rows += rows.unused + refundedRows;
  state.usedRows -= rows.unused + refundedRows;
  state.lentRows -= rows.used + rows.unused;
  state.demand.rows.add(rows.used);
  state.usedSlots -= places;
  if (places > 0) wakeQueue(state);
  state.returns.ring();
}

/** Waits for the next draw, or until a process of this machine has freed a slot for the question. */
async function replenish(state: State, question: LimitWishes): Promise<void> {
  const drawing = drawFor(state, question);
  if (question.places === 0) return drawing;
  const { promise: isFree, resolve } = Promise.withResolvers<void>();
  state.queue.add(resolve);
  await Promise.race([drawing, isFree]);
  state.queue.delete(resolve);
}

/** Each free slot is for one of the questions that wait, the first one first. */
function wakeQueue({ queue, slots, usedSlots }: State): void {
  let free = slots - usedSlots;
  for (const proceed of queue) {
    if (free <= 0) return;
    free -= 1;
    queue.delete(proceed);
    proceed();
  }
}

function forgetPeaks(state: State): void {
  state.peakSlots = state.usedSlots;
  state.peaks = [];
}

function tick(state: State): void {
  const { clock, demand } = state;
  state.peaks = [state.peakSlots, ...state.peaks].slice(0, SLOT_TICKS);
  state.peakSlots = state.usedSlots;
  if (clock.nowMs() - state.sentMs < LEASE_MS) return;
  const isSurplus = (held: number, meter: DemandMeter): boolean =>
    held > 0 && held > meter.perMs() * LEASE_MS;
  const hasSurplus =
    state.reportedRequests > state.requests + state.lentRequests ||
    isSurplus(state.requests, demand.requests) ||
    isSurplus(state.rows, demand.rows) ||
    state.slots > slotsToKeep(state) ||
    state.away !== undefined;
  if (hasSurplus) void draw(state);
}

function receiveUsed(state: State, { number, ofDay, ofMonth }: CountedRows): void {
  const { limits, drawn, drawing, away } = state;
  // A draw that is on its way knows more.
  const isOld = number !== state.number || drawing !== undefined || away !== undefined;
  if (drawn === undefined || isOld) return;
  const left = (limit: number | undefined, used: number): number | null =>
    limit === undefined ? null : Math.max(0, limit - used);
  state.drawn = {
    ...drawn,
    leftOfDay: left(limits.rowsPerDay, ofDay),
    leftOfMonth: left(limits.rowsPerMonth, ofMonth),
  };
}

async function recall(state: State): Promise<void> {
  const now = state.clock.nowMs();
  if (now - state.recalledMs < RECALL_EVERY_MS) return;
  state.recalledMs = now;
  await state.recallPlaces();
  forgetPeaks(state);
  if (state.slots > state.usedSlots) await draw(state);
}

async function close(state: State): Promise<void> {
  forgetPeaks(state);
  if (state.requests + state.rows + state.slots > 0) {
    state.sentMs = Number.NEGATIVE_INFINITY;
    await draw(state);
  }
}
