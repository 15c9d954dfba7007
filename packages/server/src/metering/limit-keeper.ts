import type { Caller } from '../domain/caller.ts';

/** Keeps the organisations within their limits, across all workers. */
export type LimitKeeper = {
  /** Lets a request through, or refuses it with a ServiceError. */
  readonly admit: (caller: Caller, signal: AbortSignal) => Promise<Admission>;
};

/** A request that was let through. */
export type Admission = {
  /** Takes the rows of its answer from what is left, or refuses them with a ServiceError. */
  readonly charge: (rows: number) => Promise<void>;
  /** Gives its place to others; a second call does nothing. */
  readonly end: () => void;
  /** Names and values of header fields (gRPC: metadata) that tell what is left. */
  readonly headers: () => readonly (readonly [name: string, value: string])[];
};

/** Lets everything through. */
export const NO_LIMITS: LimitKeeper = { admit: async () => UNLIMITED };

const UNLIMITED: Admission = { charge: async () => {}, end: () => {}, headers: () => [] };
