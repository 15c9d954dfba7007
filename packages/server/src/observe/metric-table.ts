export type MetricRow = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** How the values of several workers are aggregated. */
  readonly merge: 'sum' | 'max' | 'min' | 'average' | 'first';
  readonly help: string;
};

/** A row of the table; a metric has no labels and is summed over the workers unless it says otherwise. */
const rowOf =
  <Type extends MetricRow['type']>(type: Type) =>
  <Label extends string = never>(
    help: string,
    given: { readonly labels?: readonly Label[]; readonly merge?: MetricRow['merge'] } = {},
  ) =>
    ({ type, help, labels: given.labels ?? [], merge: given.merge ?? 'sum' }) as const;

const counter = rowOf('counter');
const gauge = rowOf('gauge');
const histogram = rowOf('histogram');

/**
 * The table of all metrics, by name. The metrics are registered from it, and the reference page equals it.
 *
 * No label contains text from a caller, an organisation or a token: each value of a label is a series that
 * is kept until the process ends. The log has the organisation and token of each request.
 *
 * A version of data is no label either.
 */
export const METRIC_TABLE = {
  http_server_request_duration_seconds: histogram(
    'Duration of HTTP requests, until the response was sent.',
    { labels: ['http_request_method', 'http_route', 'http_response_status_code', 'error_type'] },
  ),
  http_server_active_requests: gauge('HTTP requests in progress.', {
    labels: ['http_request_method'],
  }),
  rpc_server_call_duration_seconds: histogram(
    'Duration of gRPC calls, until the status was sent.',
    { labels: ['rpc_system_name', 'rpc_method', 'rpc_response_status_code', 'error_type'] },
  ),
  locmetrics_rpc_active_calls: gauge('gRPC calls in progress.'),
  locmetrics_rows_returned_total: counter('Rows in responses: records, values, features.', {
    labels: ['route'],
  }),
  locmetrics_answer_bytes_total: counter('Bytes of responses before compression.', {
    labels: ['route'],
  }),
  locmetrics_requests_refused_total: counter(
    'Requests refused with an error of the error table, by reason.',
    { labels: ['reason'] },
  ),
  locmetrics_requests_failed_total: counter(
    'Requests that failed because of a fault in the service. Each is in the log.',
  ),
  locmetrics_tokens_refused_total: counter('Refused tokens, by cause.', {
    labels: ['refusal'],
  }),
  locmetrics_query_duration_seconds: histogram(
    'Duration of engine queries, including the time in the queue, by kind of plan and outcome.',
    { labels: ['plan', 'outcome'] },
  ),
  locmetrics_query_rows_total: counter('Rows that the engine returned, by dataset.', {
    labels: ['dataset'],
  }),
  locmetrics_queue_running: gauge(
    'Running items of a queue: pages of responses, or engine queries.',
    { labels: ['queue'] },
  ),
  locmetrics_queue_waiting: gauge('Waiting items of a queue.', { labels: ['queue'] }),
  locmetrics_engine_memory_bytes: gauge('Memory that the engine uses.'),
  locmetrics_engine_memory_limit_bytes: gauge('Memory limit of the engine.'),
  locmetrics_engine_temporary_bytes: gauge('Bytes that the engine has spilled to disk.'),
  locmetrics_dataset_rows: gauge('Records of the current version.', {
    labels: ['dataset'],
    merge: 'max',
  }),
  locmetrics_dataset_published_timestamp_seconds: gauge(
    'Time at which the current version was published.',
    { labels: ['dataset'], merge: 'max' },
  ),
  locmetrics_dataset_due_timestamp_seconds: gauge(
    'Time from which the dataset is overdue: two periods of its cadence after the end of its last period. Only for datasets with periods.',
    { labels: ['dataset'], merge: 'max' },
  ),
  locmetrics_row_files_missing: gauge(
    'Current versions without a usable row file. All responses about them come from the slower store.',
    { merge: 'max' },
  ),
  locmetrics_data_free_bytes: gauge('Free space of the disk that holds the data directory.', {
    merge: 'min',
  }),
  locmetrics_data_size_bytes: gauge('Size of the disk that holds the data directory.', {
    merge: 'max',
  }),
  locmetrics_certificate_expiry_timestamp_seconds: gauge(
    'When the certificate of a listener expires.',
    { labels: ['listener'], merge: 'min' },
  ),
  locmetrics_ready: gauge(
    'Whether requests can be served, as /readyz reports: 1 or 0. With several workers, the worst.',
    { merge: 'min' },
  ),
  locmetrics_workers_running: gauge('Workers that are running.'),
  locmetrics_connections_refused_total: counter(
    'Connections closed because the maximum was reached.',
  ),
  locmetrics_connections_displaced_total: counter(
    'Connections without an accepted token, closed to make room for others.',
  ),
  locmetrics_workers_started_total: counter('Started workers, including replacements.'),
  locmetrics_workers_exited_total: counter('Workers that ended, by signal or exit code.', {
    labels: ['cause'],
  }),
  locmetrics_workers_unanswered_total: counter(
    'Workers that did not report their metrics in time. Their previous counts were used.',
  ),
  locmetrics_log_lines_dropped_total: counter(
    'Log lines dropped because the reader was too slow or stopped.',
  ),
  locmetrics_trace_export_outages_total: counter(
    'Outages in which the collector accepted no spans. Each is in the log.',
  ),
  locmetrics_usage_records_total: counter('Usage records written, one for each answered request.'),
  locmetrics_usage_write_outages_total: counter(
    'Outages in which usage could not be recorded, so requests failed. Each is in the log.',
  ),
  locmetrics_usage_merge_outages_total: counter(
    'Outages in which recorded usage could not be merged. Each is in the log.',
  ),
  locmetrics_versions_damaged_total: counter(
    'Damaged current versions found; the previous version is served instead. Each is in the log.',
  ),
  locmetrics_rights_damaged_total: counter(
    'Damaged rows of the control store found by each worker. Each is in the log.',
  ),
  locmetrics_rights_damaged_rows: gauge(
    'Damaged rows of the control store that decide rights, at the last check. Requests that depend on them are refused.',
    { merge: 'max' },
  ),
  locmetrics_row_files_unusable_total: counter(
    'Row files found missing, damaged or of another release; the service uses the column store instead. Each is in the log.',
  ),
  locmetrics_webhook_attempts_total: counter(
    'Webhook deliveries of switches, by outcome: accepted, failed or given up.',
    { labels: ['outcome'] },
  ),
  locmetrics_exports: gauge(
    'Exports of the service, or of the node, by state: waiting, running, completed or failed. They are counted until they expire.',
    { labels: ['state'], merge: 'max' },
  ),
  locmetrics_exports_ended_total: counter(
    'Attempts to write an export, by outcome: completed, failed, lost because it was deleted, or put off.',
    { labels: ['outcome'] },
  ),
  locmetrics_usage_merge_lag_seconds: gauge(
    'Time since all recorded usage was merged. Normally about a second at most.',
    { merge: 'max' },
  ),
  locmetrics_control_outages_total: counter(
    'Outages in which the PostgreSQL of a shared control store could not be reached. Each is in the log.',
  ),
  locmetrics_control_lag_seconds: gauge(
    'Time since the copy of a shared control store was known to be up to date. Normally about a second at most.',
    { merge: 'max' },
  ),
  locmetrics_build_info: gauge('The version of the service and of Node; the value is always 1.', {
    labels: ['version', 'node_version'],
    merge: 'max',
  }),
  process_cpu_seconds_total: counter('CPU time of the process, user and system.'),
  process_resident_memory_bytes: gauge(
    'Resident memory, summed over the workers; shared memory counts for each.',
  ),
  process_open_fds: gauge('Open files and sockets.'),
  process_start_time_seconds: gauge(
    'When the process started. With several processes, the earliest.',
    { merge: 'min' },
  ),
  nodejs_heap_size_used_bytes: gauge('Memory of JavaScript objects.'),
  nodejs_eventloop_delay_mean_seconds: gauge('Average event-loop delay since the last scrape.', {
    merge: 'average',
  }),
  nodejs_eventloop_delay_p99_seconds: gauge(
    'The 99th percentile of the event-loop delay since the last scrape. With several workers, the worst.',
    { merge: 'max' },
  ),
  nodejs_eventloop_delay_max_seconds: gauge(
    'Maximum event-loop delay since the last scrape. With several workers, the worst.',
    { merge: 'max' },
  ),
} satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRIC_TABLE;

/**
 * In seconds: the buckets that OpenTelemetry recommends for requests, with finer ones for answers from
 * memory and one at the query deadline.
 */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30,
] as const;
