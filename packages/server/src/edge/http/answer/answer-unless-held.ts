import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ContentCoding } from '../request/content-coding.ts';
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
 *
 * The tag is known before the answer is made: it is derived from the version, the rights, the request, the coding and
 * the release. A client that has the answer gets 304 without a query and without waiting in the queue. A small answer
 * is sent uncompressed, which is only known afterwards, so the tag of either coding counts for a client that accepts
 * both.
 */
export function answerUnlessHeld(release: string): AnswerUnlessHeld {
  return async ({ request, reply }, { parts, check, whenHeld, make }) => {
    const { coding, isIdentityAccepted } = stateOf(request).accepted;
    const all = [release, process.version, ...parts];
    const digest = hash('sha256', JSON.stringify(all), 'base64url').slice(0, TAG_LENGTH);
    // A small answer is only compressed if it must be, and its size is not known yet.
    const codings: readonly ContentCoding[] = isIdentityAccepted ? [coding, 'identity'] : [coding];
    const tags = codings.map((one) => tagOf(digest, one));
    const ifNoneMatch = request.headers['if-none-match']?.trim();
    const isAny = ifNoneMatch === '*';
    if (isAny) check?.();
    const held = isAny ? tags[0] : tags.find((tag) => isListed(tag, ifNoneMatch));
    if (held !== undefined) await whenHeld?.();
    const answer = held === undefined ? await make() : undefined;
    // `compressAnswers` names the coding.
    reply.header('etag', held ?? tagOf(digest, 'identity'));
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

function tagOf(digest: string, coding: ContentCoding): string {
  return `"${digest}-${coding}"`;
}

/** The tag of the same answer in a coding; other tags are unchanged. */
export function tagInCoding(tag: string, coding: ContentCoding): string {
  return tag.replace(/-identity"$/, `-${coding}"`);
}

/** 132 bits. */
const TAG_LENGTH = 22;

/** A weak comparison, as the RFC requires for this header. */
function isListed(tag: string, ifNoneMatch = ''): boolean {
  return ifNoneMatch === tag || (ifNoneMatch.match(ENTITY_TAGS)?.includes(tag) ?? false);
}

const ENTITY_TAGS = /"[^"]*"/g;
