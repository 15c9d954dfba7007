import type { ErrorCode, ErrorReason } from '@locmetrics/core/errors/service-error';
import type { PlanDescription, PlanKind } from './plan-description.ts';

/** The properties of an observation, by its kind. */
type Observations = {
  /** Each request that begins is completed exactly once. */
  request_began: { protocol: 'http' | 'grpc'; method: string };
  request_completed: {
    requestId: string;
    method: string;
    /** The route instead of the address, because an address can contain text from a caller. */
    route: string;
    /** The HTTP status, or the name of the gRPC status code. */
    status: number | 'OK' | ErrorCode;
    durationMs: number;
    organisationId?: string | undefined;
    tokenId?: string | undefined;
    rows?: number | undefined;
    /** The origin of the request: the last address that is not a trusted proxy. */
    clientAddress?: string | undefined;
    /** Why an answer was cut: the caller stopped reading it, or read it too slowly. */
    cut?: 'stalled' | 'too_slow' | undefined;
    /** Bytes of the answer before compression. */
    bytes?: number | undefined;
    /** The user agent of the client, shortened. */
    userAgent?: string | undefined;
    /** Only for a request whose spans are exported. */
    traceId?: string | undefined;
    /** The reason of the error that ended it. */
    reason?: ErrorReason | undefined;
  };
  request_refused: {
    requestId: string;
    code: ErrorCode;
    reason: ErrorReason;
    /** Only for the operator: why a token was refused, and which token if known. */
    tokenRefusal?: string;
    tokenId?: string;
    /** There is no matching `request_completed`: the bytes were not a request, or it used the metrics listener. */
    isAlone?: true;
  };
  request_failed: { requestId: string; error: unknown };
  /** A query of the engine has ended. */
  query_completed: {
    plan: PlanKind;
    dataset: string;
    outcome: QueryOutcome;
    durationMs: number;
    rows?: number;
  };
  /** A query of the engine took long. */
  query_slow: {
    requestId?: string;
    outcome: QueryOutcome;
    durationMs: number;
    rows?: number;
  } & PlanDescription;
  /** The readiness has changed. */
  readiness_changed: {
    isReady: boolean;
    /** The failed checks, with their errors. */
    failing: readonly { readonly check: string; readonly error: unknown }[];
  };
  /** Observed once per outage. */
  trace_export_failed: { error: unknown };
  /** The reader of the log was too slow or stopped. */
  log_lines_dropped: { lines: number };
  /** The worker did not report its metrics in time. */
  worker_unanswered: { worker: number };
  /** The grant does not fit a published dataset or metric, and does not show it. */
  grant_unusable: {
    organisationId: string;
    grantId: string;
    /** The dataset or metric. */
    name: string;
    problem: string;
  };
  /** A secret file was accessible to other users than its owner; whether its mode was corrected. */
  file_open_to_others: { path: string; mode: string; isMended: boolean };
  /** A row that decides rights is not as it was written, so what it decides is refused. Observed once by each worker. */
  rights_damaged: {
    table: string;
    rowId: string;
    organisationId: string | undefined;
    problem: string;
  };
  /** The database of a shared control store cannot be reached. Observed once per outage. */
  control_away: { error: unknown };
  /** It is reached again; since the last time before. */
  control_back: { awayMs: number };
  /** The times of last use are kept and written later. */
  last_used_failed: { error: unknown };
  /** Requests of the organisation are refused until its usage can be read. */
  used_rows_unknown: { organisationId: string; error: unknown };
  /** The limits that machines share cannot be checked with them: each goes on with its part. Observed once per outage. */
  shared_limits_away: {
    /** The machines that were live, which the limits are divided by. */
    nodes: number;
    error: unknown;
  };
  shared_limits_back: object;
  /** Usage records that survive the end of the process from now on. */
  usage_recorded: { records: number };
  /** Observed once per outage. */
  usage_write_failed: { error: unknown };
  /** Observed once per outage. */
  usage_merge_failed: { error: unknown };
  usage_read_failed: { error: unknown };
  /** A merge skipped lines that are not records. */
  usage_unreadable: { lines: number };
  /** Connections closed at the maximum, since the last observation. */
  connections_refused: { connections: number };
  /** Connections closed to make room for others, since the last observation. */
  connections_displaced: { connections: number };
  /** The system allows fewer open files than the setting needs. */
  connections_reduced: {
    /** The maximum for each worker. */
    connections: number;
    descriptorLimit: number;
    /** The limit that the setting needs. */
    descriptorsNeeded: number;
  };
  /** The system did not accept connections: the failures since the last observation, and the last error. */
  accept_failed: { failures: number; error: unknown };
  /** The worker sent no sign of life for a while, and is killed. */
  worker_stuck: { worker: number; pid: number };
  /** The build that serves from now on. */
  service_started: { version: string; commit: string; date: string };
  server_listening: { url: string };
  nothing_published: { directory: string };
  /** A current version cannot be served. */
  version_damaged: {
    dataset: string;
    version: string;
    problem: string;
    /** The previous version, which is served instead. */
    served: string;
  };
  /** The row file of a version cannot be used: the column store answers all its requests. */
  row_file_unusable: { dataset: string; version: string; problem: string };
  /** A row file was made from the table in ClickHouse. */
  row_file_made: { dataset: string; version: string; bytes: number; durationMs: number };
  /** It could not be made: ClickHouse goes on answering. */
  row_file_not_made: { dataset: string; version: string; problem: string };
  /** `current.json` cannot be used any more: the previous state stays in service. */
  current_unreadable: { error: unknown };
  /** The files of the current versions were checked at the start. */
  versions_verified: { versions: number; bytes: number; durationMs: number };
  /** The lease, which names the versions in use, cannot be written. */
  lease_failed: { error: unknown };
  /** Outdated versions or leftover files were removed. */
  garbage_removed: { paths: readonly string[]; bytes: number };
  garbage_failed: { error: unknown };
  /** An export was written, or not: its claim was lost, or it is tried again later. */
  export_ended: {
    exportId: string;
    organisationId: string;
    outcome: 'completed' | 'failed' | 'lost' | 'put_off';
    rows: number;
    bytes: number;
    durationMs: number;
    error?: unknown;
  };
  /** The store of the exports cannot be used now. Observed once per outage. */
  exports_unusable: { error: unknown };
  server_exposed: { host: string };
  worker_started: { worker: number; pid: number };
  /** A worker ended unexpectedly and is replaced. The cause is the signal or the exit code. */
  worker_exited: { worker: number; pid: number; cause: string };
  /** A worker could not start; the start is retried. */
  worker_failed: { worker: number; error: unknown };
  /** A setting has no effect, or its value is probably a mistake. */
  setting_questioned: { notice: string };
  certificate_reloaded: { expires: string };
  /** The previous certificate stays in use. */
  certificate_refused: { error: unknown };
  /** The webhook accepted a switch of versions. */
  webhook_told: { switch: number };
  /** The webhook did not accept it; the delivery is retried. The reason contains no address and no secret. */
  webhook_failed: { switch: number; reason: string; retryMs: number };
  /** The switch is not sent again. */
  webhook_given_up: { switch: number; reason: string };
  /** The delivery state cannot be read or written; observed once per outage. */
  webhook_unusable: { error: unknown };
  server_stopping: { signal: string };
  /** Workers that did not end in time were killed. */
  workers_killed: { workers: number };
  server_stopped: object;
};

/**
 * Everything that can be observed. The union is closed, so that the log and the metrics each handle every
 * kind. An observation contains no secret, no value of a row and no value of a filter.
 */
export type Observation = {
  [Kind in keyof Observations]: { readonly kind: Kind } & Readonly<Observations[Kind]>;
}[keyof Observations];

export type Observe = (observation: Observation) => void;

/** How a query ended: answered, stopped at its deadline, cancelled by its caller, refused, or failed. */
export type QueryOutcome = 'answered' | 'deadline' | 'cancelled' | 'refused' | 'failed';
