import { once } from 'node:events';
import { type DestinationStream, destination } from 'pino';

const STANDARD_ERROR = 2;
/** The size of the queue of lines; a line is about 300 bytes. */
const WAITING_MAX_BYTES = 8 * 1024 * 1024;
/** Lines are collected for this long, or up to this size: a write for each would cost more than its line. */
const COLLECTED_MS = 10;
const COLLECTED_MAX_LENGTH = 64 * 1024;
/** A reader that reads nothing for this long is considered stopped. */
const STALLED_MS = 1000;

/**
 * Writes to standard error without blocking the event loop. The service never waits for a slow reader:
 * lines that do not fit into the queue are dropped, and the number of dropped lines is logged when the
 * reader continues. A process that ends does not wait for a stopped reader either; it would wait forever.
 *
 * Lines are collected for 10 ms, because a write costs more than a line. At its end a process writes the last lines
 * itself: Node cancels work in another thread that is busy then.
 */
export function openLogStream({
  onDropped,
  onDrained,
}: {
  /** A line was dropped. */
  readonly onDropped: () => void;
  /** The queue is empty again, after this many lines were dropped. */
  readonly onDrained: (lines: number) => void;
}): DestinationStream & {
  /** Resolves when the queue is empty. */
  readonly written: () => Promise<void>;
} {
  const stream = destination({ dest: STANDARD_ERROR, sync: false, maxLength: WAITING_MAX_BYTES });
  let lostLines = 0;
  let isWaiting = false;
  let isStalled = false;
  let writes = 0;
  // Told apart from an event loop that was busy itself: a tick of it must have found nothing written.
  const stalled = setTimeout(() => {
    const before = writes;
    setImmediate(() => {
      isStalled = isWaiting && writes === before;
    });
  }, STALLED_MS).unref();
  stream.on('drop', (lines: string) => {
    for (let end = lines.indexOf('\n'); end !== -1; end = lines.indexOf('\n', end + 1)) {
      lostLines += 1;
      onDropped();
    }
  });
  stream.on('write', () => {
    writes += 1;
    isStalled = false;
    stalled.refresh();
  });
  stream.on('drain', () => {
    isWaiting = false;
    const lines = lostLines;
    lostLines = 0;
    if (lines > 0) onDrained(lines);
  });
  let collected = '';
  let timer: NodeJS.Timeout | undefined;
  const pass = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (collected === '') return;
    const lines = collected;
    collected = '';
    if (!isWaiting) {
      isWaiting = true;
      stalled.refresh();
    }
    stream.write(lines);
  };
  // The stream would write at exit too, but the lines collected here come after its own. They are written in
  // this thread: work that is given to another one at exit is cancelled if that one is busy.
  process.prependListener('exit', () => {
    if (isStalled) {
      stream.destroy();
      return;
    }
    stream.flushSync();
    if (collected !== '') destination({ dest: STANDARD_ERROR, sync: true }).write(collected);
  });
  return {
    write: (line) => {
      collected += line;
      if (collected.length >= COLLECTED_MAX_LENGTH) pass();
      else timer ??= setTimeout(pass, COLLECTED_MS).unref();
    },
    written: async () => {
      pass();
      if (isWaiting) await once(stream, 'drain');
    },
  };
}
