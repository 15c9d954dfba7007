import type { FastifyReply } from 'fastify';
import type { AnswerLimit } from '../../../service/queries/answer-limit.ts';
import type { HttpApp } from '../http-app.ts';
import { code } from '../request/content-coding.ts';
import { stateOf } from '../request/request-state.ts';
import { tagInCoding } from './answer-tags.ts';
import { addVary } from './vary.ts';

/**
 * A smaller answer fits into one network packet with its headers, compressed or not. Compression would not
 * make it faster, but would cost time on both sides.
 */
const COMPRESS_MIN_BYTES = 1024;

/**
 * Compresses answers as their requests accept it, with Node's own functions, in one step, large ones in its thread
 * pool. `@fastify/compress` streams larger answers, so that they have no length, compresses smaller ones
 * on the event loop, and does not expose the encoding in advance, which the tag of an answer needs.
 */
export function compressAnswers(app: HttpApp, answers: AnswerLimit): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!Buffer.isBuffer(payload)) return done(null, payload);
    if (!isCompressible(reply)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const { accepted, gone } = stateOf(request);
    const { coding, isIdentityAccepted } = accepted;
    if (coding === 'identity') return done(null, payload);
    if (isIdentityAccepted && payload.length < COMPRESS_MIN_BYTES) return done(null, payload);
    // The caller has disconnected.
    if (gone.aborted) return done(null, payload);
    const send = (coded: Buffer): void => {
      reply.header('content-encoding', coding).removeHeader('content-length');
      const tag = reply.getHeader('etag');
      if (typeof tag === 'string') reply.header('etag', tagInCoding(tag, coding));
      done(null, coded);
    };
    const coded = code(payload, coding);
    if (Buffer.isBuffer(coded)) return send(coded);
    coded.finally(answers.holdUnsent(payload.length)).then(send, done);
  });
}

function isCompressible(reply: FastifyReply): boolean {
  return COMPRESSIBLE.test(String(reply.getHeader('content-type')));
}

const COMPRESSIBLE = /^(?:text\/|application\/(?:(?:[a-z.]+\+)?json\b|vnd\.mapbox-vector-tile$))/;
