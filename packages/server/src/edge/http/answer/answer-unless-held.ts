import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { stateOf } from '../request/request-state.ts';
import { addVary } from './vary.ts';

/** Answers a GET, or 304 if the caller already has the answer (RFC 9110 § 13.1.2). */
export type AnswerUnlessHeld = (
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: {
    /** Values that change whenever the answer does. */
    readonly parts: readonly unknown[];
    /** Refuses an invalid request, as making its answer does. A tag shows that its request was answered. */
    readonly check?: () => void;
    /** Records a request whose answer is not made. */
    readonly whenHeld?: () => Promise<void>;
    readonly make: () => Promise<Buffer | string>;
  },
) => Promise<Buffer | string | FastifyReply>;

/**
 * Tags answers with a strong `ETag`. The tag is known before the answer is made, because it is derived
 * from everything that decides its bytes. That includes the release, which may format values differently,
 * the version of Node, which contains the compression, and the encoding (RFC 9110 § 8.8.3.3).
 */
export function answerUnlessHeld(release: string): AnswerUnlessHeld {
  return async ({ request, reply }, { parts, check, whenHeld, make }) => {
    // Both members decide whether a small answer is compressed.
    const { coding, isIdentityAccepted } = stateOf(request).accepted;
    const all = [release, process.version, isIdentityAccepted, ...parts];
    const digest = hash('sha256', JSON.stringify(all), 'base64url');
    const tag = `"${digest.slice(0, TAG_LENGTH)}-${coding}"`;
    const ifNoneMatch = request.headers['if-none-match']?.trim();
    const isAny = ifNoneMatch === '*';
    if (isAny) check?.();
    const isHeld = isAny || isListed(tag, ifNoneMatch);
    if (isHeld) await whenHeld?.();
    const answer = isHeld ? undefined : await make();
    reply.header('etag', tag);
    if (request.routeOptions.config.access === 'public') {
      reply.header('cache-control', 'no-cache');
    } else {
      // A private cache must revalidate each time, because rights can end; a shared cache must not store it.
      reply.header('cache-control', 'private, no-cache');
      addVary(reply, 'Authorization');
    }
    addVary(reply, 'Accept-Encoding');
    return answer ?? reply.code(304).send();
  };
}

/** 132 bits. */
const TAG_LENGTH = 22;

/** A weak comparison, as the RFC requires for this header. */
function isListed(tag: string, ifNoneMatch = ''): boolean {
  return ifNoneMatch === tag || (ifNoneMatch.match(ENTITY_TAGS)?.includes(tag) ?? false);
}

const ENTITY_TAGS = /"[^"]*"/g;
