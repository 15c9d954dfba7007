import type { ServerResponse } from 'node:http';
import type { AnswerLimit } from '../../../service/queries/answer-limit.ts';
import {
  type AnswerCut,
  SMALL_ANSWER_MAX_BYTES,
  type TakingLimits,
  watchUnsent,
} from '../../../service/queries/unsent-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { stateOf } from '../request/request-state.ts';

/**
 * Closes the connections of callers that do not read their answers, because the unsent bytes stay in
 * memory.
 */
export function cutSlowAnswers(
  app: HttpApp,
  watch: { readonly answers: AnswerLimit; readonly limits: TakingLimits },
): void {
  app.addHook('onSend', (request, { raw }, payload, done) => {
    // If the caller has already disconnected, nothing needs to be watched.
    if (raw.destroyed) return done();
    const watchAnswer = (): void => {
      const cut = (reason: AnswerCut): void => {
        stateOf(request).cut ??= reason;
        raw.destroy();
      };
      // Node restarts this timeout whenever the system accepts bytes. A stream may also wait for its next bytes.
      const isWaiting = (): boolean => !Buffer.isBuffer(payload) && !raw.writableNeedDrain;
      raw.setTimeout(watch.limits.stallTimeoutMs, () => {
        if (!isWaiting()) cut('stalled');
      });
      // This runs before Node sets the keep-alive timeout, or continues with a request that has arrived
      // in the meantime.
      raw.prependOnceListener('finish', () => raw.setTimeout(0));
      // Streamed answers stay in their file, or are watched piece by piece.
      if (Buffer.isBuffer(payload)) {
        const end = watchUnsent(payload.length, { ...watch, cut: () => cut('too_slow') });
        raw.once('close', end);
      }
    };
    if (isSmall(payload)) setImmediate(watchIfUnsent, raw, watchAnswer);
    else watchAnswer();
    done();
  });
}

function isSmall(payload: unknown): boolean {
  if (payload === undefined || payload === null) return true;
  return Buffer.isBuffer(payload) && payload.length <= SMALL_ANSWER_MAX_BYTES;
}

function watchIfUnsent(answer: ServerResponse, watchAnswer: () => void): void {
  if (!answer.writableFinished && !answer.destroyed) watchAnswer();
}
