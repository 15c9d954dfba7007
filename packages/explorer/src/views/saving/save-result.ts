import { ConnectionError, type Download } from '@locmetrics/client';
import { type FileTarget, WriteError } from '../../ui/file-target.ts';
import type { RowCounter } from './row-counter.ts';

/** How far the saving of a result is. */
export type Progress = {
  /** Undefined: the rows of the format cannot be counted. */
  readonly rows: number | undefined;
  readonly totalRows: number;
  readonly bytes: number;
  /** When the first bytes arrived, by the clock of the page. Undefined: none have. */
  readonly startMs: number | undefined;
};

/** Bytes are written in pieces of about this size: each piece has a cost of its own. */
const PIECE_BYTES = 1_000_000;

/**
 * Writes a whole result to a file. If it fails or is cancelled, nothing is saved, and the error says why: an interrupted
 * answer is a `ConnectionError`.
 */
export async function saveResult({
  download,
  target,
  counter,
  totalRows,
  onProgress,
  signal,
}: {
  readonly download: () => Promise<Download>;
  readonly target: FileTarget;
  readonly counter: RowCounter | undefined;
  /** The rows that the service counted before. */
  readonly totalRows: number;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}): Promise<void> {
  try {
    const { body, totalSize = totalRows } = await download();
    const startMs = performance.now();
    let bytes = 0;
    const report = (): void => {
      onProgress({ rows: counter?.rows(), totalRows: totalSize, bytes, startMs });
    };
    let waiting: Uint8Array<ArrayBuffer>[] = [];
    let waitingBytes = 0;
    const flush = async (): Promise<void> => {
      const piece = new Blob(waiting);
      waiting = [];
      waitingBytes = 0;
      await writing(target.write(piece));
      signal.throwIfAborted();
      report();
    };
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        counter?.add(value);
        bytes += value.length;
        // The bytes of an answer are never in shared memory.
        waiting.push(value as Uint8Array<ArrayBuffer>);
        waitingBytes += value.length;
        if (waitingBytes >= PIECE_BYTES) await flush();
        else report();
      }
      await flush();
    } finally {
      // An error of the answer was thrown already.
      await reader.cancel().catch(() => undefined);
    }
    if (counter?.isExact === true && counter.rows() !== totalSize) {
      throw new ConnectionError(
        `The answer was interrupted, so it is incomplete: it has ${counter.rows()} of ${totalSize} rows.`,
      );
    }
    await writing(target.finish());
  } catch (error) {
    // The first error says why; a file that cannot be written can often not be removed either.
    await target.discard().catch(() => undefined);
    throw error;
  }
}

async function writing(step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (cause) {
    if (cause instanceof DOMException) throw new WriteError(cause.message, { cause });
    throw cause;
  }
}
