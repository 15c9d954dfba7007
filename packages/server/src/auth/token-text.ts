import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, type RandomBytes, randomText } from './random-text.ts';

const PREFIX = 'lm_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const TOKEN_SHAPE = /^lm_[0-9A-Za-z]{36}$/;

/**
 * A new token: `lm_`, 30 base62 characters of randomness (178 bits) and 6 of checksum. The prefix
 * lets secret scanners find a leaked token; the checksum lets them, and this service, distinguish a token
 * from a similar text. The checksum is no protection: anyone can compute it.
 */
export function createTokenText(random?: RandomBytes): string {
  const body = PREFIX + randomText({ alphabet: BASE62, length: RANDOM_LENGTH, random });
  return body + checksum(body);
}

/**
 * Whether the text has the format and the checksum of a token. A CRC-32 detects every change within four
 * neighbouring characters, so a mistyped or truncated token is refused without a query to the store.
 */
export function isTokenText(text: string): boolean {
  if (!TOKEN_SHAPE.test(text)) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return checksum(body) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * The SHA-256 of a token, 32 bytes; the control store keeps nothing else of it. A slow, salted password
 * hash would add no protection, because 178 random bits cannot be guessed, and would cost each request
 * milliseconds.
 */
export function hashToken(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/** The CRC-32 of the text in base62, most significant character first; 62^6 exceeds 2^32. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
