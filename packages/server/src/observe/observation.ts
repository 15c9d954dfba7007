import type { ErrorCode, ErrorReason } from '../domain/service-error.ts';
import type { PlanDescription, PlanKind } from './plan-description.ts';

/**
 * Everything that can be observed: a closed union, so that logs and metrics each decide what to do
 * with it. An observation holds no secret, no value of a row and no value of a filter.
 */
export type Observation =
  /** Each request that begins is completed, once. */
  | {
      readonly kind: 'request_began';
      readonly protocol: 'http' | 'grpc';
      readonly method: string;
    }
  | {
      readonly kind: 'request_completed';
      readonly requestId: string;
      readonly method: string;
      /** The route, not the address: an address could hold what a caller typed. */
      readonly route: string;
      /** The status of HTTP, or the name of the status code of gRPC. */
      readonly status: number | 'OK' | ErrorCode;
      readonly durationMs: number;
      readonly organisationId?: string;
      readonly tokenId?: string;
      readonly rows?: number;
      /** Where the request came from: the last address that no trusted proxy vouches for. */
      readonly clientAddress?: string;
      /** Why an answer was cut that its caller did not take: without progress, or too slowly. */
      readonly cut?: 'stalled' | 'too_slow';
      /** Of the answer, before any compression. */
      readonly bytes?: number;
      /** What the client says it is, cut. */
      readonly userAgent?: string;
      /** Of a request whose spans are exported. */
      readonly traceId?: string;
      /** Of the error that it ended with. */
      readonly reason?: ErrorReason;
    }
  | {
      readonly kind: 'request_refused';
      readonly requestId: string;
      readonly code: ErrorCode;
      readonly reason: ErrorReason;
      /** For the operator alone: why a token was refused, and which one where it is known. */
      readonly tokenRefusal?: string;
      readonly tokenId?: string;
      /** No request is completed with it: the bytes were none, or it came to the metrics listener. */
      readonly isAlone?: true;
    }
  | { readonly kind: 'request_failed'; readonly requestId: string; readonly error: unknown }
  /** The engine ran a plan, or ended it. */
  | {
      readonly kind: 'query_completed';
      readonly plan: PlanKind;
      readonly dataset: string;
      readonly outcome: QueryOutcome;
      readonly durationMs: number;
      readonly rows?: number;
    }
  /** The engine took long for a plan. */
  | ({
      readonly kind: 'query_slow';
      readonly requestId?: string;
      readonly outcome: QueryOutcome;
      readonly durationMs: number;
      readonly rows?: number;
    } & PlanDescription)
  /** Whether requests can be served has changed. */
  | {
      readonly kind: 'readiness_changed';
      readonly isReady: boolean;
      /** What failed, and why. */
      readonly failing: readonly { readonly check: string; readonly error: unknown }[];
    }
  /** Told once until one succeeds again. */
  | { readonly kind: 'trace_export_failed'; readonly error: unknown }
  /** Nobody read what stood before them. */
  | { readonly kind: 'log_lines_dropped'; readonly lines: number }
  /** It did not give its metrics in time. */
  | { readonly kind: 'worker_unanswered'; readonly worker: number }
  /** It does not fit what was published, so that what it names is not seen through it. */
  | {
      readonly kind: 'grant_unusable';
      readonly organisationId: string;
      readonly grantId: string;
      /** The dataset or metric. */
      readonly name: string;
      readonly problem: string;
    }
  /** Others than its owner could use a file that is secret; whether its mode was mended. */
  | {
      readonly kind: 'file_open_to_others';
      readonly path: string;
      readonly mode: string;
      readonly isMended: boolean;
    }
  /** The times of last use are kept and written later. */
  | { readonly kind: 'last_used_failed'; readonly error: unknown }
  /** Until it is known what was used, requests of the organisation are refused. */
  | {
      readonly kind: 'used_rows_unknown';
      readonly organisationId: string;
      readonly error: unknown;
    }
  /** Records that outlive the process from now on. */
  | { readonly kind: 'usage_recorded'; readonly records: number }
  /** Told once until one succeeds again. */
  | { readonly kind: 'usage_write_failed'; readonly error: unknown }
  /** Told once until one succeeds again. */
  | { readonly kind: 'usage_merge_failed'; readonly error: unknown }
  | { readonly kind: 'usage_read_failed'; readonly error: unknown }
  /** Lines that are no record were left out of a merge. */
  | { readonly kind: 'usage_unreadable'; readonly lines: number }
  /** There was no room for them; how many since it was told last. */
  | { readonly kind: 'connections_refused'; readonly connections: number }
  /** Ended to make room for others; how many since it was told last. */
  | { readonly kind: 'connections_displaced'; readonly connections: number }
  /** The system allows fewer than the setting. */
  | {
      readonly kind: 'connections_reduced';
      /** Of each worker. */
      readonly connections: number;
      readonly descriptorLimit: number;
      /** The limit with which the setting holds. */
      readonly descriptorsNeeded: number;
    }
  /** The system did not accept connections; how often since it was told last, and why at last. */
  | { readonly kind: 'accept_failed'; readonly failures: number; readonly error: unknown }
  /** It told nothing for a while, and is killed. */
  | { readonly kind: 'worker_stuck'; readonly worker: number; readonly pid: number }
  | { readonly kind: 'server_listening'; readonly url: string }
  | { readonly kind: 'nothing_published'; readonly directory: string }
  /** A current version cannot be served. */
  | {
      readonly kind: 'version_damaged';
      readonly dataset: string;
      readonly version: string;
      readonly problem: string;
      /** The one that was current before, which is served instead. */
      readonly served: string;
    }
  /** What is current cannot be read any more: what was is served. */
  | { readonly kind: 'current_unreadable'; readonly error: unknown }
  /** The files of the current versions were checked before they are served. */
  | {
      readonly kind: 'versions_verified';
      readonly versions: number;
      readonly bytes: number;
      readonly durationMs: number;
    }
  /** Others cannot be told what is read here. */
  | { readonly kind: 'lease_failed'; readonly error: unknown }
  /** What nobody can ask for any more was removed. */
  | { readonly kind: 'garbage_removed'; readonly paths: readonly string[]; readonly bytes: number }
  | { readonly kind: 'garbage_failed'; readonly error: unknown }
  | { readonly kind: 'server_exposed'; readonly host: string }
  | { readonly kind: 'worker_started'; readonly worker: number; readonly pid: number }
  /** It ended without being told to, and another one is started. The cause is the signal or the exit code. */
  | {
      readonly kind: 'worker_exited';
      readonly worker: number;
      readonly pid: number;
      readonly cause: string;
    }
  /** It could not begin; it is tried again. */
  | { readonly kind: 'worker_failed'; readonly worker: number; readonly error: unknown }
  /** The setting is of no use as it is, or probably meant otherwise. */
  | { readonly kind: 'setting_questioned'; readonly notice: string }
  | { readonly kind: 'certificate_reloaded'; readonly expires: string }
  /** The certificate before it stays. */
  | { readonly kind: 'certificate_refused'; readonly error: unknown }
  /** The webhook accepted a switch of versions. */
  | { readonly kind: 'webhook_told'; readonly switch: number }
  /** It did not, and is told again; the reason names no address and no secret. */
  | {
      readonly kind: 'webhook_failed';
      readonly switch: number;
      readonly reason: string;
      readonly retryMs: number;
    }
  /** It is not told again. */
  | { readonly kind: 'webhook_given_up'; readonly switch: number; readonly reason: string }
  /** How far it was told cannot be read or written; told once until it can. */
  | { readonly kind: 'webhook_unusable'; readonly error: unknown }
  | { readonly kind: 'server_stopping'; readonly signal: string }
  /** Workers that did not end in time were killed. */
  | { readonly kind: 'workers_killed'; readonly workers: number }
  | { readonly kind: 'server_stopped' };

export type Observe = (observation: Observation) => void;

/** How a query ended: it was answered, stopped at its deadline, left by its caller, refused, or failed. */
export type QueryOutcome = 'answered' | 'deadline' | 'cancelled' | 'refused' | 'failed';
