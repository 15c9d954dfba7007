import type { FastifyReply } from 'fastify';
import type { AnswerLimit } from '../../service/answer-limit.ts';
import { chooseCoding, code } from './content-coding.ts';
import type { HttpApp } from './http-app.ts';
import { stateOf } from './request-state.ts';
import { addVary } from './vary.ts';

/**
 * Below this an answer fits into one packet of the network with its headers, coded or not: less would
 * not arrive earlier, only cost the work on both sides.
 */
const COMPRESS_MIN_BYTES = 1024;

/**
 * Compresses answers as their requests accept it. With Node's own functions, in one step and in a
 * thread of its pool: `@fastify/compress` streams larger answers, so that they have no length, does
 * smaller ones on the event loop, and tells nobody the coding before it is done, which the tag of an
 * answer needs.
 */
export function compressAnswers(app: HttpApp, answers: AnswerLimit): void {
  app.addHook('onRequest', async (request) => {
    stateOf(request).accepted = chooseCoding(request.headers);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (!isCompressible(reply)) return payload;
    addVary(reply, 'Accept-Encoding');
    const { accepted, gone } = stateOf(request);
    const { coding, isIdentityAccepted } = accepted;
    if (coding === 'identity') return payload;
    if (isIdentityAccepted && Buffer.byteLength(payload) < COMPRESS_MIN_BYTES) return payload;
    // Nobody is there to take it.
    if (gone.signal.aborted) return payload;
    const release = answers.holdUnsent(payload.length);
    const bytes = await code(Buffer.from(payload), coding).finally(release);
    reply.header('content-encoding', coding).removeHeader('content-length');
    return bytes;
  });
}

function isCompressible(reply: FastifyReply): boolean {
  return COMPRESSIBLE.test(String(reply.getHeader('content-type')));
}

const COMPRESSIBLE = /^(?:text\/|application\/(?:[a-z.]+\+)?json\b)/;
