import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import type { LimitClock } from './limit-clock.ts';
import type { LimitName, LimitQuestion, LimitStanding } from './limit-messages.ts';
import { endOfDay, monthOf } from './usage-calendar.ts';
import type { UsedRows } from './usage-query.ts';

/**
 * How much of the limits of one organisation the processes of this machine may use. Each number is given, or leased and
 * then settled.
 */
export type LimitAllowance = {
  readonly change: (limits: OrganisationLimits) => void;
  /** Gets the usage so far if the day is new; rejects if it cannot be read. Only needed with limits of rows. */
  readonly startDay: () => Promise<void>;
  /** The day (UTC, since 1970) that rows are counted for; undefined before the first one starts. */
  readonly day: () => number | undefined;
  /** The limit that does not allow all of these now. */
  readonly findExceeded: (needs: LimitNeeds) => Exceeded | undefined;
  /** Gives the needs, and leases a part of what is asked for on top. */
  readonly give: (question: LimitWishes) => LimitAmounts;
  readonly settle: (settled: SettledAmounts) => void;
  /** Whether rows are leased that may come back. */
  readonly areRowsLent: () => boolean;
  /** Resolves when something is settled, at the latest after this time. */
  readonly nextReturn: (withinMs: number) => Promise<void>;
  readonly standing: () => LimitStanding;
  /** Gets more from what machines share, if there is more; absent if nothing is shared. */
  readonly replenish?: (question: LimitWishes) => Promise<void>;
};

/** The limits that several machines share over one database. */
export type SharedLimits = {
  readonly openAllowance: (options: SharedAllowanceOptions) => LimitAllowance;
  /** Returns what this machine holds. */
  readonly close: () => Promise<void>;
};

export type SharedAllowanceOptions = {
  readonly organisationId: string;
  readonly clock: LimitClock;
  readonly readUsedRows: () => Promise<UsedRows>;
  /** Takes the free slots back that processes of this machine lease. */
  readonly recallPlaces: () => Promise<void>;
};

export type LimitNeeds = Pick<LimitQuestion, 'requests' | 'rows' | 'places'>;

export type LimitWishes = LimitNeeds &
  Pick<LimitQuestion, 'moreRequests' | 'moreRows' | 'morePlaces'>;

export type LimitAmounts = {
  readonly requests: number;
  readonly rows: number;
  readonly places: number;
};

export type SettledAmounts = {
  readonly requests: { readonly used: number; readonly unused: number };
  readonly rows: { readonly used: number; readonly unused: number };
  /** Rows that were given for an answer that was not sent. */
  readonly refundedRows: number;
  readonly places: number;
};

export type Exceeded = {
  readonly limit: LimitName;
  /** How long to wait until it may be enough. */
  readonly waitMs: number;
  /** Whether machines have enough left, which this one does not hold. */
  readonly mayBeDrawn?: boolean;
};

export type LeftRows = { readonly ofDay: number; readonly ofMonth: number };

/** The retry time when all slots are taken. It is not known when a slot becomes free. */
const PLACE_WAIT_MS = 1000;

export const PLACES_EXCEEDED: Exceeded = { limit: 'concurrentQueries', waitMs: PLACE_WAIT_MS };

/** Some requests cost no rows, for example those with countOnly. */
export function findRowsExceeded(
  rows: number,
  { ofDay, ofMonth }: LeftRows,
  { day, timeMs }: { readonly day: number; readonly timeMs: number },
): Exceeded | undefined {
  if (rows === 0) return undefined;
  // If both are exceeded, the caller must wait for the later reset.
  if (ofMonth < rows) return { limit: 'rowsPerMonth', waitMs: monthOf(day).endMs - timeMs };
  if (ofDay < rows) return { limit: 'rowsPerDay', waitMs: endOfDay(day) - timeMs };
  return undefined;
}

/** Lets others wait until something is returned. */
export function openReturnSignal(): {
  readonly ring: () => void;
  readonly next: (withinMs: number) => Promise<void>;
} {
  const waiting = new Set<() => void>();
  return {
    ring: () => {
      for (const proceed of [...waiting]) proceed();
    },
    next: (withinMs) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(end);
          resolve();
        };
        const timer = setTimeout(end, withinMs);
        waiting.add(end);
      }),
  };
}
