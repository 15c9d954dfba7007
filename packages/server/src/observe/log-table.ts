import { roundedSize } from '../domain/size-text.ts';
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

/** The table of how each kind of observation is logged. */
export const LOG_TABLE = {
  request_began: { level: 'none', meaning: 'A request or call began.' },
  request_completed: {
    level: 'info',
    meaning: 'The access log: a request was answered, refused or cancelled by its caller.',
  },
  request_refused: {
    level: 'info',
    meaning: 'A request ended with an error of the error table, which was sent to the caller.',
    sentence: ({ reason, requestId }) => `Refused with ${reason}, request ${requestId}`,
  },
  request_failed: {
    level: 'error',
    meaning: 'A request ended with a fault of the service. Report it with this line.',
  },
  query_completed: { level: 'none', meaning: 'A query of the engine has ended.' },
  query_slow: {
    level: 'warn',
    meaning: 'A query took longer than the threshold. Its plan is logged without values.',
  },
  readiness_changed: {
    level: 'warn',
    meaning:
      'Requests can be served again, or can no longer be; `failing` lists the failed checks with their errors.',
  },
  file_open_to_others: {
    level: 'warn',
    meaning:
      'A file of the control store was accessible to other users, for example after a copy. With `isMended` its mode is now 0600; otherwise change its mode or owner. If other users could log in to the machine in the meantime, rotate important tokens.',
  },
  last_used_failed: {
    level: 'warn',
    meaning:
      'The times of last use of tokens could not be written. They are kept and written later.',
  },
  grant_unusable: {
    level: 'warn',
    meaning:
      'A grant does not fit a published dataset or metric, for example because a field of its filter was removed. The grant does not show that dataset or metric. Remove the grant and add one that fits.',
  },
  used_rows_unknown: {
    level: 'error',
    meaning:
      'The row usage of an organisation could not be read. Its requests are refused until it can be.',
  },
  usage_recorded: { level: 'none', meaning: 'The usage of requests was recorded.' },
  usage_write_failed: {
    level: 'error',
    meaning:
      'Usage cannot be recorded, for example because the disk is full, so requests fail with `USAGE_NOT_RECORDED`. Logged once per outage.',
  },
  usage_merge_failed: {
    level: 'error',
    meaning:
      'Recorded usage cannot be merged into `usage.sqlite`. Nothing is lost; the merge is retried each second. Logged once per outage.',
  },
  usage_read_failed: {
    level: 'error',
    meaning: 'A request for usage failed, because `usage.sqlite` could not be updated or read.',
  },
  usage_unreadable: {
    level: 'warn',
    meaning:
      'Lines of a usage segment are not records and were skipped; a power failure can leave them.',
  },
  certificate_reloaded: {
    level: 'info',
    meaning: 'New connections get a new certificate.',
  },
  certificate_refused: {
    level: 'warn',
    meaning: 'The certificate files cannot be used. The previous certificate stays in use.',
  },
  webhook_told: {
    level: 'info',
    meaning: 'The webhook accepted a switch of versions.',
  },
  webhook_failed: {
    level: 'warn',
    meaning:
      'The webhook did not accept a switch, for the `reason`; the delivery is retried after `retryMs`.',
  },
  webhook_given_up: {
    level: 'error',
    meaning:
      'The webhook did not accept a switch within a day, or answered 410. The switch is not sent again. Check which versions the receiver considers current.',
  },
  webhook_unusable: {
    level: 'error',
    meaning:
      'The delivery state of the webhook cannot be read or written. This is retried each second. Logged once per outage.',
  },
  trace_export_failed: {
    level: 'warn',
    meaning: 'The collector does not accept spans. Logged once per outage.',
  },
  log_lines_dropped: {
    level: 'warn',
    meaning:
      'Lines of this log were dropped, because the reader of standard error was too slow or stopped.',
    sentence: ({ lines }) => `${lines} lines of this log were dropped`,
  },
  nothing_published: {
    level: 'warn',
    meaning: 'The data directory contains no dataset.',
    message: 'The data directory contains no dataset yet: publish one.',
    sentence: ({ directory }) => `${directory} contains no dataset yet: publish one`,
  },
  version_damaged: {
    level: 'error',
    meaning:
      'The current version of a dataset is damaged; `problem` describes the damage. The previous version, `served`, is served instead. Restore the folder of the damaged version from a backup and restart, or publish again; `locmetrics verify` checks all versions.',
    message: 'The current version is damaged: the previous one is served.',
  },
  row_file_unusable: {
    level: 'warn',
    meaning:
      'The row file of a version is missing, damaged, or of another release; `problem` tells which. Answers are right but slower: they all come from the column store. `locmetrics verify --repair` makes the file again; the service uses it within a minute.',
    message: 'The row file cannot be used: the column store answers.',
  },
  current_unreadable: {
    level: 'error',
    meaning:
      '`current.json` is missing or damaged, or names only versions that cannot be read. The previous state stays in service. Restore the file from a backup, or rebuild it with `locmetrics recover`. Logged once per outage.',
    message: 'current.json cannot be used: the previous state stays in service.',
  },
  versions_verified: {
    level: 'info',
    meaning:
      'The files of the current versions were checked at the start: see `--verify-on-start`.',
    sentence: ({ versions, bytes, durationMs }) =>
      `Checked ${versions} current versions, ${roundedSize(bytes)}, in ${durationMs} ms`,
  },
  lease_failed: {
    level: 'warn',
    meaning:
      'A worker cannot write its lease, which names the versions in use, for example because the disk is full. Requests are still answered, but an outdated version may be removed while it is in use.',
  },
  garbage_removed: {
    level: 'info',
    meaning:
      'Outdated versions that can no longer be queried were removed, or files that a killed process left behind.',
  },
  garbage_failed: {
    level: 'warn',
    meaning:
      'Outdated versions or leftover files could not be removed. This is retried. Logged once per outage.',
  },
  server_exposed: {
    level: 'warn',
    meaning: 'A listener without TLS is reachable from other machines.',
    message: 'Tokens and data are sent in plaintext to other machines.',
  },
  server_listening: {
    level: 'info',
    meaning: 'A listener is open.',
    sentence: ({ url }) => `Listening on ${url}`,
  },
  server_stopping: {
    level: 'info',
    meaning: 'A signal was received; running requests are completed.',
    sentence: ({ signal }) => `Stopping after ${signal}: running requests are completed`,
  },
  server_stopped: {
    level: 'info',
    meaning: 'Everything is closed.',
    sentence: () => 'Stopped',
  },
  setting_questioned: {
    level: 'warn',
    meaning: 'A setting has no effect, or its value is probably a mistake.',
    sentence: ({ notice }) => notice,
  },
  connections_refused: {
    level: 'warn',
    meaning:
      'Connections were closed because the maximum was reached. Logged at most every 10 s. Raise `--connections`, or the limit of open files if `connections_reduced` was logged.',
  },
  connections_displaced: {
    level: 'warn',
    meaning:
      'Connections without an accepted token were closed to make room for waiting ones, because a worker had its maximum. Logged at most every 10 s.',
  },
  connections_reduced: {
    level: 'warn',
    meaning:
      'The system allows a process fewer open files (`descriptorLimit`) than `--connections` needs (`descriptorsNeeded`), so each worker accepts at most `connections` connections. Raise the limit, or lower the setting.',
    message: 'The limit of open files allows fewer connections than --connections.',
  },
  accept_failed: {
    level: 'error',
    meaning:
      'The system did not accept a new connection, for example because too many files are open on the machine. Logged at most every 10 s.',
  },
  worker_started: {
    level: 'info',
    meaning: 'A worker is ready for requests.',
    sentence: ({ worker, pid }) => `Worker ${worker} is ready (process ${pid})`,
  },
  worker_exited: {
    level: 'warn',
    meaning:
      'A worker ended unexpectedly; `cause` is its signal or exit code. A new one is started.',
  },
  worker_stuck: {
    level: 'error',
    meaning:
      'A worker sent no sign of life for 15 s: its event loop is blocked. It is killed and replaced.',
  },
  worker_failed: { level: 'error', meaning: 'A worker could not start. The start is retried.' },
  workers_killed: {
    level: 'warn',
    meaning: 'Workers that did not end within `--drain-timeout` were killed.',
  },
  worker_unanswered: {
    level: 'warn',
    meaning: 'A worker did not report its metrics within a second: its event loop may be blocked.',
  },
} as const satisfies {
  readonly [Kind in Observation['kind']]: LogRow<Extract<Observation, { readonly kind: Kind }>>;
};
