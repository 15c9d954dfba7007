import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPublicRoute } from './describe-api.ts';
import { stateOf } from './request-state.ts';
import { addVary } from './vary.ts';

/** Answers a GET, or says that the caller has the answer already (RFC 9110 § 13.1.2). */
export type AnswerUnlessHeld = (
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  answer: {
    /** A text that is another one where the answer is. */
    readonly fingerprint: string;
    /** Refuses a request that is wrong and records it, which making its answer does too. */
    readonly whenHeld?: () => Promise<void>;
    readonly make: () => Promise<string>;
  },
) => Promise<string | FastifyReply>;

/**
 * Tags answers with a strong `ETag`, which is known before they are made: it follows from what decides
 * their bytes. That is the release too, which may write the same values otherwise, the version of
 * Node, which brings the compression, and the coding (RFC 9110 § 8.8.3.3).
 */
export function answerUnlessHeld(release: string): AnswerUnlessHeld {
  return async ({ request, reply }, { fingerprint, whenHeld, make }) => {
    // Whether a small answer is coded follows from both members.
    const { coding, isIdentityAccepted } = stateOf(request).accepted;
    const parts = [release, process.version, isIdentityAccepted, fingerprint];
    const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
    const tag = `"${digest.slice(0, TAG_LENGTH)}-${coding}"`;
    const isHeld = holds(request.headers['if-none-match'], tag);
    if (isHeld) await whenHeld?.();
    const answer = isHeld ? undefined : await make();
    reply.header('etag', tag);
    if (isPublicRoute(request.routeOptions.url)) {
      reply.header('cache-control', 'no-cache');
    } else {
      // Who keeps it asks each time, because rights end; no cache that others share may keep it.
      reply.header('cache-control', 'private, no-cache');
      addVary(reply, 'Authorization');
    }
    addVary(reply, 'Accept-Encoding');
    return answer ?? reply.code(304).send();
  };
}

/** 132 bits. */
const TAG_LENGTH = 22;

/** Compared weakly, as the RFC demands it of this header. */
function holds(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(ENTITY_TAGS)?.includes(tag) ?? false;
}

const ENTITY_TAGS = /"[^"]*"/g;
