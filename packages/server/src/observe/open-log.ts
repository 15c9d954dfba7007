import { memoize } from '@locmetrics/core/runtime/memoize';
import { type DestinationStream, levels } from 'pino';
import { describeObservation } from './describe-observation.ts';
import { LOG_TABLE, type LogRow } from './log-table.ts';
import type { Observation, Observe } from './observation.ts';
import { openLogStream } from './open-log-stream.ts';
import { readableLine } from './readable-line.ts';

export type Log = {
  readonly observe: Observe;
  /** Resolves when everything observed so far has been written. */
  readonly written: () => Promise<void>;
};

/** Writes observations as lines to standard error, or to the stream given. */
export function openLog({
  stream,
  worker,
  accessLog = true,
  readable,
  onLineDropped = () => {},
}: {
  readonly stream?: DestinationStream;
  /** The number of this worker, which is part of each line of JSON. */
  readonly worker?: number;
  /** Whether each completed request is logged. Default: true. */
  readonly accessLog?: boolean;
  /** Lines for people on a terminal. Default: JSON. */
  readonly readable?: { readonly colours: boolean };
  /** Called for each dropped line. */
  readonly onLineDropped?: () => void;
} = {}): Log {
  const opened =
    stream === undefined
      ? openLogStream({
          onDropped: onLineDropped,
          onDrained: (lines) => observe({ kind: 'log_lines_dropped', lines }),
        })
      : { write: (line: string) => stream.write(line), written: async () => {} };
  const write =
    readable === undefined ? writeJson(opened, worker) : writeReadable(opened, readable);
  const observe = (observation: Observation): void => {
    const { kind } = observation;
    if (LOG_TABLE[kind].level === 'none' || (kind === 'request_completed' && !accessLog)) return;
    // The line of its `request_completed` contains the reason.
    if (readable !== undefined && accessLog && kind === 'request_refused' && !observation.isAlone)
      return;
    write(observation);
  };
  return { observe, written: opened.written };
}

/** Lines as pino writes them. Observations are plain data, so its serializers would have nothing to do. */
function writeJson(stream: DestinationStream, worker: number | undefined): Observe {
  const base = worker === undefined ? '' : `,"worker":${worker}`;
  return (observation) => {
    const { level, message }: Pick<LogRow, 'level' | 'message'> = LOG_TABLE[observation.kind];
    if (level === 'none') return;
    const facts = JSON.stringify(describeObservation(observation)).slice(1, -1);
    const text = message === undefined ? '' : `,"msg":${JSON.stringify(message)}`;
    const time = isoTime(Date.now());
    stream.write(`{"level":${levels.values[level]},"time":"${time}"${base},${facts}${text}}\n`);
  };
}

/** Lines of the same millisecond share the text of their time. */
const isoTime = memoize((ms: number) => new Date(ms).toISOString(), 1);

function writeReadable(
  stream: DestinationStream,
  { colours }: { readonly colours: boolean },
): Observe {
  return (observation) => stream.write(readableLine(observation, { colours }));
}
