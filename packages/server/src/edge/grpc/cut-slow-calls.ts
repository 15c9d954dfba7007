import { constants, type ServerHttp2Stream } from 'node:http2';
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { AnswerLimit } from '../../service/answer-limit.ts';
import { type AnswerCut, type TakingLimits, watchUnsent } from '../../service/unsent-answer.ts';

/**
 * Ends a call whose caller does not take the messages of its answer, and the whole connection where
 * nothing is read on it: another call on it may belong to somebody else behind the same proxy.
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
    // A connection on which nothing is read answers no ping, and holds what was given to it.
    const timer = setTimeout(() => session.destroy(), limits.stallTimeoutMs);
    session.ping(() => {
      clearTimeout(timer);
      releaseAll();
    });
  };
  stream.once('close', () => {
    if (!isCut) releaseAll();
  });
  // A message is taken when it has been written, which waits for the flow control of HTTP/2.
  const send = call.sendMessage.bind(call);
  call.sendMessage = (message, callback) => {
    // Node starts the time again whenever the connection takes some bytes.
    stream.setTimeout(limits.stallTimeoutMs, () => cut('stalled'));
    // Messages of reflection and health are objects still, and small.
    const bytes = Buffer.isBuffer(message) ? message.length : 0;
    const release = watchUnsent(bytes, { ...watch, cut: () => cut('too_slow') });
    releases.add(release);
    send(message, () => {
      stream.setTimeout(0);
      releases.delete(release);
      release();
      callback();
    });
  };
}

/** grpc-js keeps the stream to itself, but without it a call that sends cannot be ended. */
function streamOf(call: ServerInterceptingCallInterface): ServerHttp2Stream {
  // The call that the first interceptor is given has it, though its type does not say so.
  const { stream } = call as unknown as { readonly stream: ServerHttp2Stream };
  return stream;
}
