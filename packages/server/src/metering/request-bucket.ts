/** How fast requests come into a bucket, and how many it holds. */
export type RequestRate = { readonly requestsPerSecond: number; readonly burst: number };

/**
 * The token bucket of an organisation: it fills continuously up to the burst, and a request takes one out.
 * What is lent counts against the burst until it is settled. So in any time of t seconds no more than
 * `requestsPerSecond * t + burst` requests begin, whoever was lent them.
 */
export type RequestBucket = {
  /** Those that are there, with the part of the next one. */
  readonly left: () => number;
  readonly take: (requests: number) => void;
  /** Takes up to so many out for others, but never more than a small share of what is left. */
  readonly lend: (wanted: number) => number;
  /** Ends the lending of some; those that were not used come back. */
  readonly settle: (lent: { readonly used: number; readonly unused: number }) => void;
  /** How long until a whole one is there. */
  readonly waitMs: () => number;
  readonly change: (rate: RequestRate) => void;
};

/**
 * What all processes together are lent: a few per cent of what is left, so that what one of them holds
 * and does not use is never missed by another.
 */
export const LENT_SHARE = 0.04;

/** Parts of a request are added up, and 0.1 ten times is less than 1. */
const ROUNDING = 1e-9;

/** `nowMs` goes on evenly, whatever is done to the clock of the system. */
export function openRequestBucket(rate: RequestRate, nowMs: () => number): RequestBucket {
  let { requestsPerSecond, burst } = rate;
  let left = burst;
  let lent = 0;
  let filledMs = nowMs();

  const fill = (): void => {
    const now = nowMs();
    const more = (Math.max(0, now - filledMs) / 1000) * requestsPerSecond;
    filledMs = now;
    left = Math.max(0, Math.min(left + more, burst - lent));
  };

  return {
    left: () => {
      fill();
      return left + ROUNDING;
    },
    take: (requests) => {
      left -= requests;
    },
    lend: (wanted) => {
      fill();
      const count = Math.max(0, Math.min(wanted, Math.floor(left * LENT_SHARE - lent)));
      left -= count;
      lent += count;
      return count;
    },
    settle: ({ used, unused }) => {
      fill();
      lent -= used + unused;
      left = Math.min(left + unused, burst - lent);
    },
    waitMs: () => {
      fill();
      return Math.max(0, ((1 - left) / requestsPerSecond) * 1000);
    },
    change: (changed) => {
      fill();
      ({ requestsPerSecond, burst } = changed);
      fill();
    },
  };
}
