import type { Caller } from '../domain/caller.ts';

/** Keeps the organisations within their limits, across all workers. */
export type LimitKeeper = {
  /** Lets a request through, or refuses it with a ServiceError. */
  readonly admit: (caller: Caller, signal: AbortSignal) => Promise<Admission>;
  /** Names and values of header fields (gRPC: metadata) that tell what is left to the caller. */
  readonly headers: (caller: Caller) => LimitHeaders;
};

export type LimitHeaders = readonly (readonly [name: string, value: string])[];

/** A request that was let through. */
export type Admission = {
  /**
   * Takes the rows of its answer from what is left, or refuses them with a ServiceError. What it gives
   * puts them back, for an answer that is not sent after all.
   */
  readonly charge: (rows: number) => Promise<() => void>;
  /** Gives its place to others; a second call does nothing. */
  readonly end: () => void;
};

/** Lets everything through. */
export const NO_LIMITS: LimitKeeper = { admit: () => UNLIMITED, headers: () => [] };

/** Made once: most requests are of organisations without limits. */
export const UNLIMITED: Promise<Admission> = Promise.resolve({
  charge: () => NOTHING_CHARGED,
  end: () => {},
});

const NOTHING_CHARGED: Promise<() => void> = Promise.resolve(() => {});
