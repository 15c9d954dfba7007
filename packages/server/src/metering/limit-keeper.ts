import type { Caller } from '@locmetrics/core/domain/caller';
import type { StopSignal } from '@locmetrics/core/runtime/stop';

/** An abort signal, or what stands for one. */
export type Abortable = Pick<StopSignal, 'aborted'>;

/** Enforces the limits of the organisations, across all workers. */
export type LimitKeeper = {
  /** Admits a request, or refuses it with a ServiceError. */
  readonly admit: (caller: Caller, signal: Abortable) => Promise<Admission>;
  /** Charges rows that are written after the request was answered: see `Admission`. */
  readonly charge: (caller: Caller, rows: number) => Promise<Refund>;
  /** Names and values of header fields (gRPC: metadata) with the remaining limits of the caller. */
  readonly headers: (caller: Caller) => LimitHeaders;
};

export type LimitHeaders = readonly (readonly [name: string, value: string])[];

/** An admitted request. */
export type Admission = {
  /**
   * Charges the rows of the answer to the limits, or refuses them with a ServiceError. The returned function
   * refunds them, or so many of them, for an answer that is not sent after all. Call it at most once.
   *
   * Rows are charged once the answer is made, because only then their number is known. If they exceed the limit,
   * the work is wasted, but no row too many is sent.
   */
  readonly charge: (rows: number) => Promise<Refund>;
  /** Frees the slot of the request; a second call does nothing. */
  readonly end: () => void;
};

export type Refund = (rows?: number) => void;

/** Created once, because most requests come from organisations without limits. */
export const UNLIMITED: Promise<Admission> = Promise.resolve({
  charge: () => NOTHING_CHARGED,
  end: () => {},
});

export const NOTHING_CHARGED: Promise<Refund> = Promise.resolve(() => {});

/** Admits everything. */
export const NO_LIMITS: LimitKeeper = {
  admit: () => UNLIMITED,
  charge: () => NOTHING_CHARGED,
  headers: () => [],
};
