import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import {
  findRowsExceeded,
  type LimitAllowance,
  openReturnSignal,
  PLACES_EXCEEDED,
} from './limit-allowance.ts';
import { type LimitClock, RETURN_OVERDUE_MS } from './limit-clock.ts';
import { hasRowLimits, rateOf } from './limit-set.ts';
import { openRequestBucket, type RequestBucket } from './request-bucket.ts';
import { openRowBudget } from './row-budget.ts';
import { dayOf } from './usage-calendar.ts';
import type { UsedRows } from './usage-query.ts';

/** The whole limits of an organisation, for a machine that shares them with no other one. */
export function openLocalAllowance({
  clock,
  readUsedRows,
}: {
  readonly clock: LimitClock;
  readonly readUsedRows: () => Promise<UsedRows>;
}): LimitAllowance {
  let limits: OrganisationLimits = {};
  let bucket: RequestBucket | undefined;
  const budget = openRowBudget();
  let places = 0;
  /** Pending while the usage so far is read. */
  let starting: Promise<void> | undefined;
  const returns = openReturnSignal();

  const readDay = async (): Promise<void> => {
    // The leases of the previous day are returned first, so that the month counts them.
    const overdueMs = clock.nowMs() + RETURN_OVERDUE_MS;
    while (budget.isLent() && clock.nowMs() < overdueMs) {
      await returns.next(overdueMs - clock.nowMs());
    }
    const day = dayOf(clock.timeMs());
    budget.startDay(day, await readUsedRows());
  };

  return {
    change: (changed) => {
      limits = changed;
      // Usage is not counted while there is no limit.
      if (!hasRowLimits(limits)) budget.forget();
      const rate = rateOf(limits);
      if (rate === undefined) bucket = undefined;
      else if (bucket === undefined) bucket = openRequestBucket(rate, clock.nowMs);
      else bucket.change(rate);
    },
    startDay: async () => {
      while (budget.day() !== dayOf(clock.timeMs())) {
        starting ??= readDay().finally(() => {
          starting = undefined;
        });
        await starting;
      }
    },
    day: budget.day,
    findExceeded: (needs) => {
      if (bucket !== undefined && bucket.left() < needs.requests) {
        return { limit: 'requestsPerSecond', waitMs: bucket.waitMs() };
      }
      const now = { day: budget.day() ?? 0, timeMs: clock.timeMs() };
      const exceeded = findRowsExceeded(needs.rows, budget.left(limits), now);
      if (exceeded !== undefined) return exceeded;
      const { concurrentQueries = Number.POSITIVE_INFINITY } = limits;
      return places + needs.places > concurrentQueries ? PLACES_EXCEEDED : undefined;
    },
    give: (question) => {
      bucket?.take(question.requests);
      budget.take(question.rows);
      places += question.places;
      // At most half of the free slots, so that other processes seldom need them back.
      const free = (limits.concurrentQueries ?? 0) - places;
      const morePlaces = Math.max(0, Math.min(question.morePlaces, Math.floor(free / 2)));
      places += morePlaces;
      return {
        requests: bucket?.lend(question.moreRequests) ?? 0,
        rows: hasRowLimits(limits) ? budget.lend(question.moreRows, limits) : 0,
        places: morePlaces,
      };
    },
    settle: ({ requests, rows, refundedRows, places: freed }) => {
      bucket?.settle(requests);
      places -= freed;
      budget.settle(rows);
      budget.refund(refundedRows);
      returns.ring();
    },
    areRowsLent: budget.isLent,
    nextReturn: returns.next,
    standing: () => {
      const { concurrentQueries, rowsPerDay, rowsPerMonth } = limits;
      const { ofDay, ofMonth } = budget.left(limits);
      return {
        requests: bucket?.left(),
        places:
          concurrentQueries === undefined ? undefined : Math.max(0, concurrentQueries - places),
        rowsOfDay: rowsPerDay === undefined ? undefined : ofDay,
        rowsOfMonth: rowsPerMonth === undefined ? undefined : ofMonth,
        day: budget.day() ?? 0,
      };
    },
  };
}
