import { roundedSize } from '../domain/size-text.ts';
import type { Observation } from './observation.ts';

export type LogRow<Observed extends Observation = Observation> = {
  /** `none`: it is counted in the metrics and not written. */
  readonly level: 'error' | 'warn' | 'info' | 'none';
  /** What it means and what the operator can do, for the reference page. */
  readonly meaning: string;
  /** Written beside the facts, where they do not speak for themselves. */
  readonly message?: string;
  /** The line for people on a terminal; default: the message, or else the kind, and the facts. */
  readonly sentence?: (observed: Observed) => string;
};

/** The one table of what the log makes of each kind of observation. */
export const LOG_TABLE = {
  request_began: { level: 'none', meaning: 'A request or call began.' },
  request_completed: {
    level: 'info',
    meaning: 'The access log: a request was answered, refused or left by its caller.',
  },
  request_refused: {
    level: 'info',
    meaning: 'A request ended with an error of the error table, which its caller was told.',
    sentence: ({ reason, requestId }) => `Refused with ${reason}, request ${requestId}`,
  },
  request_failed: {
    level: 'error',
    meaning: 'A fault of the service ended a request. Report it with the line.',
  },
  query_completed: { level: 'none', meaning: 'The engine has run a plan, or ended it.' },
  query_slow: {
    level: 'warn',
    meaning:
      'The engine took longer for a plan than the threshold. The plan is told without values.',
  },
  readiness_changed: {
    level: 'warn',
    meaning:
      'Requests can be served again, or can not; `failing` says which checks failed and why.',
  },
  file_open_to_others: {
    level: 'warn',
    meaning:
      'A file of the control store could be used by others than its owner, as after a copy. Where `isMended`, it was made private (0600); else change its mode or owner. If others could log in meanwhile, rotate the tokens that matter.',
  },
  last_used_failed: {
    level: 'warn',
    meaning: 'When tokens were last used could not be written. It is kept and written later.',
  },
  grant_unusable: {
    level: 'warn',
    meaning:
      'A grant does not fit a dataset or metric as it is published now, for example because a field of its filter is gone. What it names is not shown. Remove the grant and add one that fits.',
  },
  used_rows_unknown: {
    level: 'error',
    meaning:
      'How many rows an organisation has used could not be read. Its requests are refused until it can.',
  },
  usage_recorded: { level: 'none', meaning: 'The usage of requests was recorded.' },
  usage_write_failed: {
    level: 'error',
    meaning:
      'Usage cannot be recorded, so requests fail with `USAGE_NOT_RECORDED`: the disk is full, say. It is told once, until it can be again.',
  },
  usage_merge_failed: {
    level: 'error',
    meaning:
      'Recorded usage cannot be merged into `usage.sqlite`. Nothing is lost; it is tried again each second, and told once, until it succeeds.',
  },
  usage_read_failed: {
    level: 'error',
    meaning: 'A request for usage failed, because `usage.sqlite` could not be merged into or read.',
  },
  usage_unreadable: {
    level: 'warn',
    meaning: 'Lines of a usage segment are no record and were left out, as after a loss of power.',
  },
  certificate_reloaded: {
    level: 'info',
    meaning: 'A new certificate is shown to new connections.',
  },
  certificate_refused: {
    level: 'warn',
    meaning: 'The files of the certificate cannot be used. The certificate before stays.',
  },
  webhook_told: {
    level: 'info',
    meaning: 'The webhook accepted a switch of versions.',
  },
  webhook_failed: {
    level: 'warn',
    meaning:
      'The webhook did not accept a switch, for the `reason`; it is told again after `retryMs`.',
  },
  webhook_given_up: {
    level: 'error',
    meaning:
      'The webhook accepted a switch not within a day, or answered 410: it is not told of it again. Look there what is current.',
  },
  webhook_unusable: {
    level: 'error',
    meaning:
      'How far the webhook was told cannot be read or written; it is tried again each second, and told once, until it can.',
  },
  trace_export_failed: {
    level: 'warn',
    meaning: 'The collector takes no spans. It is told once, until it takes some again.',
  },
  log_lines_dropped: {
    level: 'warn',
    meaning: 'Lines of this log were lost because nobody read what stood before them.',
    sentence: ({ lines }) => `${lines} lines of this log were lost`,
  },
  nothing_published: {
    level: 'warn',
    meaning: 'The data directory holds no dataset.',
    message: 'There are no datasets here yet: publish some.',
    sentence: ({ directory }) => `There are no datasets in ${directory} yet: publish some`,
  },
  version_damaged: {
    level: 'error',
    meaning:
      'The current version of a dataset is damaged, as `problem` says; `served`, which was current before, is served instead. Restore its folder from a backup and restart, or publish again; `locmetrics verify` checks all versions.',
    message: 'A current version is damaged: the one before is served.',
  },
  current_unreadable: {
    level: 'error',
    meaning:
      '`current.json` is missing or damaged, or names versions of which none can be read. What was current before is served on. Told once, until it can be read again; restore it from a backup, or rebuild it with `locmetrics recover`.',
    message: 'What is current cannot be read: what was before is served on.',
  },
  versions_verified: {
    level: 'info',
    meaning: 'The current versions were checked before they are served: see `--verify-on-start`.',
    sentence: ({ versions, bytes, durationMs }) =>
      `Checked ${versions} current versions, ${roundedSize(bytes)}, in ${durationMs} ms`,
  },
  lease_failed: {
    level: 'warn',
    meaning:
      'A worker cannot write down which versions it reads: the disk is full, say. Requests are answered; a version that need not be kept may be removed while it is read.',
  },
  garbage_removed: {
    level: 'info',
    meaning:
      'Versions that nobody can ask for any more were removed, or what a killed process left behind.',
  },
  garbage_failed: {
    level: 'warn',
    meaning:
      'What nobody can ask for any more could not be removed. It is tried again, and told once, until it can be.',
  },
  server_exposed: {
    level: 'warn',
    meaning: 'A listener without TLS is reachable from other machines.',
    message: 'Tokens and data travel in plaintext beyond this machine.',
  },
  server_listening: {
    level: 'info',
    meaning: 'A listener is open.',
    sentence: ({ url }) => `Listening on ${url}`,
  },
  server_stopping: {
    level: 'info',
    meaning: 'A signal arrived; requests under way are answered.',
    sentence: ({ signal }) => `Stopping after ${signal}: requests under way are answered`,
  },
  server_stopped: {
    level: 'info',
    meaning: 'Everything is closed.',
    sentence: () => 'Stopped',
  },
  setting_questioned: {
    level: 'warn',
    meaning: 'A setting is of no use as it is, or was probably meant otherwise.',
    sentence: ({ notice }) => notice,
  },
  connections_refused: {
    level: 'warn',
    meaning:
      'Connections were closed because there was no room for them. Told every 10 s at most; raise `--connections`, or the limit of open files where `connections_reduced` was told.',
  },
  connections_displaced: {
    level: 'warn',
    meaning:
      'Connections on which no token was accepted were closed, because a worker had all that it may have and others waited. Told every 10 s at most.',
  },
  connections_reduced: {
    level: 'warn',
    meaning:
      'The system allows a process fewer open files (`descriptorLimit`) than `--connections` needs (`descriptorsNeeded`): each worker has at most this many connections. Raise the limit, or lower the setting.',
    message: 'The limit of open files allows fewer connections than --connections.',
  },
  accept_failed: {
    level: 'error',
    meaning:
      'The system gave no descriptor for a new connection: the machine has too many open files, say. Told every 10 s at most.',
  },
  worker_started: {
    level: 'info',
    meaning: 'A worker answers requests.',
    sentence: ({ worker, pid }) => `Worker ${worker} answers requests (process ${pid})`,
  },
  worker_exited: {
    level: 'warn',
    meaning:
      'A worker ended without being told to; `cause` is its signal or exit code. Another is started.',
  },
  worker_stuck: {
    level: 'error',
    meaning:
      'A worker told nothing for 15 s: its event loop stands still. It is killed and replaced.',
  },
  worker_failed: { level: 'error', meaning: 'A worker could not begin. It is tried again.' },
  workers_killed: {
    level: 'warn',
    meaning: 'Workers that did not end within `--drain-timeout` were killed.',
  },
  worker_unanswered: {
    level: 'warn',
    meaning: 'A worker did not give its metrics within a second: its event loop may be stuck.',
  },
} as const satisfies {
  readonly [Kind in Observation['kind']]: LogRow<Extract<Observation, { readonly kind: Kind }>>;
};
