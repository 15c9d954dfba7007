import { setTimeout as passTime } from 'node:timers/promises';
import { type AwayShare, openAwayShare } from '@locmetrics/server/metering/away-share';
import type { DemandMeter } from '@locmetrics/server/metering/demand-meter';
import type { LimitWishes } from '@locmetrics/server/metering/limit-allowance';
import { LEASE_MS } from '@locmetrics/server/metering/limit-clock';
import type { DrawnLimits, LimitDraw } from '@locmetrics/server/metering/limit-draw';
import { hasRowLimits, rateOf } from '@locmetrics/server/metering/limit-set';
import { DRAW_EVERY_MS, forgetRows, NOTHING, type State } from './shared-allowance-state.ts';
import { leftRequests } from './shared-standing.ts';

/** A busy machine holds the requests of this time, also if few are left: those until the answer after the next one. */
export const AHEAD_MS = 2 * DRAW_EVERY_MS;

/** Draws what a question needs, with those that wait too. */
export function drawFor(
  state: State,
  { requests, rows, places, morePlaces }: LimitWishes,
): Promise<void> {
  const { waiting } = state;
  state.waiting = {
    requests: waiting.requests + requests,
    rows: waiting.rows + rows,
    leastRows: waiting.rows === 0 ? rows : Math.min(waiting.leastRows, rows || waiting.leastRows),
    places: waiting.places + places,
    morePlaces: waiting.morePlaces + morePlaces,
  };
  return draw(state);
}

/** The next draw that is sent; those of one moment are one. */
export function draw(state: State): Promise<void> {
  state.next ??= drawNext(state);
  return state.next;
}

async function drawNext(state: State): Promise<void> {
  const { clock } = state;
  await state.drawing;
  const waitMs = state.sentMs + DRAW_EVERY_MS - clock.nowMs();
  await (waitMs > 0 ? passTime(waitMs) : undefined);
  state.next = undefined;
  state.drawing = send(state).finally(() => {
    state.drawing = undefined;
  });
  await state.drawing;
}

async function send(state: State): Promise<void> {
  const { source, clock } = state;
  const asked = askFor(state);
  const drawn = await source.draw(asked);
  if (drawn === undefined) {
    state.away ??= openAway(state);
    take(state, asked, state.away.draw(asked));
  } else {
    state.away = undefined;
    take(state, asked, drawn);
  }
  state.drawnMs = clock.nowMs();
}

function openAway(state: State): AwayShare {
  const { limits, source, drawn, clock } = state;
  const rate = rateOf(limits);
  const known = drawn && {
    ...drawn,
    leftRequests: rate === undefined ? null : leftRequests(state, rate),
  };
  return openAwayShare({
    limits,
    nodes: drawn?.nodes ?? source.nodes(),
    known,
    slots: state.slots,
    clock: { nowMs: clock.nowMs, timeMs: source.timeMs },
  });
}

/** Makes the statement. What it returns can no longer be given. */
function askFor(state: State): LimitDraw {
  const { limits, demand, clock, waiting } = state;
  const now = clock.nowMs();
  state.isBusy = now - state.sentMs < LEASE_MS;
  state.sentMs = now;
  state.waiting = NOTHING;
  const used = state.used;
  state.used = undefined;
  state.draws += 1;
  const rate = rateOf(limits);
  const wishOf = (meter: DemandMeter, ms: number): number =>
    state.isBusy ? Math.floor(meter.perMs() * ms) : 0;
  const freeRequests = state.requests - waiting.requests;
  const wishRequests = wishOf(demand.requests, LEASE_MS);
  const returnedRequests = Math.max(0, freeRequests - wishRequests);
  state.requests -= returnedRequests;
  const freeRows = state.rows - waiting.rows;
  const wishRows = wishOf(demand.rows, LEASE_MS);
  state.rows -= Math.max(0, freeRows - wishRows);
  const slots = Math.max(
    state.usedSlots + waiting.places,
    Math.min(state.slots, slotsToKeep(state)),
  );
  state.slots = Math.min(state.slots, slots);
  return {
    organisation: state.organisationId,
    draw: state.draws,
    ...limits,
    burst: rate?.burst,
    heldRequests: state.requests + state.lentRequests,
    returnedRequests,
    awaitedRequests: waiting.requests,
    requests: Math.max(0, wishOf(demand.requests, AHEAD_MS) - freeRequests),
    moreRequests: Math.max(0, wishRequests - freeRequests),
    requestsMax: state.away?.requestsOfAll(),
    number: state.number,
    day: state.day,
    usedRows: state.usedRows + state.rows,
    heldRows: state.rows + state.lentRows,
    rows: Math.max(0, -freeRows),
    leastRows: Math.max(0, waiting.leastRows - state.rows),
    moreRows: Math.max(0, wishRows - Math.max(0, freeRows)),
    usedSlots: state.usedSlots,
    slots,
    moreSlots: waiting.morePlaces,
    used,
  };
}

export function slotsToKeep({ usedSlots, peakSlots, peaks }: State): number {
  return Math.max(usedSlots, peakSlots, ...peaks);
}

function take(state: State, asked: LimitDraw, drawn: DrawnLimits): void {
  state.drawn = drawn;
  if (rateOf(state.limits) !== undefined) {
    state.requests += drawn.requests;
    state.reportedRequests =
      asked.heldRequests + Math.max(0, drawn.requests - asked.awaitedRequests);
  }
  if (hasRowLimits(state.limits) && drawn.counting === 'counted') {
    const isSameCount =
      asked.day === drawn.day && (asked.number === undefined || asked.number === drawn.number);
    if (isSameCount) state.number = drawn.number;
    else forgetRows(state, drawn);
    state.rows += drawn.rows;
  }
  state.slots = drawn.slots;
}
