import { type DestinationStream, pino } from 'pino';
import { LOG_TABLE, type LogRow } from './log-table.ts';
import type { Observation, Observe } from './observation.ts';
import { openLogStream } from './open-log-stream.ts';

/** Writes observations as lines of JSON to standard error, or to the stream given. */
export function openLog({
  stream,
  worker,
  accessLog = true,
  onLineDropped = () => {},
}: {
  readonly stream?: DestinationStream;
  /** The number of the worker that writes, which stands in each line. */
  readonly worker?: number;
  /** Whether each request that ends is a line. Default: it is. */
  readonly accessLog?: boolean;
  /** Told of each line that was lost because nobody read what stood before it. */
  readonly onLineDropped?: () => void;
} = {}): Observe {
  const log = pino(
    { base: worker === undefined ? null : { worker }, timestamp: pino.stdTimeFunctions.isoTime },
    stream ??
      openLogStream({
        onDropped: onLineDropped,
        onDrained: (lines) => observe({ kind: 'log_lines_dropped', lines }),
      }),
  );
  const observe = (observation: Observation): void => {
    const { kind } = observation;
    const { level, message }: LogRow = LOG_TABLE[kind];
    if (level === 'none' || (kind === 'request_completed' && !accessLog)) return;
    log[level](toFacts(observation), message);
  };
  return observe;
}

/** What is written of an observation: all of it, its errors described. */
function toFacts(observation: Observation): Readonly<Record<string, unknown>> {
  if ('error' in observation) return { ...observation, error: describe(observation.error) };
  if (observation.kind !== 'readiness_changed') return observation;
  const failing = observation.failing.map(({ check, error }) => ({
    check,
    error: describe(error),
  }));
  return { ...observation, failing };
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
