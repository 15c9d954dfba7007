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

/** A process returns a lease within this time. */
export const LEASE_MS = 200;

/** A process that has not returned its lease by then is dead or stuck. */
export const RETURN_OVERDUE_MS = LEASE_MS + 100;
