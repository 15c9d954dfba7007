import { once } from 'node:events';
import { type DestinationStream, destination } from 'pino';

/** What may wait to be written; a line is some 300 bytes. */
const WAITING_MAX_BYTES = 8 * 1024 * 1024;
/** Whoever reads nothing for so long does not read. */
const STALLED_MS = 1000;

/**
 * Standard error, written to beside the event loop. Nobody waits for a reader that does not read: what
 * does not fit any more is lost, and told when lines are read again; and a process that ends does not
 * wait either, which it would for ever.
 */
export function openLogStream({
  onDropped,
  onDrained,
}: {
  /** A line was lost. */
  readonly onDropped: () => void;
  /** Everything was read, after so many lines were lost. */
  readonly onDrained: (lines: number) => void;
}): DestinationStream & {
  /** Resolves when nothing waits to be written. */
  readonly written: () => Promise<void>;
} {
  const stream = destination({ dest: 2, sync: false, maxLength: WAITING_MAX_BYTES });
  let lostLines = 0;
  let waitingSince: number | undefined;
  stream.on('drop', () => {
    lostLines += 1;
    onDropped();
  });
  stream.on('write', () => {
    waitingSince = performance.now();
  });
  stream.on('drain', () => {
    waitingSince = undefined;
    const lines = lostLines;
    lostLines = 0;
    if (lines > 0) onDrained(lines);
  });
  // The stream writes what is left when the process ends, and this comes before it.
  process.prependListener('exit', () => {
    if (waitingSince !== undefined && performance.now() - waitingSince > STALLED_MS) {
      stream.destroy();
    }
  });
  return {
    write: (line) => {
      waitingSince ??= performance.now();
      stream.write(line);
    },
    written: async () => {
      if (waitingSince !== undefined) await once(stream, 'drain');
    },
  };
}
