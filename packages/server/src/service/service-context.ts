import type { Catalog } from '../catalog/open-catalog.ts';
import type { Caller } from '../domain/caller.ts';
import type { Engine } from '../storage/engine.ts';
import { ANSWER_LIMITS, type AnswerLimit, openAnswerLimit } from './answer-limit.ts';
import { type MetricExtents, openMetricExtents } from './metric-extent.ts';

/** What the operations work with; `createServiceContext` makes it once for a process. */
export type ServiceContext = {
  readonly catalog: Catalog;
  readonly engine: Engine;
  readonly extents: MetricExtents;
  readonly answers: AnswerLimit;
  /** Signs page tokens. */
  readonly pageTokenKey: Uint8Array;
  /** A query that takes longer is stopped. */
  readonly queryTimeoutMs: number;
};

export function createServiceContext(
  parts: Omit<ServiceContext, 'extents' | 'answers'>,
  limits = ANSWER_LIMITS,
): ServiceContext {
  return { ...parts, extents: openMetricExtents(parts.engine), answers: openAnswerLimit(limits) };
}

/** Who calls, and a signal that aborts when they went away. */
export type Call = {
  readonly caller: Caller;
  readonly signal: AbortSignal;
};
