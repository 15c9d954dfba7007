import { roundedSize } from '@locmetrics/core/errors/size-text';
import type { Observation } from './observation.ts';

export type LogRow<Observed extends Observation = Observation> = {
  /** `none`: counted in the metrics, but not written to the log. */
  readonly level: 'error' | 'warn' | 'info' | 'none';
  /** The meaning and the action for the operator, for the reference page. */
  readonly meaning: string;
  /** A message next to the facts, if they need an explanation. */
  readonly message?: string;
  /** The line on a terminal; default: the message, or else the kind, and the facts. */
  readonly sentence?: (observed: Observed) => string;
};

/** Makes rows of a level. */
const rowOf =
  (level: LogRow['level']) =>
  <Observed extends Observation>(
    meaning: string,
    shown: Pick<LogRow<Observed>, 'message' | 'sentence'> = {},
  ): LogRow<Observed> => ({ level, meaning, ...shown });

const error = rowOf('error');
const warn = rowOf('warn');
const info = rowOf('info');
const unlogged = rowOf('none');

/** The table of how each kind of observation is logged. */
export const LOG_TABLE = {
  request_began: unlogged('A request or call began.'),
  request_completed: info(
    'The access log: a request was answered, refused or cancelled by its caller.',
  ),
  request_refused: info(
    'A request ended with an error of the error table, which was sent to the caller.',
    {
      sentence: ({ reason, requestId }) => `Refused with ${reason}, request ${requestId}`,
    },
  ),
  request_failed: error(
    'A request failed because of a fault in the service. Report it together with this line.',
  ),
  query_completed: unlogged('An engine query has ended.'),
  query_slow: warn('A query took longer than the threshold. Its plan is logged without values.'),
  readiness_changed: warn(
    'The service has become ready to answer requests, or is no longer ready; `failing` lists the failed checks with their errors.',
  ),
  file_open_to_others: warn(
    'A file of the control store was accessible to other users, for example after a copy. If `isMended` is true, its mode is now 0600; otherwise change its mode or owner. If other users could log in to the machine in the meantime, rotate important tokens.',
  ),
  rights_damaged: error(
    'A row of the control store that decides rights is damaged; `table`, `rowId` and `problem` say which row, and how. Requests of the affected organisation or token are refused with `RIGHTS_DAMAGED`. Restore it from a backup; `locmetrics verify` lists all such rows. Logged once by each worker.',
  ),
  control_away: error(
    'The PostgreSQL database in `--control` cannot be reached. Requests are answered from the copy in the data directory for `--control-away-max`, and then refused with `CONTROL_STORE_AWAY`. Changes to tokens, grants and limits are refused within two seconds. Logged once per outage.',
  ),
  control_back: info(
    'The PostgreSQL database in `--control` can be reached again, after `awayMs`. The copy in the data directory is up to date.',
    {
      sentence: ({ awayMs }) => `The database of --control is reached again after ${awayMs} ms`,
    },
  ),
  last_used_failed: warn(
    'The times of last use of tokens could not be written. They are kept and written later.',
  ),
  grant_unusable: warn(
    'A grant does not match a published dataset or metric, for example because a field of its filter was removed. It does not give access to that dataset or metric. Replace the grant.',
  ),
  used_rows_unknown: error(
    'The number of rows that an organisation has used could not be read. Requests of this organisation are refused until it can be read.',
  ),
  shared_limits_away: error(
    'The PostgreSQL database through which nodes share the limits of organisations does not respond. Meanwhile this node enforces its share of each limit: the limit divided by `nodes`. Logged once per outage.',
  ),
  shared_limits_back: info('Nodes share the limits of organisations again.'),
  usage_recorded: unlogged('The usage of requests was recorded.'),
  usage_write_failed: error(
    'Usage cannot be recorded, for example because the disk is full, so requests fail with `USAGE_NOT_RECORDED`. Logged once per outage.',
  ),
  usage_merge_failed: error(
    'Recorded usage cannot be merged into `usage.sqlite` or PostgreSQL. Nothing is lost; the merge is retried each second. Logged once per outage.',
  ),
  usage_read_failed: error(
    'A request for usage failed, because `usage.sqlite` or PostgreSQL could not be updated or read.',
  ),
  usage_unreadable: warn(
    'Lines of a usage segment are not records and were skipped; a power failure can leave them.',
  ),
  certificate_reloaded: info(
    'The certificate files have changed. New connections get the new certificate.',
  ),
  certificate_refused: warn(
    'The certificate files are unusable. The previous certificate stays in use.',
  ),
  webhook_told: info('The webhook accepted a switch of versions.'),
  webhook_failed: warn(
    'The webhook did not accept a switch; `reason` says why. The delivery is retried after `retryMs`.',
  ),
  webhook_given_up: error(
    'The webhook did not accept a switch within a day, or answered 410. The switch is not sent again. Check which versions the receiver considers current.',
  ),
  webhook_unusable: error(
    'The delivery state of the webhook cannot be read or written. This is retried each second. Logged once per outage.',
  ),
  trace_export_failed: warn('The trace collector does not accept spans. Logged once per outage.'),
  log_lines_dropped: warn(
    'Lines of this log were dropped, because the reader of standard error was too slow or stopped.',
    {
      sentence: ({ lines }) => `${lines} lines of this log were dropped`,
    },
  ),
  nothing_published: warn('The data directory contains no dataset.', {
    message: 'The data directory contains no dataset yet: publish one.',
    sentence: ({ directory }) => `${directory} contains no dataset yet: publish one`,
  }),
  version_damaged: error(
    'The current version of a dataset is damaged; `problem` describes the damage. The previous version, `served`, is served instead. Restore the folder of the damaged version from a backup and restart, or publish again; `locmetrics verify` checks all versions.',
    {
      message: 'The current version is damaged: the previous one is served.',
    },
  ),
  row_file_unusable: warn(
    'The row file of a version is missing, damaged, or of another release; `problem` says which. Responses are correct but slower, because they all come from the column store. `locmetrics verify --repair` writes the file again; the service uses it within a minute.',
    {
      message: 'The row file cannot be used: the column store answers.',
    },
  ),
  row_file_made: info(
    'A missing row file of a current version was written from its table in ClickHouse (see `--clickhouse-row-files`). Workers use it within a minute.',
  ),
  row_file_not_made: warn(
    'A missing row file of a current version could not be written from its table in ClickHouse; `problem` says why. The service uses ClickHouse instead. The service tries again after ten minutes.',
    {
      message: 'The row file cannot be made: ClickHouse answers.',
    },
  ),
  current_unreadable: error(
    '`current.json` is missing or damaged, or names only versions that cannot be read. The previous state stays in service. Restore the file from a backup, or rebuild it with `locmetrics recover`. Logged once per outage.',
    {
      message: 'current.json cannot be used: the previous state stays in service.',
    },
  ),
  versions_verified: info(
    'The files of the current versions were checked at the start: see `--verify-on-start`.',
    {
      sentence: ({ versions, bytes, durationMs }) =>
        `Checked ${versions} current versions, ${roundedSize(bytes)}, in ${durationMs} ms`,
    },
  ),
  lease_failed: warn(
    'A worker cannot write its lease, which names the versions in use, for example because the disk is full. Requests are still answered, but an outdated version may be removed while it is in use.',
  ),
  garbage_removed: info(
    'Outdated versions that can no longer be queried were removed, or files that a killed process left behind.',
  ),
  garbage_failed: warn(
    'Outdated versions or leftover files could not be removed. This is retried. Logged once per outage.',
  ),
  export_ended: info(
    'An export was completed or failed, or its work was lost because it was deleted, or it is put off because the service stops or is overloaded; `outcome` says which, and `error` why.',
  ),
  exports_unusable: error(
    'The store of exports cannot be read or written, for example because the disk is full. This is retried each second. Logged once per outage.',
  ),
  server_exposed: warn('A listener without TLS is reachable from other machines.', {
    message: 'Tokens and data are sent in plaintext to other machines.',
  }),
  service_started: info('The service has started; the fields say which build it is.', {
    sentence: ({ version, commit, date }) => `Started locmetrics ${version} (${commit}, ${date})`,
  }),
  server_listening: info('A listener is open.', {
    sentence: ({ url }) => `Listening on ${url}`,
  }),
  server_stopping: info('A signal was received; running requests are completed.', {
    sentence: ({ signal }) => `Stopping after ${signal}: running requests are completed`,
  }),
  server_stopped: info('The service has stopped: everything is closed.', {
    sentence: () => 'Stopped',
  }),
  setting_questioned: warn('A setting has no effect, or its value is probably a mistake.', {
    sentence: ({ notice }) => notice,
  }),
  connections_refused: warn(
    'Connections were closed because the maximum was reached. Logged at most every 10 s. Raise `--connections`, or the limit of open files if `connections_reduced` was logged.',
  ),
  connections_displaced: warn(
    'Connections without an accepted token were closed to make room for others, because the primary or a worker had reached its maximum. Logged at most every 10 s.',
  ),
  connections_reduced: warn(
    'The system allows a process fewer open files (`descriptorLimit`) than `--connections` needs (`descriptorsNeeded`), so each worker accepts at most `connections` connections. Raise the limit, or lower the setting.',
    {
      message: 'The limit of open files allows fewer connections than --connections.',
    },
  ),
  accept_failed: error(
    'The system did not accept a new connection, for example because too many files are open on the machine. Logged at most every 10 s.',
  ),
  worker_started: info('A worker is ready for requests.', {
    sentence: ({ worker, pid }) => `Worker ${worker} is ready (process ${pid})`,
  }),
  worker_exited: warn(
    'A worker ended unexpectedly; `cause` is its signal or exit code. A new one is started.',
  ),
  worker_stuck: error(
    'A worker has not responded for 15 s: its event loop is blocked. It is killed and replaced.',
  ),
  worker_failed: error('A worker could not start. The start is retried.'),
  workers_killed: warn('Workers that did not end within `--drain-timeout` were killed.'),
  worker_unanswered: warn(
    'A worker did not report its metrics within a second: its event loop may be blocked.',
  ),
} satisfies {
  readonly [Kind in Observation['kind']]: LogRow<Extract<Observation, { readonly kind: Kind }>>;
};
