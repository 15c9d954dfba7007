export type MetricRow = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** How the values of several workers become one. */
  readonly merge: 'sum' | 'max' | 'min' | 'average' | 'first';
  readonly help: string;
};

/**
 * The one table of metrics, by name: registration and the reference page follow from it.
 *
 * No label holds what a caller chose, an organisation, a token or a version of data: each value of a label
 * is a series, which Prometheus keeps. Datasets are named: there are few, and their operator knows them. Who
 * used what is in the log.
 */
export const METRIC_TABLE = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    labels: ['http_request_method', 'http_route', 'http_response_status_code', 'error_type'],
    merge: 'sum',
    help: 'How long requests over HTTP took, until the answer was sent.',
  },
  http_server_active_requests: {
    type: 'gauge',
    labels: ['http_request_method'],
    merge: 'sum',
    help: 'Requests over HTTP that are being answered.',
  },
  rpc_server_call_duration_seconds: {
    type: 'histogram',
    labels: ['rpc_system_name', 'rpc_method', 'rpc_response_status_code', 'error_type'],
    merge: 'sum',
    help: 'How long calls over gRPC took, until the status was sent.',
  },
  locmetrics_rpc_active_calls: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Calls over gRPC that are being answered.',
  },
  locmetrics_rows_returned_total: {
    type: 'counter',
    labels: ['route'],
    merge: 'sum',
    help: 'Rows in the answers: records, values, features.',
  },
  locmetrics_answer_bytes_total: {
    type: 'counter',
    labels: ['route'],
    merge: 'sum',
    help: 'Bytes of the answers before any compression.',
  },
  locmetrics_requests_refused_total: {
    type: 'counter',
    labels: ['reason'],
    merge: 'sum',
    help: 'Requests that ended with an error of the error table, by its reason.',
  },
  locmetrics_requests_failed_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Requests that ended with a fault of the service; each is in the log.',
  },
  locmetrics_tokens_refused_total: {
    type: 'counter',
    labels: ['refusal'],
    merge: 'sum',
    help: 'Tokens that were not accepted, by why not.',
  },
  locmetrics_query_duration_seconds: {
    type: 'histogram',
    labels: ['plan', 'outcome'],
    merge: 'sum',
    help: 'How long the engine took for a plan, waiting included, by the kind of the plan and how it ended.',
  },
  locmetrics_query_rows_total: {
    type: 'counter',
    labels: ['dataset'],
    merge: 'sum',
    help: 'Rows that the engine gave, by the dataset they are of.',
  },
  locmetrics_queue_running: {
    type: 'gauge',
    labels: ['queue'],
    merge: 'sum',
    help: 'What is being worked on: pages of answers, and queries of the engine.',
  },
  locmetrics_queue_waiting: {
    type: 'gauge',
    labels: ['queue'],
    merge: 'sum',
    help: 'What waits in line for its turn.',
  },
  locmetrics_engine_memory_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Memory that the engine holds.',
  },
  locmetrics_engine_memory_limit_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Memory that the engine may hold.',
  },
  locmetrics_engine_temporary_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'What the engine has spilled to disk.',
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
    help: 'When the current version was published.',
  },
  locmetrics_certificate_expiry_timestamp_seconds: {
    type: 'gauge',
    labels: ['listener'],
    merge: 'min',
    help: 'When the certificate that a listener shows expires.',
  },
  locmetrics_ready: {
    type: 'gauge',
    labels: [],
    merge: 'min',
    help: 'Whether requests can be served, as /readyz says: 1 or 0; of workers, the worst.',
  },
  locmetrics_workers_running: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Workers that answer requests.',
  },
  locmetrics_connections_refused_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Connections that were closed because there was no room for them.',
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
    help: 'Workers that were started, those that took the place of another included.',
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
    help: 'Workers that did not give their metrics in time; what they counted before stands in for it.',
  },
  locmetrics_log_lines_dropped_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Lines of the log that were lost because nobody read what stood before them.',
  },
  locmetrics_trace_export_outages_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Times that the collector began to take no spans; each is in the log.',
  },
  locmetrics_usage_records_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Usage records that were written: each answered request has one.',
  },
  locmetrics_usage_write_outages_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Times that usage began to be impossible to record, so that requests failed; each is in the log.',
  },
  locmetrics_usage_merge_outages_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Times that recorded usage began to be impossible to merge; each is in the log.',
  },
  locmetrics_versions_damaged_total: {
    type: 'counter',
    labels: [],
    merge: 'sum',
    help: 'Times that a current version was found damaged and another one was served; each is in the log.',
  },
  locmetrics_webhook_attempts_total: {
    type: 'counter',
    labels: ['outcome'],
    merge: 'sum',
    help: 'Times that the webhook was told of a switch, by whether it was accepted, failed or was given up.',
  },
  locmetrics_usage_merge_lag_seconds: {
    type: 'gauge',
    labels: [],
    merge: 'max',
    help: 'How long ago all recorded usage was merged; about a second at most while all is well.',
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
    help: 'Processor time, of the system for the process included.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    labels: [],
    merge: 'sum',
    help: 'Resident memory; of workers the sum, so that what they share counts for each.',
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
    help: 'When the process started; of several, the first.',
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
    help: 'By how much the event loop was late since the last scrape, on average.',
  },
  nodejs_eventloop_delay_p99_seconds: {
    type: 'gauge',
    labels: [],
    merge: 'max',
    help: 'By how much the event loop was late since the last scrape, in 99 of 100 cases at most; of workers, the worst.',
  },
  nodejs_eventloop_delay_max_seconds: {
    type: 'gauge',
    labels: [],
    merge: 'max',
    help: 'By how much the event loop was late since the last scrape at most; of workers, the worst.',
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRIC_TABLE;

/**
 * In seconds: those that OpenTelemetry advises for requests, with finer ones where answers come from
 * memory and one at the deadline of a query.
 */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30,
] as const;
