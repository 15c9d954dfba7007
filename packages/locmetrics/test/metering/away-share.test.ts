import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { type KnownLeft, openAwayShare } from '@locmetrics/server/metering/away-share';
import type { LimitDraw } from '@locmetrics/server/metering/limit-draw';
import { dayOf } from '@locmetrics/server/metering/usage-calendar';
import { expect, test } from 'vitest';
import { NOON } from './limits-under-test.ts';

const DAY_MS = 86_400_000;
const TODAY = dayOf(NOON);
const ASKED: LimitDraw = {
  organisation: 'acme',
  draw: 1,
  heldRequests: 0,
  returnedRequests: 0,
  awaitedRequests: 0,
  requests: 0,
  moreRequests: 0,
  number: 1,
  day: TODAY,
  usedRows: 0,
  heldRows: 0,
  rows: 0,
  leastRows: 0,
  moreRows: 0,
  usedSlots: 0,
  slots: 0,
  moreSlots: 0,
};
const KNOWN: KnownLeft = { day: TODAY, leftRequests: 40, leftOfDay: 400, leftSlots: 4 };

function openShare(limits: OrganisationLimits, known: KnownLeft | undefined, slots = 0) {
  let passedMs = 0;
  const clock = { timeMs: () => NOON + passedMs, nowMs: () => passedMs };
  return {
    share: openAwayShare({ limits, nodes: 4, known, slots, clock }),
    passMs: (ms: number) => {
      passedMs += ms;
    },
  };
}

test('of requests, a machine has its part of the rate and of what was left', () => {
  const { share, passMs } = openShare({ requestsPerSecond: 80 }, KNOWN);
  expect(share.draw({ ...ASKED, requests: 100 }).requests).toBe(10);
  passMs(500);
  expect(share.draw({ ...ASKED, requests: 100 }).requests).toBe(10);
  passMs(100);
  expect(share.requestsOfAll()).toBeCloseTo(8);
  passMs(60_000);
  expect(share.draw({ ...ASKED, requests: 100 }).requests).toBe(20);
});

test('a machine has a request now and then, also of a small limit', () => {
  const { share, passMs } = openShare({ requestsPerSecond: 1 }, undefined);
  expect(share.draw({ ...ASKED, requests: 5 }).requests).toBe(0);
  passMs(4000);
  expect(share.draw({ ...ASKED, requests: 5 }).requests).toBe(1);
});

test('of rows, a machine has nearly its part of what was left', () => {
  const { share } = openShare({ rowsPerDay: 1000 }, KNOWN);
  const asked = { ...ASKED, usedRows: 500 };
  expect(share.draw({ ...asked, rows: 90, leastRows: 90 })).toMatchObject({ rows: 90, number: 1 });
  expect(share.draw({ ...asked, usedRows: 590, rows: 6, leastRows: 6 }).rows).toBe(0);
  // Several answers that wait get what is left, if it is enough for one.
  expect(share.draw({ ...asked, usedRows: 590, rows: 6, leastRows: 5 }).rows).toBe(5);
});

test('on a new day, a machine has its part of the whole limit', () => {
  const { share, passMs } = openShare({ rowsPerDay: 1000 }, KNOWN);
  share.draw({ ...ASKED, usedRows: 500, rows: 95, leastRows: 95 });
  passMs(DAY_MS);
  const drawn = share.draw({ ...ASKED, usedRows: 595, rows: 250, leastRows: 250 });
  expect(drawn).toMatchObject({ day: TODAY + 1, rows: 250 });
  // The database has not begun this day, so it has no number.
  expect(drawn.number).toBeUndefined();
  const asked = { ...ASKED, day: TODAY + 1, number: undefined, usedRows: 250 };
  expect(share.draw({ ...asked, rows: 1, leastRows: 1 }).rows).toBe(0);
});

test('a machine keeps its slots for a while, then it has its part of all', () => {
  const { share, passMs } = openShare({ concurrentQueries: 12 }, KNOWN, 5);
  expect(share.draw({ ...ASKED, usedSlots: 5, slots: 12 }).slots).toBe(6);
  passMs(5000);
  expect(share.draw({ ...ASKED, usedSlots: 5, slots: 12 }).slots).toBe(5);
  expect(share.draw({ ...ASKED, usedSlots: 0, slots: 12 }).slots).toBe(3);
});

test('a machine has at least one slot', () => {
  const { share, passMs } = openShare({ concurrentQueries: 2 }, { ...KNOWN, leftSlots: 0 });
  expect(share.draw({ ...ASKED, slots: 2 }).slots).toBe(1);
  passMs(5000);
  expect(share.draw({ ...ASKED, slots: 2 }).slots).toBe(1);
});
