import type { AnswerLimit } from './answer-limit.ts';

/** How slowly a caller may take an answer before it is cut. */
export type TakingLimits = {
  /** Without any progress it is cut after this long. */
  readonly stallTimeoutMs: number;
  /** All of it is to be taken in this long, and the time that its bytes take at the lowest rate. */
  readonly graceMs: number;
  readonly bytesPerSecondMin: number;
};

/** 16 kB a second is what the slowest mobile networks do; 20 s are some lost packets in a row. */
export const TAKING_LIMITS: TakingLimits = {
  stallTimeoutMs: 20_000,
  graceMs: 30_000,
  bytesPerSecondMin: 16_000,
};

/** Why an answer was cut: nothing of it was taken any more, or all of it too slowly. */
export type AnswerCut = 'stalled' | 'too_slow';

/**
 * Counts an answer among those that their callers have not taken yet, until the function that it gives
 * is called. What is not taken at the lowest rate is to be cut by `cut`; the edges see themselves where
 * nothing is taken any more.
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
