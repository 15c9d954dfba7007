import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/**
 * A page token: where the next page begins. It is URL-safe; authenticated encryption (AES-256-GCM, a
 * key of 32 bytes) keeps others from making one, and from reading the value a page ended on, which
 * may be of a field that was not asked for. It grants nothing: every page is authorised again.
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
  const text = padded(JSON.stringify([version, request, rights, totalSize, position]));
  const nonce = nonceOf(text, key);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
}

/** The length of a token tells next to nothing of what is in it, such as how many records are hidden. */
function padded(text: string): string {
  return text + ' '.repeat(-Buffer.byteLength(text) & (BLOCK_BYTES - 1));
}

const BLOCK_BYTES = 64;

/** The token, or undefined when it was not made with this key. */
export function decodePageToken(text: string, key: Uint8Array): PageToken | undefined {
  if (!URL_SAFE.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Base64 has several spellings of one content where bits are left over; only ours is accepted.
  if (bytes.length <= HEAD_BYTES || bytes.toString('base64url') !== text) return undefined;
  const content = decrypt(bytes, key);
  if (content === undefined) return undefined;
  const [version, request, rights, totalSize, position] = JSON.parse(content);
  return { version, request, rights, totalSize, position };
}

/** As long as a body lets it be: a position can hold a long text that records are ordered by. */
const URL_SAFE = /^[A-Za-z0-9_-]+$/;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * Follows from the content (a synthetic initialisation vector): a page that is asked for again gives
 * the same token, and two contents never share a nonce, whatever the number of tokens.
 */
function nonceOf(text: string, key: Uint8Array): Buffer {
  const nonceKey = Buffer.from(hkdfSync('sha256', key, '', 'page token nonce', 32));
  return createHmac('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
}

function decrypt(bytes: Buffer, key: Uint8Array): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
  try {
    const start = decipher.update(bytes.subarray(HEAD_BYTES), undefined, 'utf8');
    return start + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
