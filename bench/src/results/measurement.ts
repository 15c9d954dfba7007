import type { LoadResult, ScanResult } from '../driver/load-order.ts';
import { median, percentile, type Spread, spreadOf } from './statistics.ts';

/** The result of several rounds of requests: medians of the rounds. */
export type RequestMeasurement = {
  readonly requestsPerSecond: number;
  /** The spread over the rounds, in requests per second. */
  readonly spread: Spread;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly inFlight: number;
  readonly rounds: number;
  readonly requests: number;
  /** The mean size of the body of an answer. */
  readonly answerBytes: number;
};

/** The result of several scans of all rows: medians of the rounds. */
export type ScanMeasurement = {
  readonly rowsPerSecond: number;
  /** The spread over the rounds, in rows per second. */
  readonly spread: Spread;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** The latency of one page. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rounds: number;
  readonly rows: number;
  readonly answerBytes: number;
};

/** The result of several publishes: medians of the rounds. */
export type PublishMeasurement = {
  readonly rowsPerSecond: number;
  /** The spread over the rounds, in rows per second. */
  readonly spread: Spread;
  readonly seconds: number;
  readonly rounds: number;
  readonly rows: number;
};

/** The result of the rounds of a mixed load: medians, and the worst of all rounds. */
export type MixMeasurement = RequestMeasurement & {
  /** The longest time without an answer. */
  readonly worstStallMs: number;
  readonly longestRequestMs: number;
  readonly failures: number;
  readonly firstFailure?: string;
  readonly publishSeconds: number;
};

/** The CPU time of all processes of a system for a request: medians of the rounds. */
export type CostMeasurement = RequestMeasurement & {
  readonly cpuMicros: number;
  /** The spread over the rounds, in µs. */
  readonly cpuSpread: Spread;
  /** How many times the CPU time of the floor; absent for a floor. */
  readonly timesFloor?: number;
};

export type Measurement =
  | CostMeasurement
  | RequestMeasurement
  | ScanMeasurement
  | PublishMeasurement
  | MixMeasurement;

export type CostRound = LoadResult & { readonly cpuMicros: number };

export type MixRound = LoadResult & { readonly publishMs: number };

export function summarizeRequests(
  results: readonly LoadResult[],
  inFlight: number,
): RequestMeasurement {
  const rates = results.map(({ latenciesMs, durationMs }) =>
    perSecond(latenciesMs.length, durationMs),
  );
  const requests = sum(results.map(({ latenciesMs }) => latenciesMs.length));
  return {
    requestsPerSecond: rounded(median(rates)),
    spread: roundedSpread(rates),
    ...summarizeLatencies(results),
    inFlight,
    rounds: results.length,
    requests,
    answerBytes: Math.round(sum(results.map(({ bodyBytes }) => bodyBytes)) / requests),
  };
}

/** The rounds of `<name>Floor` are those of the floor of `<name>`. */
export function summarizeCosts(
  results: ReadonlyMap<string, readonly CostRound[]>,
  inFlight: number,
): Readonly<Record<string, CostMeasurement>> {
  const costsOf = (rounds: readonly CostRound[]) =>
    rounds.map(({ cpuMicros, latenciesMs }) => cpuMicros / latenciesMs.length);
  return Object.fromEntries(
    [...results].map(([name, rounds]) => {
      const costs = costsOf(rounds);
      const floor = results.get(`${name}Floor`);
      return [
        name,
        {
          ...summarizeRequests(rounds, inFlight),
          cpuMicros: rounded(median(costs)),
          cpuSpread: roundedSpread(costs),
          ...(floor === undefined
            ? {}
            : { timesFloor: rounded(median(costs) / median(costsOf(floor))) }),
        },
      ];
    }),
  );
}

export function summarizeScans(results: readonly ScanResult[]): ScanMeasurement {
  const rates = results.map(({ rows, durationMs }) => perSecond(rows, durationMs));
  const pages = sum(results.map(({ latenciesMs }) => latenciesMs.length));
  return {
    rowsPerSecond: rounded(median(rates)),
    spread: roundedSpread(rates),
    seconds: rounded(median(results.map(({ durationMs }) => durationMs / 1000))),
    requestsPerSecond: rounded(
      median(
        results.map(({ latenciesMs, durationMs }) => perSecond(latenciesMs.length, durationMs)),
      ),
    ),
    ...summarizeLatencies(results),
    rounds: results.length,
    rows: results[0]?.rows ?? 0,
    answerBytes: Math.round(sum(results.map(({ bodyBytes }) => bodyBytes)) / pages),
  };
}

export function summarizePublishes(
  durationsMs: readonly number[],
  rows: number,
): PublishMeasurement {
  const rates = durationsMs.map((durationMs) => perSecond(rows, durationMs));
  return {
    rowsPerSecond: rounded(median(rates)),
    spread: roundedSpread(rates),
    seconds: rounded(median(durationsMs) / 1000),
    rounds: durationsMs.length,
    rows,
  };
}

export function summarizeMixes(rounds: readonly MixRound[], inFlight: number): MixMeasurement {
  const firstFailure = rounds.find((round) => round.firstFailure !== undefined)?.firstFailure;
  return {
    ...summarizeRequests(rounds, inFlight),
    worstStallMs: rounded(Math.max(...rounds.map(({ longestSilenceMs }) => longestSilenceMs))),
    longestRequestMs: rounded(
      Math.max(...rounds.map(({ latenciesMs }) => percentile(latenciesMs, 1))),
    ),
    failures: sum(rounds.map(({ failures }) => failures)),
    ...(firstFailure === undefined ? {} : { firstFailure }),
    publishSeconds: rounded(median(rounds.map(({ publishMs }) => publishMs / 1000))),
  };
}

function summarizeLatencies(results: readonly { readonly latenciesMs: Float64Array }[]) {
  const medianOf = (fraction: number): number =>
    rounded(median(results.map(({ latenciesMs }) => percentile(latenciesMs, fraction))));
  return { p50Ms: medianOf(0.5), p99Ms: medianOf(0.99) };
}

function perSecond(count: number, durationMs: number): number {
  return count / (durationMs / 1000);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function roundedSpread(numbers: readonly number[]): Spread {
  const { min, max } = spreadOf(numbers);
  return { min: rounded(min), max: rounded(max) };
}

/** Rounds to five significant digits. More digits have no meaning in a measurement. */
function rounded(number: number): number {
  return Number(number.toPrecision(5));
}
