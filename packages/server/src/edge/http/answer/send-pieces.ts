import { Readable } from 'node:stream';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observe } from '../../../observe/observation.ts';
import type { AnswerLimit } from '../../../service/queries/answer-limit.ts';
import { observeError } from '../../../service/queries/observe-error.ts';
import { type TakingLimits, watchUnsent } from '../../../service/queries/unsent-answer.ts';
import { stateOf } from '../request/request-state.ts';

/**
 * The body of an answer that is sent piece by piece. The first piece is made before this resolves, so that its error is
 * still answered with a problem. The next piece is made once the system has taken the one before: `pieces` charges and
 * records each as it makes it.
 *
 * An error after the first byte interrupts the answer, so that it does not look complete: without the last chunk of
 * HTTP/1.1, and with a reset connection for HTTP/1.0, which has no chunks.
 */
export async function openPieces(
  pieces: AsyncGenerator<Buffer, void>,
  options: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly observe: Observe;
    readonly answers: AnswerLimit;
    readonly taking: TakingLimits;
  },
): Promise<Readable> {
  const { request, reply, observe } = options;
  const state = stateOf(request);
  const first = await pieces.next();
  let upcoming: Promise<IteratorResult<Buffer, void>> | undefined = Promise.resolve(first);
  let endUnsent = (): void => {};
  const fail = (body: Readable, thrown: unknown): void => {
    // A caller who has gone is observed anyway.
    if (!state.gone.aborted) {
      const error = ServiceError.from(thrown);
      observeError(observe, error, request.id);
      state.interruptedBy = error.reason;
      state.reason = error.reason;
      resetIfUnchunked(request);
    }
    body.destroy(new Error('The answer was interrupted.', { cause: thrown }));
  };
  return new Readable({
    // Nothing is made ahead of what the system takes.
    highWaterMark: 0,
    read() {
      endUnsent();
      const next = upcoming ?? pieces.next();
      upcoming = undefined;
      next.then(
        ({ done, value }) => {
          if (done === true) {
            this.push(null);
            return;
          }
          endUnsent = watchUnsent(value.length, {
            answers: options.answers,
            limits: options.taking,
            cut: () => {
              state.cut ??= 'too_slow';
              reply.raw.destroy();
            },
          });
          state.bytes = (state.bytes ?? 0) + value.length;
          this.push(value);
        },
        (error: unknown) => fail(this, error),
      );
    },
    destroy(error, done) {
      endUnsent();
      // It waits for a piece that is being made, which ends at once if the caller has gone.
      pieces.return().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

function resetIfUnchunked({ raw: { httpVersion, socket } }: FastifyRequest): void {
  // A connection with TLS is not closed properly if it is destroyed, which its client sees.
  if (httpVersion === '1.0' && !('encrypted' in socket)) socket.resetAndDestroy();
}
