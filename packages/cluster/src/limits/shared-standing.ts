import {
  type Exceeded,
  findRowsExceeded,
  type LimitNeeds,
  PLACES_EXCEEDED,
} from '@locmetrics/server/metering/limit-allowance';
import type { LimitStanding } from '@locmetrics/server/metering/limit-messages';
import { hasRowLimits, rateOf } from '@locmetrics/server/metering/limit-set';
import { DRAW_EVERY_MS, type State } from './shared-allowance-state.ts';

/** Which limit does not allow what a question needs. */
export function findExceeded(state: State, needs: LimitNeeds): Exceeded | undefined {
  return (
    findRequestsExceeded(state, needs) ??
    findMissingRows(state, needs) ??
    findPlacesExceeded(state, needs)
  );
}

function findRequestsExceeded(state: State, needs: LimitNeeds): Exceeded | undefined {
  const { clock, limits, drawn } = state;
  const rate = rateOf(limits);
  if (rate === undefined || state.requests >= needs.requests) return undefined;
  const missing = Math.max(0, 1 - leftRequests(state, rate));
  const waitMs = (missing / rate.requestsPerSecond) * 1000;
  const drawMs = state.sentMs + DRAW_EVERY_MS - clock.nowMs();
  return {
    limit: 'requestsPerSecond',
    waitMs: Math.max(waitMs, drawMs),
    mayBeDrawn: (drawn?.leftRequests ?? 0) >= needs.requests,
  };
}

function findMissingRows(state: State, { rows }: LimitNeeds): Exceeded | undefined {
  const { limits, source, day = 0 } = state;
  if (!hasRowLimits(limits) || state.rows >= rows) return undefined;
  const now = { day, timeMs: source.timeMs() };
  return (
    findRowsExceeded(rows, leftRows(state), now) ?? {
      limit: limits.rowsPerDay === undefined ? 'rowsPerMonth' : 'rowsPerDay',
      waitMs: DRAW_EVERY_MS,
      mayBeDrawn: true,
    }
  );
}

function findPlacesExceeded(state: State, { places }: LimitNeeds): Exceeded | undefined {
  const { limits, slots, usedSlots, drawn } = state;
  if (limits.concurrentQueries === undefined || usedSlots + places <= slots) return undefined;
  return { ...PLACES_EXCEEDED, mayBeDrawn: (drawn?.leftSlots ?? 0) >= places };
}

/** The requests that all machines have left now. */
export function leftRequests(
  { drawn, drawnMs, clock }: State,
  { requestsPerSecond, burst }: { readonly requestsPerSecond: number; readonly burst: number },
): number {
  const since = ((clock.nowMs() - drawnMs) / 1000) * requestsPerSecond;
  return Math.min(burst, (drawn?.leftRequests ?? burst) + since);
}

function leftRows({ drawn, rows, limits }: State) {
  const left = (limit: number | undefined, of: number | null | undefined): number =>
    limit === undefined ? Number.POSITIVE_INFINITY : rows + Math.min(limit, of ?? limit);
  return {
    ofDay: left(limits.rowsPerDay, drawn?.leftOfDay),
    ofMonth: left(limits.rowsPerMonth, drawn?.leftOfMonth),
  };
}

export function standingOf(state: State): LimitStanding {
  const { limits, slots, usedSlots, drawn } = state;
  const rate = rateOf(limits);
  const { ofDay, ofMonth } = leftRows(state);
  return {
    requests: rate === undefined ? undefined : state.requests + leftRequests(state, rate),
    places:
      limits.concurrentQueries === undefined
        ? undefined
        : Math.max(0, slots - usedSlots) + (drawn?.leftSlots ?? 0),
    rowsOfDay: limits.rowsPerDay === undefined ? undefined : ofDay,
    rowsOfMonth: limits.rowsPerMonth === undefined ? undefined : ofMonth,
    day: state.day ?? 0,
  };
}
