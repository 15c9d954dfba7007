import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ContentCoding } from '../request/content-coding.ts';
import { stateOf } from '../request/request-state.ts';
import { addVary } from './vary.ts';

/** The tag of an answer to a GET, and whether its caller holds the answer already (RFC 9110 § 13.1.2). */
export type Tags = {
  /** The tag of the answer without a coding. */
  readonly identity: string;
  /** The tag of the answer that the caller holds; absent if it must be sent. */
  readonly held: string | undefined;
  /** Whether the caller names no tag (`*`), which would show that the same request was answered before. */
  readonly isAnyHeld: boolean;
};

/**
 * Derives the strong `ETag` of an answer from everything that decides its bytes. That includes the release, which may
 * format values differently, the version of Node, which contains the compression, and the encoding (RFC 9110 § 8.8.3.3).
 *
 * The tag is known before the answer is made: a client that has the answer gets 304 without a query and without waiting
 * in the queue. A small answer is sent uncompressed, which is only known afterwards, so the tag of either coding counts
 * for a client that accepts both.
 */
export function findTags(
  request: FastifyRequest,
  release: string,
  parts: readonly unknown[],
): Tags {
  const { coding, isIdentityAccepted } = stateOf(request).accepted;
  const all = JSON.stringify([release, process.version, ...parts]);
  const digest = hash('sha256', all, 'base64url').slice(0, TAG_LENGTH);
  // A small answer is only compressed if it must be, and its size is not known yet.
  const codings: readonly ContentCoding[] = isIdentityAccepted ? [coding, 'identity'] : [coding];
  const tags = codings.map((one) => tagOf(digest, one));
  const ifNoneMatch = request.headers['if-none-match']?.trim();
  const isAnyHeld = ifNoneMatch === '*';
  const held = isAnyHeld ? tags[0] : tags.find((tag) => isListed(tag, ifNoneMatch));
  return { identity: tagOf(digest, 'identity'), held, isAnyHeld };
}

/** Tags an answer, or the 304 in its place. */
export function setTag(
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
  { identity, held }: Tags,
): void {
  // `compressAnswers` names the coding.
  reply.header('etag', held ?? identity);
  if (routeOptions.config.access === 'public') {
    reply.header('cache-control', 'no-cache');
  } else {
    // A private cache must revalidate each time, because rights can end; a shared cache must not store it.
    reply.header('cache-control', 'private, no-cache');
    addVary(reply, 'Authorization');
  }
  addVary(reply, 'Accept-Encoding');
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
