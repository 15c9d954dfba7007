import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
} from 'node:crypto';
import { memoize } from '../runtime/memoize.ts';

/**
 * A page token is the cursor of the next page. It is URL-safe. Authenticated encryption (AES-256-GCM, a
 * key of 32 bytes) prevents callers from forging one, and from reading the value that a page ended on,
 * which may belong to a field that was not requested. It grants nothing: every page is authorised again.
 *
 * - `version`: the data version of the first page.
 * - `request`: fingerprint of the request, all but page size and page token.
 * - `rights`: fingerprint of the rights of the caller.
 * - `totalSize`: counted once, with the first page.
 * - `position`: JSON values; each operation defines their meaning.
 * - `searchRule`: the number of the rule that ranked a search. Absent: nothing was searched.
 */
export type PageToken = {
  readonly version: string;
  readonly request: string;
  readonly rights: string;
  readonly totalSize: number;
  readonly position: readonly PositionValue[];
  readonly searchRule?: number | undefined;
};

export type PositionValue = string | number | boolean | null;

export function encodePageToken(token: PageToken, key: Uint8Array): string {
  const { version, request, rights, totalSize, position, searchRule } = token;
  const rule = searchRule === undefined ? [] : [searchRule];
  const text = padded(JSON.stringify([version, request, rights, totalSize, position, ...rule]));
  const { contentKey, nonceKey } = keysOf(key);
  // The nonce is derived from the content (a synthetic initialisation vector): a repeated request gets the same
  // token, and two different contents never share a nonce, for any number of tokens.
  const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, contentKey, nonce);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
}

/** Padding, so that the length of a token reveals almost nothing, such as the number of hidden records. */
function padded(text: string): string {
  return text + ' '.repeat(-Buffer.byteLength(text) & (BLOCK_BYTES - 1));
}

const BLOCK_BYTES = 64;

/** Whether a text has the form of a page token, whatever its key. */
export function isPageTokenText(text: string): boolean {
  const bytes = toBytes(text);
  return bytes !== undefined && (bytes.length - HEAD_BYTES) % BLOCK_BYTES === 0;
}

/** The token, or undefined if it was not made with this key. */
export function decodePageToken(text: string, key: Uint8Array): PageToken | undefined {
  const bytes = toBytes(text);
  if (bytes === undefined) return undefined;
  const content = decrypt(bytes, key);
  if (content === undefined) return undefined;
  const [version, request, rights, totalSize, position, searchRule] = JSON.parse(content);
  return { version, request, rights, totalSize, position, searchRule };
}

function toBytes(text: string): Buffer | undefined {
  if (!URL_SAFE.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Base64 can encode the same bytes in several ways when bits are left over; only ours is accepted.
  return bytes.length > HEAD_BYTES && bytes.toString('base64url') === text ? bytes : undefined;
}

/** Only the body limits its length: a position can hold a long text that records are sorted by. */
const URL_SAFE = /^[A-Za-z0-9_-]+$/;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/** Made once for a key: the objects of `node:crypto` take several times longer to make than to use. */
const keysOf = memoize((key: Uint8Array) => ({
  contentKey: createSecretKey(key),
  nonceKey: createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'page token nonce', 32))),
}));

function decrypt(bytes: Buffer, key: Uint8Array): string | undefined {
  const decipher = createDecipheriv(CIPHER, keysOf(key).contentKey, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, HEAD_BYTES));
  try {
    const start = decipher.update(bytes.subarray(HEAD_BYTES), undefined, 'utf8');
    return start + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
