import { expect, test } from 'vitest';
import type { LoadResult } from '../src/driver/load-order.ts';
import { formatResults } from '../src/results/format-results.ts';
import {
  summarizeMixes,
  summarizePublishes,
  summarizeRequests,
  summarizeScans,
} from '../src/results/measurement.ts';

const ROUNDS: readonly LoadResult[] = [
  round({ durationMs: 1000, latenciesMs: [1, 2, 3, 4] }),
  round({ durationMs: 500, latenciesMs: [2, 2, 2, 8] }),
  round({ durationMs: 2000, latenciesMs: [1, 3, 5, 9], longestSilenceMs: 40, failures: 2 }),
];

function round(
  given: Pick<LoadResult, 'durationMs'> & {
    readonly latenciesMs: readonly number[];
    readonly longestSilenceMs?: number;
    readonly failures?: number;
  },
): LoadResult {
  return {
    bodyBytes: 400,
    longestSilenceMs: 3,
    failures: 0,
    firstFailure: given.failures === undefined ? undefined : 'broken',
    ...given,
    latenciesMs: Float64Array.from(given.latenciesMs),
  };
}

test('requests are reported as medians of the rounds', () => {
  expect(summarizeRequests(ROUNDS, 16)).toEqual({
    requestsPerSecond: 4,
    spread: { min: 2, max: 8 },
    p50Ms: 2,
    p99Ms: 8,
    inFlight: 16,
    rounds: 3,
    requests: 12,
    answerBytes: 100,
  });
});

test('a mixed load also reports its worst round', () => {
  const rounds = ROUNDS.map((result, index) => ({ ...result, publishMs: 1000 * (index + 1) }));
  expect(summarizeMixes(rounds, 16)).toEqual({
    ...summarizeRequests(ROUNDS, 16),
    worstStallMs: 40,
    longestRequestMs: 9,
    failures: 2,
    firstFailure: 'broken',
    publishSeconds: 2,
  });
});

test('pages and publishes are reported in rows', () => {
  const pages = {
    durationMs: 2000,
    latenciesMs: Float64Array.of(500, 1500),
    rows: 3000,
    bodyBytes: 50,
  };
  expect(summarizeScans([pages])).toEqual({
    rowsPerSecond: 1500,
    spread: { min: 1500, max: 1500 },
    seconds: 2,
    requestsPerSecond: 1,
    p50Ms: 500,
    p99Ms: 1500,
    rounds: 1,
    rows: 3000,
    answerBytes: 25,
  });
  expect(summarizePublishes([1000, 3000, 2000], 6000)).toEqual({
    rowsPerSecond: 3000,
    spread: { min: 2000, max: 6000 },
    seconds: 2,
    rounds: 3,
    rows: 6000,
  });
});

test('the table has a line for each system, with the units of its numbers', () => {
  const mixed = summarizeMixes(
    [{ ...round({ durationMs: 1, latenciesMs: [0.123] }), publishMs: 10 }],
    1,
  );
  expect(
    `\n${formatResults({
      W1: { ours: summarizeRequests(ROUNDS, 16), floor: summarizeRequests(ROUNDS, 16) },
      W7: { ours: summarizePublishes([1000], 2_400_000) },
      W8: { ours: mixed },
    })}`,
  ).toMatchInlineSnapshot(`
    "
                  median                          min–max  p50 ms  p99 ms
    W1  ours        4.00  requests/s            2.00–8.00    2.00    8.00
        floor       4.00  requests/s            2.00–8.00    2.00    8.00
    W7  ours   2,400,000  rows/s      2,400,000–2,400,000                  1.00 s
    W8  ours       1,000  requests/s          1,000–1,000   0.123   0.123  failures 0, worst stall 3.00 ms, longest request 0.123 ms, publish 0.0100 s
    "
  `);
});
