import type { LoadEnd, LoadResult } from './load-order.ts';

export type LoadRecorder = {
  /** Whether another request may be sent. It is called once before each request. */
  readonly mayAsk: () => boolean;
  readonly answered: (begunMs: number, bodyBytes: number) => void;
  readonly failed: (reason: string) => void;
  readonly stop: () => void;
  readonly result: () => LoadResult;
};

/** Records the measurements of one load. */
export function createLoadRecorder(end: LoadEnd): LoadRecorder {
  const latenciesMs: number[] = [];
  const begunMs = performance.now();
  const deadlineMs =
    end.kind === 'seconds' ? begunMs + end.seconds * 1000 : Number.POSITIVE_INFINITY;
  let asksLeft = end.kind === 'requests' ? end.requests : Number.POSITIVE_INFINITY;
  let lastMs = begunMs;
  let longestSilenceMs = 0;
  let bodyBytes = 0;
  let failures = 0;
  let firstFailure: string | undefined;
  return {
    mayAsk: () => asksLeft-- > 0 && performance.now() < deadlineMs,
    answered: (askedMs, bytes) => {
      const now = performance.now();
      latenciesMs.push(now - askedMs);
      longestSilenceMs = Math.max(longestSilenceMs, now - lastMs);
      lastMs = now;
      bodyBytes += bytes;
    },
    failed: (reason) => {
      failures++;
      firstFailure ??= reason;
    },
    stop: () => {
      asksLeft = 0;
    },
    result: () => ({
      durationMs: lastMs - begunMs,
      latenciesMs: Float64Array.from(latenciesMs),
      bodyBytes,
      longestSilenceMs,
      failures,
      firstFailure,
    }),
  };
}
