/** The rate at which a bucket fills, and its size. */
export type RequestRate = { readonly requestsPerSecond: number; readonly burst: number };

/**
 * The token bucket of an organisation. It fills continuously up to the burst, and each request takes one
 * out. Leased requests count against the burst until they are settled. So within any t seconds at most
 * `requestsPerSecond * t + burst` requests start, in all processes together.
 */
export type RequestBucket = {
  /** The requests in the bucket, with the fraction of the next one. */
  readonly left: () => number;
  readonly take: (requests: number) => void;
  /** Leases up to `wanted` requests, but never more than a small share of the remainder. */
  readonly lend: (wanted: number) => number;
  /** Ends leases; unused requests go back into the bucket. */
  readonly settle: (lent: { readonly used: number; readonly unused: number }) => void;
  /** The time until the bucket holds a whole request. */
  readonly waitMs: () => number;
  readonly change: (rate: RequestRate) => void;
};

/**
 * The share of the remainder that all processes together may lease. It is a few per cent, so that an
 * unused lease of one process never matters to another.
 */
export const LENT_SHARE = 0.04;

/** Compensates for rounding: 0.1 added ten times is less than 1. */
const ROUNDING = 1e-9;

/** `nowMs` is a monotonic clock: changes of the system clock do not affect it. */
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
