import { constants, type ServerHttp2Stream } from 'node:http2';
import { releaseBuffer } from '@locmetrics/core/encoding/buffer-pool';
import type { AnswerLimit } from '../../service/queries/answer-limit.ts';
import {
  type AnswerCut,
  SMALL_ANSWER_MAX_BYTES,
  type TakingLimits,
  watchUnsent,
} from '../../service/queries/unsent-answer.ts';

/**
 * Sends a framed message and releases its pooled buffer. `onSent` is called when it is written, which the flow control of
 * HTTP/2 delays; `onCut` if the caller does not read it.
 */
export function sendMessage(
  stream: ServerHttp2Stream,
  framed: Buffer,
  options: {
    readonly answers: AnswerLimit;
    readonly taking: TakingLimits;
    readonly onSent: () => void;
    readonly onCut: (reason: AnswerCut) => void;
  },
): void {
  let isSent = false;
  let end: (() => void) | undefined;
  const watch = (): void => {
    if (!isSent && !stream.closed) end = watchSending(stream, framed.length, options);
  };
  if (framed.length > SMALL_ANSWER_MAX_BYTES) watch();
  else setImmediate(watch);
  stream.write(framed, (error) => {
    isSent = true;
    // If it cannot be written, the stream closes. The system may still read the pooled buffer then, so it becomes garbage.
    if (error) return;
    end?.();
    releaseBuffer(framed);
    options.onSent();
  });
}

/**
 * Ends a call whose caller does not read its answer. The whole connection is closed only if nothing is read on
 * it: its other calls may belong to other callers behind the same proxy. Returns a function that ends the watch.
 */
function watchSending(
  stream: ServerHttp2Stream,
  bytes: number,
  {
    answers,
    taking: limits,
    onCut,
  }: {
    readonly answers: AnswerLimit;
    readonly taking: TakingLimits;
    readonly onCut: (reason: AnswerCut) => void;
  },
): () => void {
  let isCut = false;
  const cut = (reason: AnswerCut): void => {
    if (isCut) return;
    isCut = true;
    onCut(reason);
    const { session } = stream;
    stream.close(constants.NGHTTP2_CANCEL);
    if (session === undefined || session.destroyed) {
      release();
      return;
    }
    // A connection on which nothing is read answers no ping, and keeps its unsent bytes in memory.
    const timer = setTimeout(() => session.destroy(), limits.stallTimeoutMs);
    session.ping(() => {
      clearTimeout(timer);
      release();
    });
  };
  const release = watchUnsent(bytes, { answers, limits, cut: () => cut('too_slow') });
  // Node restarts the timer whenever the connection takes some bytes.
  stream.setTimeout(limits.stallTimeoutMs, () => cut('stalled'));
  const onClose = (): void => {
    if (!isCut) release();
  };
  stream.once('close', onClose);
  return () => {
    stream.off('close', onClose);
    stream.setTimeout(0);
    release();
  };
}
