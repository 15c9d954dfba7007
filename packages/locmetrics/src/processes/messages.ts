import type { CheckedFiles } from '@locmetrics/data-directory/versions/derived-files';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type { CertificatePair } from '@locmetrics/server/edge/listening/tls/certificate-source';
import type { MetricSnapshot } from '@locmetrics/server/observe/metric-registry';
import type { Config } from '../config/settings.ts';
import type { LimitFromWorker, LimitToWorker } from './limit-channel.ts';

/** The listener of a connection, named by the key of its setting. */
export type ListenerName = 'http' | 'https' | 'grpc' | 'grpcPlaintext';

/** The start parameters of a worker. They are sent as JSON. */
export type WorkerSetup = {
  /** From 1; a replacement has the number of the worker that it replaces. */
  readonly worker: number;
  readonly config: Config;
  /** The data directory. */
  readonly root: string;
  readonly certificate?: CertificatePair | undefined;
  /** Until when the copy of a shared control store is fresh, in ms of a clock that all processes of the machine share. */
  readonly controlFreshUntilMs?: number | undefined;
  /** The URL of the HTTP interface, before any path; undefined before its port is open, or if it is not served. */
  readonly publicUrl?: string | undefined;
  /** The maximum number of its open connections, of all clients and of one. */
  readonly connectionsMax: number;
  readonly perClientMax: number;
  /** Versions that are already known to be damaged. */
  readonly damaged: readonly (LeasedVersion & { readonly problem: string })[];
};

export type ToWorker =
  | { readonly kind: 'start'; readonly setup: WorkerSetup }
  /** Sent together with the connection. */
  | {
      readonly kind: 'connection';
      readonly id: number;
      readonly listener: ListenerName;
      /** The bytes that were already read from it, in base64. */
      readonly bytes: string;
    }
  /** The id of the last connection sent before this message; messages keep their order. */
  | { readonly kind: 'connections_sent'; readonly lastId: number }
  | { readonly kind: 'certificate'; readonly certificate: CertificatePair }
  | { readonly kind: 'public_url'; readonly url: string }
  /** The copy of a shared control store was up to date, and is fresh until then. */
  | { readonly kind: 'control_fresh'; readonly untilMs: number }
  | { readonly kind: 'limits'; readonly messages: readonly LimitToWorker[] }
  /** The answer to `files_found`. */
  | { readonly kind: 'files_checked'; readonly checked: CheckedFiles }
  /** The worker should report its metrics. */
  | { readonly kind: 'scrape' }
  /** The worker should report that it is not ready, and continue. */
  | { readonly kind: 'drain' }
  /** The worker should complete running requests, and requests that arrive within the grace time, then end. */
  | { readonly kind: 'stop'; readonly graceMs: number };

export type FromWorker =
  /** The code of the worker is loaded, so that it can be started. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'ready' }
  /** A heartbeat, sent every second. */
  | {
      readonly kind: 'alive';
      /** Why the worker cannot serve requests; absent if it can. */
      readonly notReady?: string;
    }
  | { readonly kind: 'failed'; readonly error: WorkerFailure }
  /** Until this message the primary keeps the connection, to pass it to another worker if this one ends. */
  | { readonly kind: 'connection_taken'; readonly id: number }
  | { readonly kind: 'connection_ended'; readonly id: number }
  /** All its connections have an accepted token, and it has the maximum. The primary keeps the connection. */
  | { readonly kind: 'connection_declined'; readonly id: number }
  /** Connections up to this id that were not taken never arrived. */
  | { readonly kind: 'connections_seen'; readonly lastId: number }
  | { readonly kind: 'limits'; readonly messages: readonly LimitFromWorker[] }
  /** A version has derived files, which are used once they are checked. */
  | { readonly kind: 'files_found'; readonly found: LeasedVersion }
  /** Sent on request, periodically, and before the end. */
  | { readonly kind: 'metrics'; readonly snapshot: MetricSnapshot }
  /** Another process asked it to end: it must get no more connections, and then be stopped. */
  | { readonly kind: 'leaving' };

/** An error in serialized form. */
export type WorkerFailure = {
  readonly name: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly stack?: string | undefined;
};
