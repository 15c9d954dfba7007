import { randomBytes } from 'node:crypto';

/** The source of randomness; tests pass their own. Returns exactly `size` bytes. */
export type RandomBytes = (size: number) => Uint8Array;

/** Digits first, then upper and lower case, as in other token formats with a base62 checksum. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The lower-case "extended hex" base32 alphabet, in which the hosted service writes its ids. */
export const BASE32 = '0123456789abcdefghijklmnopqrstuv';

/**
 * Random text of `length` characters of `alphabet` (2 to 256 single-byte characters), each equally
 * likely. A byte from the incomplete last round of the alphabet is discarded: plain `byte % 62` would
 * make the first eight characters of base62 a quarter more likely than the others.
 */
export function randomText({
  alphabet,
  length,
  random = randomBytes,
}: {
  readonly alphabet: string;
  readonly length: number;
  readonly random?: RandomBytes | undefined;
}): string {
  const usableBytes = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < usableBytes) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
