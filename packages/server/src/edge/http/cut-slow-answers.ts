import type { AnswerLimit } from '../../service/answer-limit.ts';
import { type AnswerCut, type TakingLimits, watchUnsent } from '../../service/unsent-answer.ts';
import type { HttpApp } from './http-app.ts';
import { stateOf } from './request-state.ts';

/**
 * Closes the connections of callers who do not take their answers. What the system has not taken over
 * yet stays in our memory meanwhile.
 */
export function cutSlowAnswers(
  app: HttpApp,
  watch: { readonly answers: AnswerLimit; readonly limits: TakingLimits },
): void {
  app.addHook('onSend', async (request, { raw }, payload) => {
    // Whoever went away before leaves nothing to wait for.
    if (raw.destroyed) return payload;
    const cut = (reason: AnswerCut): void => {
      stateOf(request).cut ??= reason;
      raw.destroy();
    };
    // Node starts the time again whenever the system takes some bytes.
    raw.setTimeout(watch.limits.stallTimeoutMs, () => cut('stalled'));
    // Before Node sets the time that the connection may be idle, or goes on with a request that has
    // come meanwhile.
    raw.prependOnceListener('finish', () => raw.setTimeout(0));
    // What is streamed waits in its file.
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      const bytes = Buffer.byteLength(payload);
      const end = watchUnsent(bytes, { ...watch, cut: () => cut('too_slow') });
      raw.once('close', end);
    }
    return payload;
  });
}
