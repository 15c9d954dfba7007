export type MetricRow = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** How the values of several workers are aggregated. */
  readonly merge: 'sum' | 'max' | 'min' | 'average' | 'first';
  readonly help: string;
};

/**
 * The table of all metrics, by name. The metrics are registered from it, and the reference page equals it.
 *
 * No label contains text from a caller, an organisation or a token: each value of a label is a series that
 * is kept until the process ends. The log has the organisation and token of each request.
 */
export const METRIC_TABLE = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    labels: ['http_request_method', 'http_route', 'http_response_status_code', 'error_type'],
    merge: 'sum',
    help: 'Duration of HTTP requests, until the answer was sent.',
  },
  http_server_active_requests: {
    type: 'gauge',
    labels: ['http_request_method'],
    merge: 'sum',
    help: 'HTTP requests in progress.',
  },
  rpc_server_call_duration_seconds: {
    type: 'histogram',
    labels: ['rpc_system_name', 'rpc_method', 'rpc_response_status_code', 'error_type'],
    merge: 'sum',
    help: 'Duration of gRPC calls, until the status was sent.',
  },
  locmetrics_rpc_active_calls: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Calls over gRPC in progress.',
  },
  locmetrics_rows_returned_total: {
    type: 'counter',
    labels: ['route'],
    merge: 'sum',
    help: 'Rows in answers: records, values, features.',
  },
  locmetrics_answer_bytes_total: {
    type: 'counter',
    labels: ['route'],
    merge: 'sum',
    help: 'Bytes of answers before compression.',
  },
  locmetrics_requests_refused_total: {
    type: 'counter',
    labels: ['reason'],
    merge: 'sum',
    help: 'Requests that were refused with an error of the error table, by its reason.',
  },
  locmetrics_requests_failed_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Requests that failed by a fault of the service; each is in the log.',
  },
  locmetrics_tokens_refused_total: {
    type: 'counter',
    labels: ['refusal'],
    merge: 'sum',
    help: 'Tokens that were refused, by the cause.',
  },
  locmetrics_query_duration_seconds: {
    type: 'histogram',
    labels: ['plan', 'outcome'],
    merge: 'sum',
    help: 'Duration of queries of the engine, including the time in the queue, by kind of plan and outcome.',
  },
  locmetrics_query_rows_total: {
    type: 'counter',
    labels: ['dataset'],
    merge: 'sum',
    help: 'Rows that the engine returned, by dataset.',
  },
  locmetrics_queue_running: {
    type: 'gauge',
    labels: ['queue'],
    merge: 'sum',
    help: 'Running items of a queue: pages of answers, or queries of the engine.',
  },
  locmetrics_queue_waiting: {
    type: 'gauge',
    labels: ['queue'],
    merge: 'sum',
    help: 'Waiting items of a queue.',
  },
  locmetrics_engine_memory_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Memory that the engine uses.',
  },
  locmetrics_engine_memory_limit_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Memory limit of the engine.',
  },
  locmetrics_engine_temporary_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Bytes that the engine has spilled to disk.',
  },
  locmetrics_dataset_rows: {
    type: 'gauge',
    labels: ['dataset'],
    merge: 'max',
    help: 'Records of the current version.',
  },
  locmetrics_dataset_published_timestamp_seconds: {
    type: 'gauge',
    labels: ['dataset'],
    merge: 'max',
    help: 'Time at which the current version was published.',
  },
  locmetrics_certificate_expiry_timestamp_seconds: {
    type: 'gauge',
    labels: ['listener'],
    merge: 'min',
    help: 'When the certificate of a listener expires.',
  },
  locmetrics_ready: {
    type: 'gauge',
    labels: [],
    merge: 'min',
    help: 'Whether requests can be served, as /readyz reports: 1 or 0; of several workers, the worst.',
  },
  locmetrics_workers_running: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Workers that are running.',
  },
  locmetrics_connections_refused_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Connections that were closed because the maximum was reached.',
  },
  locmetrics_connections_displaced_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Connections without an accepted token that were closed to make room for others.',
  },
  locmetrics_workers_started_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Workers that were started, including replacements.',
  },
  locmetrics_workers_exited_total: {
    type: 'counter',
    labels: ['cause'],
    merge: 'sum',
    help: 'Workers that ended, by their signal or exit code.',
  },
  locmetrics_workers_unanswered_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Workers that did not report their metrics in time; their previous counts were used.',
  },
  locmetrics_log_lines_dropped_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Lines of the log that were dropped because their reader was too slow or stopped.',
  },
  locmetrics_trace_export_outages_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Outages of the collector, in which it accepted no spans; each is in the log.',
  },
  locmetrics_usage_records_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Usage records that were written; each answered request has one.',
  },
  locmetrics_usage_write_outages_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Outages in which usage could not be recorded and requests failed; each is in the log.',
  },
  locmetrics_usage_merge_outages_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Outages in which recorded usage could not be merged; each is in the log.',
  },
  locmetrics_versions_damaged_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Damaged current versions that were found, so that the previous version was served; each is in the log.',
  },
  locmetrics_row_files_unusable_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Row files that were found missing, damaged or of another release, so that the column store answers; each is in the log.',
  },
  locmetrics_webhook_attempts_total: {
    type: 'counter',
    labels: ['outcome'],
    merge: 'sum',
    help: 'Webhook deliveries of switches, by outcome: accepted, failed or given up.',
  },
  locmetrics_usage_merge_lag_seconds: {
    type: 'gauge',
    labels: [],
    merge: 'max',
    help: 'Time since all recorded usage was merged; normally at most about a second.',
  },
  locmetrics_build_info: {
    type: 'gauge',
    labels: ['version', 'node_version'],
    merge: 'max',
    help: 'The version of the service and of Node; the value is always 1.',
  },
  process_cpu_seconds_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'CPU time of the process, user and system.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Resident memory; the sum over the workers, so that shared memory counts for each.',
  },
  process_open_fds: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Open files and sockets.',
  },
  process_start_time_seconds: {
    type: 'gauge',
    labels: [],
    merge: 'min',
    help: 'When the process started; of several processes, the earliest.',
  },
  nodejs_heap_size_used_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Memory of JavaScript objects.',
  },
  nodejs_eventloop_delay_mean_seconds: {
    type: 'gauge',
    labels: [],
    merge: 'average',
    help: 'Average delay of the event loop since the last scrape.',
  },
  nodejs_eventloop_delay_p99_seconds: {
    type: 'gauge',
    labels: [],
    merge: 'max',
    help: 'The 99th percentile of the delay of the event loop since the last scrape; of several workers, the worst.',
  },
  nodejs_eventloop_delay_max_seconds: {
    type: 'gauge',
    labels: [],
    merge: 'max',
    help: 'Maximum delay of the event loop since the last scrape; of several workers, the worst.',
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRIC_TABLE;

/**
 * In seconds: the buckets that OpenTelemetry recommends for requests, with finer ones for answers from
 * memory and one at the query deadline.
 */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30,
] as const;
