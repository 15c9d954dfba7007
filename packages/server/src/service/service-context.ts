import type { Catalog } from '../catalog/open-catalog.ts';
import type { Caller } from '../domain/caller.ts';
import type { Engine } from '../storage/engine.ts';

/** What the operations work with; made once by the composition root. */
export type ServiceContext = {
  readonly catalog: Catalog;
  readonly engine: Engine;
  /** Signs page tokens. */
  readonly pageTokenKey: Uint8Array;
  /** A query that takes longer is stopped. */
  readonly queryTimeoutMs: number;
};

/** Who calls, and a signal that aborts when they went away. */
export type Call = {
  readonly caller: Caller;
  readonly signal: AbortSignal;
};
