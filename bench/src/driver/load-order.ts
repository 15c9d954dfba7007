import type { Context } from '../workloads/workload.ts';

/** The address of a system under test, and the headers of each request to it. */
export type Target = {
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** For gRPC over TLS: the PEM of the authority that the certificate of the system comes from. */
  readonly authority?: string;
};

/** The end of a load: after a time, after a number of requests, or when it is stopped. */
export type LoadEnd =
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'requests'; readonly requests: number }
  | { readonly kind: 'stopped' };

/** An order for the driver. It is sent to another process. */
export type DriverOrder = LoadOrder | ScanOrder | StreamOrder;

/** Many independent requests. */
export type LoadOrder = {
  readonly kind: 'load';
  readonly protocol: 'http' | 'grpc';
  /** The workloads, each in one of its shapes. Each request picks one at random. */
  readonly questions: readonly { readonly workload: string; readonly shape: string }[];
  readonly target: Target;
  readonly context: Context;
  /** The same text gives the same requests. */
  readonly seedText: string;
  readonly inFlight: number;
  readonly end: LoadEnd;
  /** If true, failed requests are counted and the load goes on. If false, the first one ends the load. */
  readonly countFailures: boolean;
};

export type LoadResult = {
  readonly durationMs: number;
  /** One for each answer, in the order of arrival. */
  readonly latenciesMs: Float64Array;
  readonly bodyBytes: number;
  /** The longest time without an answer. */
  readonly longestSilenceMs: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
};

/** A scan of all metric values, page by page. */
export type ScanOrder = {
  readonly kind: 'scan';
  readonly shape: string;
  readonly target: Target;
};

/** All rows in one answer. */
export type StreamOrder = {
  readonly kind: 'stream';
  readonly shape: string;
  readonly target: Target;
};

export type ScanResult = {
  readonly durationMs: number;
  /** One for each page; of a stream, the time to its first bytes. */
  readonly latenciesMs: Float64Array;
  readonly rows: number;
  readonly bodyBytes: number;
};

/** The reply of the driver: a result, or an error. */
export type DriverReply =
  | { readonly kind: 'load'; readonly result: LoadResult }
  | { readonly kind: 'scan'; readonly result: ScanResult }
  | { readonly kind: 'stream'; readonly result: ScanResult }
  | { readonly kind: 'error'; readonly error: string };
