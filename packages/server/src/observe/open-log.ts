import { type DestinationStream, destination, pino } from 'pino';
import type { Observe } from './observation.ts';

/**
 * Writes observations as lines of JSON to standard error, or to the stream given.
 *
 * - `base`: what stands in each line, such as the number of the worker.
 */
export function openLog(
  stream: DestinationStream = destination({ dest: 2, sync: false }),
  base: { readonly worker: number } | null = null,
): Observe {
  const log = pino({ base, timestamp: pino.stdTimeFunctions.isoTime }, stream);
  return (observation) => {
    const { kind, ...facts } = observation;
    switch (observation.kind) {
      case 'request_failed':
        log.error({ kind, requestId: observation.requestId, error: describe(observation.error) });
        break;
      case 'last_used_failed':
      case 'certificate_refused':
        log.warn({ kind, error: describe(observation.error) });
        break;
      case 'worker_failed':
        log.error({ kind, worker: observation.worker, error: describe(observation.error) });
        break;
      case 'worker_ended':
      case 'workers_killed':
      case 'setting_questioned':
        log.warn({ kind, ...facts });
        break;
      case 'connections_refused':
        log.warn({ kind, ...facts }, 'Connections were closed: no worker took them in time.');
        break;
      case 'nothing_published':
        log.warn({ kind, ...facts }, 'There are no datasets here yet: publish some.');
        break;
      case 'server_exposed':
        log.warn({ kind, ...facts }, 'Tokens and data travel in plaintext beyond this machine.');
        break;
      case 'request_completed':
      case 'request_refused':
      case 'server_listening':
      case 'worker_started':
      case 'certificate_reloaded':
      case 'server_stopping':
      case 'server_stopped':
        log.info({ kind, ...facts });
        break;
    }
  };
}

/**
 * What an operator needs of an unexpected error. Messages of a database can quote values, so the
 * first line is kept and cut.
 */
function describe(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: 'Something that is not an error was thrown.' };
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  const [firstLine = ''] = error.message.split('\n');
  return {
    name: error.name,
    message: firstLine.slice(0, MESSAGE_LENGTH_MAX),
    at: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 12),
    ...cause,
  };
}

const MESSAGE_LENGTH_MAX = 300;
