import { dataDueMs } from '@locmetrics/core/domain/data-due';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { EngineMemory, QueueLength } from '@locmetrics/core/runtime/engine-load';
import { failureOf } from './failure-of.ts';
import { type MetricSnapshot, openMetricRegistry, type SetGauge } from './metric-registry.ts';
import type { Observation, Observe } from './observation.ts';
import { openProcessMetrics } from './process-metrics.ts';

/** The metrics of one process. */
export type Metrics = {
  readonly observe: Observe;
  /** The observed counts, with the current values of the sources. */
  readonly snapshot: (sources?: MetricSources) => Promise<MetricSnapshot>;
  readonly close: () => void;
};

/** Sources that are read for each snapshot; an absent source has no metric. */
export type MetricSources = {
  readonly readEngine?: () => Promise<EngineMemory | undefined>;
  readonly queues?: Readonly<Record<string, () => QueueLength>>;
  readonly currentVersions?: () => Iterable<DatasetVersion>;
  /** Current versions without a usable row file. */
  readonly rowFilesMissing?: () => number;
  /** Of the disk with the data directory; only in the process that starts the workers. */
  readonly disk?: () => { readonly freeBytes: number; readonly sizeBytes: number };
  readonly isReady?: (() => boolean) | undefined;
  readonly damagedRights?: () => number;
  /** The number of exports by their state. */
  readonly exports?: () => Promise<Readonly<Record<string, number>>>;
  /** Only in the process that starts the workers. */
  readonly workersRunning?: () => number;
  readonly usageMergeLagMs?: () => number;
  /** Only for a shared control store. */
  readonly controlLagMs?: () => number;
  /** In ms since 1970, by the listener of the certificate. */
  readonly certificateExpiry?: Readonly<Record<string, () => number>>;
};

/**
 * The default metrics of prom-client are not used: some are gauges named `_total`, which `promtool` warns of, and the
 * delay of the event loop would be added up over workers.
 */
export function openMetrics({ version }: { readonly version: string }): Metrics {
  const { count, time, snapshot } = openMetricRegistry();
  const ownProcess = openProcessMetrics();
  const activeRequests = new Map<string, number>();
  let activeCalls = 0;

  const observe = (observation: Observation): void => {
    switch (observation.kind) {
      case 'request_began': {
        if (observation.protocol === 'grpc') activeCalls += 1;
        else addTo(activeRequests, toMethod(observation.method), 1);
        break;
      }
      case 'request_completed': {
        const { method, route, status, durationMs, rows, bytes } = observation;
        if (typeof status === 'number') {
          const http_request_method = toMethod(method);
          addTo(activeRequests, http_request_method, -1);
          const labels = {
            http_request_method,
            http_route: route,
            http_response_status_code: String(status),
            error_type: failureOf(status) ?? '',
          };
          time('http_server_request_duration_seconds', labels, durationMs);
        } else {
          activeCalls -= 1;
          const labels = {
            rpc_system_name: 'grpc',
            rpc_method: route.slice(1),
            rpc_response_status_code: status,
            error_type: failureOf(status) ?? '',
          };
          time('rpc_server_call_duration_seconds', labels, durationMs);
        }
        if (rows !== undefined) count('locmetrics_rows_returned_total', { route }, rows);
        if (bytes !== undefined) count('locmetrics_answer_bytes_total', { route }, bytes);
        break;
      }
      case 'request_refused': {
        const { reason, tokenRefusal } = observation;
        count('locmetrics_requests_refused_total', { reason });
        if (tokenRefusal !== undefined) {
          count('locmetrics_tokens_refused_total', { refusal: tokenRefusal });
        }
        break;
      }
      case 'request_failed':
        count('locmetrics_requests_failed_total', {});
        break;
      case 'query_completed': {
        const { plan, dataset, outcome, durationMs, rows } = observation;
        time('locmetrics_query_duration_seconds', { plan, outcome }, durationMs);
        if (rows !== undefined) count('locmetrics_query_rows_total', { dataset }, rows);
        break;
      }
      case 'log_lines_dropped':
        count('locmetrics_log_lines_dropped_total', {}, observation.lines);
        break;
      case 'trace_export_failed':
        count('locmetrics_trace_export_outages_total', {});
        break;
      case 'worker_started':
        count('locmetrics_workers_started_total', {});
        break;
      case 'worker_exited': {
        count('locmetrics_workers_exited_total', { cause: observation.cause });
        break;
      }
      case 'worker_unanswered':
        count('locmetrics_workers_unanswered_total', {});
        break;
      case 'usage_recorded':
        count('locmetrics_usage_records_total', {}, observation.records);
        break;
      case 'usage_write_failed':
        count('locmetrics_usage_write_outages_total', {});
        break;
      case 'usage_merge_failed':
        count('locmetrics_usage_merge_outages_total', {});
        break;
      case 'connections_refused':
        count('locmetrics_connections_refused_total', {}, observation.connections);
        break;
      case 'connections_displaced':
        count('locmetrics_connections_displaced_total', {}, observation.connections);
        break;
      case 'version_damaged':
        count('locmetrics_versions_damaged_total', {});
        break;
      case 'row_file_unusable':
        count('locmetrics_row_files_unusable_total', {});
        break;
      case 'rights_damaged':
        count('locmetrics_rights_damaged_total', {});
        break;
      case 'webhook_told':
        count('locmetrics_webhook_attempts_total', { outcome: 'accepted' });
        break;
      case 'webhook_failed':
        count('locmetrics_webhook_attempts_total', { outcome: 'failed' });
        break;
      case 'webhook_given_up':
        count('locmetrics_webhook_attempts_total', { outcome: 'given_up' });
        break;
      case 'export_ended':
        count('locmetrics_exports_ended_total', { outcome: observation.outcome });
        break;
      case 'control_away':
        count('locmetrics_control_outages_total', {});
        break;
      case 'control_back':
      case 'webhook_unusable':
      case 'exports_unusable':
      case 'query_slow':
      case 'versions_verified':
      case 'current_unreadable':
      case 'lease_failed':
      case 'garbage_removed':
      case 'row_file_made':
      case 'row_file_not_made':
      case 'garbage_failed':
      case 'readiness_changed':
      case 'setting_questioned':
      case 'connections_reduced':
      case 'accept_failed':
      case 'worker_failed':
      case 'worker_stuck':
      case 'workers_killed':
      case 'file_open_to_others':
      case 'last_used_failed':
      case 'grant_unusable':
      case 'used_rows_unknown':
      case 'shared_limits_away':
      case 'shared_limits_back':
      case 'usage_read_failed':
      case 'usage_unreadable':
      case 'server_listening':
      case 'nothing_published':
      case 'server_exposed':
      case 'certificate_reloaded':
      case 'certificate_refused':
      case 'server_stopping':
      case 'server_stopped':
        break;
    }
  };

  return {
    observe,
    snapshot: async (sources = {}) => {
      const memory = await sources.readEngine?.();
      const exports = (await sources.exports?.()) ?? {};
      ownProcess.countInto(count);
      return snapshot((set) => {
        set('locmetrics_build_info', { version, node_version: process.versions.node }, 1);
        for (const [http_request_method, active] of activeRequests) {
          set('http_server_active_requests', { http_request_method }, active);
        }
        set('locmetrics_rpc_active_calls', {}, activeCalls);
        ownProcess.giveGauges(set);
        for (const [state, number] of Object.entries(exports)) {
          set('locmetrics_exports', { state }, number);
        }
        giveSources(sources, memory, set);
      });
    },
    close: () => ownProcess.close(),
  };
}

function giveSources(
  sources: MetricSources,
  memory: EngineMemory | undefined,
  set: SetGauge,
): void {
  const { workersRunning, usageMergeLagMs, controlLagMs, isReady, damagedRights } = sources;
  if (memory !== undefined) {
    set('locmetrics_engine_memory_bytes', {}, memory.memoryBytes);
    set('locmetrics_engine_memory_limit_bytes', {}, memory.memoryLimitBytes);
    set('locmetrics_engine_temporary_bytes', {}, memory.temporaryBytes);
  }
  for (const [queue, read] of Object.entries(sources.queues ?? {})) {
    const { running, waiting } = read();
    set('locmetrics_queue_running', { queue }, running);
    set('locmetrics_queue_waiting', { queue }, waiting);
  }
  for (const current of sources.currentVersions?.() ?? []) {
    const { rowCount, publishedTime } = current;
    const { name } = current.dataset;
    if (rowCount !== undefined) set('locmetrics_dataset_rows', { dataset: name }, rowCount);
    const published = Date.parse(publishedTime) / 1000;
    set('locmetrics_dataset_published_timestamp_seconds', { dataset: name }, published);
    const dueMs = dataDueMs(current);
    if (dueMs !== undefined) {
      set('locmetrics_dataset_due_timestamp_seconds', { dataset: name }, dueMs / 1000);
    }
  }
  if (sources.rowFilesMissing !== undefined) {
    set('locmetrics_row_files_missing', {}, sources.rowFilesMissing());
  }
  if (sources.disk !== undefined) {
    const { freeBytes, sizeBytes } = sources.disk();
    set('locmetrics_data_free_bytes', {}, freeBytes);
    set('locmetrics_data_size_bytes', {}, sizeBytes);
  }
  if (workersRunning !== undefined) set('locmetrics_workers_running', {}, workersRunning());
  if (usageMergeLagMs !== undefined) {
    set('locmetrics_usage_merge_lag_seconds', {}, usageMergeLagMs() / 1000);
  }
  if (controlLagMs !== undefined) set('locmetrics_control_lag_seconds', {}, controlLagMs() / 1000);
  if (damagedRights !== undefined) set('locmetrics_rights_damaged_rows', {}, damagedRights());
  if (isReady !== undefined) set('locmetrics_ready', {}, isReady() ? 1 : 0);
  for (const [listener, expiryMs] of Object.entries(sources.certificateExpiry ?? {})) {
    const expiry = expiryMs() / 1000;
    set('locmetrics_certificate_expiry_timestamp_seconds', { listener }, expiry);
  }
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** Callers can invent any number of methods, so an unknown method must not become a label. */
function toMethod(method: string): string {
  return KNOWN_METHODS.has(method) ? method : '_OTHER';
}

const KNOWN_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);
