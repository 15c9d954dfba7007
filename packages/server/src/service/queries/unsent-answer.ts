import type { AnswerLimit } from './answer-limit.ts';

/** How slowly a caller may read an answer before it is cut. */
export type TakingLimits = {
  /** An answer without any progress is cut after this time. */
  readonly stallTimeoutMs: number;
  /** The whole answer must be read within this time plus the time of its bytes at the lowest rate. */
  readonly graceMs: number;
  readonly bytesPerSecondMin: number;
};

/** The slowest mobile networks reach 16 kB a second; 20 s cover several lost packets in a row. */
export const TAKING_LIMITS: TakingLimits = {
  stallTimeoutMs: 20_000,
  graceMs: 30_000,
  bytesPerSecondMin: 16_000,
};

/** The system mostly accepts these bytes at once, so they are watched only if it has not after an event-loop tick. */
export const SMALL_ANSWER_MAX_BYTES = 64 * 1024;

/** Why an answer was cut: the caller stopped reading it, or read it too slowly. */
export type AnswerCut = 'stalled' | 'too_slow';

/**
 * Counts an answer as unsent until the returned function is called. `cut` is called when the caller reads
 * more slowly than the lowest rate. The edges themselves detect a caller that has stopped reading.
 */
export function watchUnsent(
  bytes: number,
  watch: {
    readonly answers: AnswerLimit;
    readonly limits: TakingLimits;
    readonly cut: () => void;
  },
): () => void {
  const { answers, limits, cut } = watch;
  const release = answers.holdUnsent(bytes);
  const timer = setTimeout(cut, limits.graceMs + (bytes / limits.bytesPerSecondMin) * 1000);
  return () => {
    clearTimeout(timer);
    release();
  };
}
