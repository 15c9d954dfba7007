import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A page token: where the next page begins. It is opaque and URL-safe, signed so that nobody else
 * can make one, and it grants nothing: every page is authorised again.
 *
 * - `version`: the data version on which the pages began.
 * - `request`: fingerprint of the request, all but page size and page token.
 * - `rights`: fingerprint of what the caller may see.
 * - `totalSize`: counted once, with the first page.
 * - `position`: JSON values whose meaning is the operation's own.
 */
export type PageToken = {
  readonly version: string;
  readonly request: string;
  readonly rights: string;
  readonly totalSize: number;
  readonly position: readonly PositionValue[];
};

export type PositionValue = string | number | boolean | null;

export function encodePageToken(token: PageToken, key: Uint8Array): string {
  const { version, request, rights, totalSize, position } = token;
  const payload = Buffer.from(JSON.stringify([version, request, rights, totalSize, position]));
  return Buffer.concat([signature(payload, key), payload]).toString('base64url');
}

/** The token, or undefined when it was not signed with this key. */
export function decodePageToken(text: string, key: Uint8Array): PageToken | undefined {
  if (!URL_SAFE.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Base64 has several spellings of one content where bits are left over; only ours is accepted.
  if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== text) return undefined;
  const payload = bytes.subarray(SIGNATURE_BYTES);
  const signed = timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signature(payload, key));
  if (!signed) return undefined;
  const [version, request, rights, totalSize, position] = JSON.parse(payload.toString('utf8'));
  return { version, request, rights, totalSize, position };
}

/** As long as a body lets it be: a position can hold a long text that records are ordered by. */
const URL_SAFE = /^[A-Za-z0-9_-]+$/;
const SIGNATURE_BYTES = 16;

function signature(payload: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(payload).digest().subarray(0, SIGNATURE_BYTES);
}
