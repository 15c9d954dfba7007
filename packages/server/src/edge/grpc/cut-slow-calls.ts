import { constants, type ServerHttp2Stream } from 'node:http2';
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { AnswerLimit } from '../../service/answer-limit.ts';
import {
  type AnswerCut,
  SMALL_ANSWER_MAX_BYTES,
  type TakingLimits,
  watchUnsent,
} from '../../service/unsent-answer.ts';

/**
 * Ends a call whose caller does not read the messages of its answer. The whole connection is closed only if
 * nothing is read on it: its other calls may belong to other callers behind the same proxy.
 */
export function cutSlowCall(
  call: ServerInterceptingCallInterface,
  watch: {
    readonly answers: AnswerLimit;
    readonly limits: TakingLimits;
    readonly onCut: (reason: AnswerCut) => void;
  },
): void {
  const { limits, onCut } = watch;
  const stream = streamOf(call);
  const releases = new Set<() => void>();
  const releaseAll = (): void => {
    for (const release of releases) release();
  };
  let isCut = false;
  const cut = (reason: AnswerCut): void => {
    if (isCut) return;
    isCut = true;
    onCut(reason);
    const { session } = stream;
    stream.close(constants.NGHTTP2_CANCEL);
    if (session === undefined || session.destroyed) {
      releaseAll();
      return;
    }
    // A connection on which nothing is read answers no ping, and keeps its unsent bytes in memory.
    const timer = setTimeout(() => session.destroy(), limits.stallTimeoutMs);
    session.ping(() => {
      clearTimeout(timer);
      releaseAll();
    });
  };
  stream.once('close', () => {
    if (!isCut) releaseAll();
  });
  // A message counts as read once it is written; HTTP/2 flow control delays the write.
  const send = call.sendMessage.bind(call);
  call.sendMessage = (message, callback) => {
    // Messages of reflection and health are not encoded yet, and small.
    const bytes = Buffer.isBuffer(message) ? message.length : 0;
    let isSent = false;
    let end = (): void => {};
    const watchMessage = (): void => {
      if (isSent || stream.closed) return;
      // Node restarts the timer whenever the connection takes some bytes.
      stream.setTimeout(limits.stallTimeoutMs, () => cut('stalled'));
      const release = watchUnsent(bytes, { ...watch, cut: () => cut('too_slow') });
      releases.add(release);
      end = () => {
        stream.setTimeout(0);
        releases.delete(release);
        release();
      };
    };
    if (bytes <= SMALL_ANSWER_MAX_BYTES) setImmediate(watchMessage);
    else watchMessage();
    send(message, () => {
      isSent = true;
      end();
      callback();
    });
  };
}

/** grpc-js hides the stream, but a call that is sending can only be ended through it. */
function streamOf(call: ServerInterceptingCallInterface): ServerHttp2Stream {
  // The call of the first interceptor has this member, though its type does not say so.
  const { stream } = call as unknown as { readonly stream: ServerHttp2Stream };
  return stream;
}
