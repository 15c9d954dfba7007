import type { Context } from '../workloads/workload.ts';

/** Where a system under test listens, and what each request to it carries. */
export type Target = {
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
};

/** When a load ends: after a time, after so many requests, or when it is told to. */
export type LoadEnd =
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'requests'; readonly requests: number }
  | { readonly kind: 'stopped' };

/** What the driver is told to do; it travels to another process. */
export type DriverOrder = LoadOrder | ScanOrder;

/** Many independent requests. */
export type LoadOrder = {
  readonly kind: 'load';
  readonly protocol: 'http' | 'grpc';
  /** The workloads in turn by chance, each in one of its shapes. */
  readonly questions: readonly { readonly workload: string; readonly shape: string }[];
  readonly target: Target;
  readonly context: Context;
  /** The same text asks the same questions. */
  readonly seedText: string;
  readonly inFlight: number;
  readonly end: LoadEnd;
  /** Failed requests are counted and the load goes on; otherwise the first one ends it. */
  readonly countFailures: boolean;
};

export type LoadResult = {
  readonly durationMs: number;
  /** One for each answer, in the order they came. */
  readonly latenciesMs: Float64Array;
  readonly bodyBytes: number;
  /** The longest time in which no answer came. */
  readonly longestSilenceMs: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
};

/** All metric values, page by page. */
export type ScanOrder = {
  readonly kind: 'scan';
  readonly shape: string;
  readonly target: Target;
};

export type ScanResult = {
  readonly durationMs: number;
  /** One for each page. */
  readonly latenciesMs: Float64Array;
  readonly rows: number;
  readonly bodyBytes: number;
};

/** What the driver sends back: a result, or why there is none. */
export type DriverReply =
  | { readonly kind: 'load'; readonly result: LoadResult }
  | { readonly kind: 'scan'; readonly result: ScanResult }
  | { readonly kind: 'error'; readonly error: string };
