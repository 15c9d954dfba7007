import type { ErrorCode, ErrorReason } from '../domain/service-error.ts';
import type { PlanDescription, PlanKind } from './plan-description.ts';

/**
 * Everything that can be observed. The union is closed, so that the log and the metrics each handle every
 * kind. An observation contains no secret, no value of a row and no value of a filter.
 */
export type Observation =
  /** Each request that begins is completed exactly once. */
  | {
      readonly kind: 'request_began';
      readonly protocol: 'http' | 'grpc';
      readonly method: string;
    }
  | {
      readonly kind: 'request_completed';
      readonly requestId: string;
      readonly method: string;
      /** The route instead of the address, because an address can contain text from a caller. */
      readonly route: string;
      /** The HTTP status, or the name of the gRPC status code. */
      readonly status: number | 'OK' | ErrorCode;
      readonly durationMs: number;
      readonly organisationId?: string | undefined;
      readonly tokenId?: string | undefined;
      readonly rows?: number | undefined;
      /** The origin of the request: the last address that is not a trusted proxy. */
      readonly clientAddress?: string | undefined;
      /** Why an answer was cut: the caller stopped reading it, or read it too slowly. */
      readonly cut?: 'stalled' | 'too_slow' | undefined;
      /** Bytes of the answer before compression. */
      readonly bytes?: number | undefined;
      /** The user agent of the client, shortened. */
      readonly userAgent?: string | undefined;
      /** Only for a request whose spans are exported. */
      readonly traceId?: string | undefined;
      /** The reason of the error that ended it. */
      readonly reason?: ErrorReason | undefined;
    }
  | {
      readonly kind: 'request_refused';
      readonly requestId: string;
      readonly code: ErrorCode;
      readonly reason: ErrorReason;
      /** Only for the operator: why a token was refused, and which token if known. */
      readonly tokenRefusal?: string;
      readonly tokenId?: string;
      /** There is no matching `request_completed`: the bytes were not a request, or it used the metrics listener. */
      readonly isAlone?: true;
    }
  | { readonly kind: 'request_failed'; readonly requestId: string; readonly error: unknown }
  /** A query of the engine has ended. */
  | {
      readonly kind: 'query_completed';
      readonly plan: PlanKind;
      readonly dataset: string;
      readonly outcome: QueryOutcome;
      readonly durationMs: number;
      readonly rows?: number;
    }
  /** A query of the engine took long. */
  | ({
      readonly kind: 'query_slow';
      readonly requestId?: string;
      readonly outcome: QueryOutcome;
      readonly durationMs: number;
      readonly rows?: number;
    } & PlanDescription)
  /** The readiness has changed. */
  | {
      readonly kind: 'readiness_changed';
      readonly isReady: boolean;
      /** The failed checks, with their errors. */
      readonly failing: readonly { readonly check: string; readonly error: unknown }[];
    }
  /** Observed once per outage. */
  | { readonly kind: 'trace_export_failed'; readonly error: unknown }
  /** The reader of the log was too slow or stopped. */
  | { readonly kind: 'log_lines_dropped'; readonly lines: number }
  /** The worker did not report its metrics in time. */
  | { readonly kind: 'worker_unanswered'; readonly worker: number }
  /** The grant does not fit a published dataset or metric, and does not show it. */
  | {
      readonly kind: 'grant_unusable';
      readonly organisationId: string;
      readonly grantId: string;
      /** The dataset or metric. */
      readonly name: string;
      readonly problem: string;
    }
  /** A secret file was accessible to other users than its owner; whether its mode was corrected. */
  | {
      readonly kind: 'file_open_to_others';
      readonly path: string;
      readonly mode: string;
      readonly isMended: boolean;
    }
  /** The times of last use are kept and written later. */
  | { readonly kind: 'last_used_failed'; readonly error: unknown }
  /** Requests of the organisation are refused until its usage can be read. */
  | {
      readonly kind: 'used_rows_unknown';
      readonly organisationId: string;
      readonly error: unknown;
    }
  /** Usage records that survive the end of the process from now on. */
  | { readonly kind: 'usage_recorded'; readonly records: number }
  /** Observed once per outage. */
  | { readonly kind: 'usage_write_failed'; readonly error: unknown }
  /** Observed once per outage. */
  | { readonly kind: 'usage_merge_failed'; readonly error: unknown }
  | { readonly kind: 'usage_read_failed'; readonly error: unknown }
  /** A merge skipped lines that are not records. */
  | { readonly kind: 'usage_unreadable'; readonly lines: number }
  /** Connections closed at the maximum, since the last observation. */
  | { readonly kind: 'connections_refused'; readonly connections: number }
  /** Connections closed to make room for others, since the last observation. */
  | { readonly kind: 'connections_displaced'; readonly connections: number }
  /** The system allows fewer open files than the setting needs. */
  | {
      readonly kind: 'connections_reduced';
      /** The maximum for each worker. */
      readonly connections: number;
      readonly descriptorLimit: number;
      /** The limit that the setting needs. */
      readonly descriptorsNeeded: number;
    }
  /** The system did not accept connections: the failures since the last observation, and the last error. */
  | { readonly kind: 'accept_failed'; readonly failures: number; readonly error: unknown }
  /** The worker sent no sign of life for a while, and is killed. */
  | { readonly kind: 'worker_stuck'; readonly worker: number; readonly pid: number }
  | { readonly kind: 'server_listening'; readonly url: string }
  | { readonly kind: 'nothing_published'; readonly directory: string }
  /** A current version cannot be served. */
  | {
      readonly kind: 'version_damaged';
      readonly dataset: string;
      readonly version: string;
      readonly problem: string;
      /** The previous version, which is served instead. */
      readonly served: string;
    }
  /** The row file of a version cannot be used: the column store answers all its requests. */
  | {
      readonly kind: 'row_file_unusable';
      readonly dataset: string;
      readonly version: string;
      readonly problem: string;
    }
  /** `current.json` cannot be used any more: the previous state stays in service. */
  | { readonly kind: 'current_unreadable'; readonly error: unknown }
  /** The files of the current versions were checked at the start. */
  | {
      readonly kind: 'versions_verified';
      readonly versions: number;
      readonly bytes: number;
      readonly durationMs: number;
    }
  /** The lease, which names the versions in use, cannot be written. */
  | { readonly kind: 'lease_failed'; readonly error: unknown }
  /** Outdated versions or leftover files were removed. */
  | { readonly kind: 'garbage_removed'; readonly paths: readonly string[]; readonly bytes: number }
  | { readonly kind: 'garbage_failed'; readonly error: unknown }
  | { readonly kind: 'server_exposed'; readonly host: string }
  | { readonly kind: 'worker_started'; readonly worker: number; readonly pid: number }
  /** A worker ended unexpectedly and is replaced. The cause is the signal or the exit code. */
  | {
      readonly kind: 'worker_exited';
      readonly worker: number;
      readonly pid: number;
      readonly cause: string;
    }
  /** A worker could not start; the start is retried. */
  | { readonly kind: 'worker_failed'; readonly worker: number; readonly error: unknown }
  /** A setting has no effect, or its value is probably a mistake. */
  | { readonly kind: 'setting_questioned'; readonly notice: string }
  | { readonly kind: 'certificate_reloaded'; readonly expires: string }
  /** The previous certificate stays in use. */
  | { readonly kind: 'certificate_refused'; readonly error: unknown }
  /** The webhook accepted a switch of versions. */
  | { readonly kind: 'webhook_told'; readonly switch: number }
  /** The webhook did not accept it; the delivery is retried. The reason contains no address and no secret. */
  | {
      readonly kind: 'webhook_failed';
      readonly switch: number;
      readonly reason: string;
      readonly retryMs: number;
    }
  /** The switch is not sent again. */
  | { readonly kind: 'webhook_given_up'; readonly switch: number; readonly reason: string }
  /** The delivery state cannot be read or written; observed once per outage. */
  | { readonly kind: 'webhook_unusable'; readonly error: unknown }
  | { readonly kind: 'server_stopping'; readonly signal: string }
  /** Workers that did not end in time were killed. */
  | { readonly kind: 'workers_killed'; readonly workers: number }
  | { readonly kind: 'server_stopped' };

export type Observe = (observation: Observation) => void;

/** How a query ended: answered, stopped at its deadline, cancelled by its caller, refused, or failed. */
export type QueryOutcome = 'answered' | 'deadline' | 'cancelled' | 'refused' | 'failed';
