import { createHash, hash } from 'node:crypto';
import { BASE62, randomText } from '@locmetrics/server/auth/random-text';
import { createTokenText, hashToken, isTokenText } from '@locmetrics/server/auth/token-text';
import { describe, expect, test } from 'vitest';

const TOKEN = createTokenText(countingBytes());

describe('the text of a token', () => {
  test('is lm_, 30 random characters and 6 of CRC-32', () => {
    expect(TOKEN).toMatchInlineSnapshot(`"lm_0123456789ABCDEFGHIJKLMNOPQRST0Ppfpi"`);
    expect(isTokenText(TOKEN)).toBe(true);
  });

  test('is different each time', () => {
    const texts = Array.from({ length: 1_000 }, () => createTokenText());
    expect(new Set(texts).size).toBe(1_000);
    expect(texts.filter((text) => !isTokenText(text))).toEqual([]);
  });

  test('is refused with any one character changed to any other', () => {
    const changed = [...TOKEN].flatMap((character, position) =>
      [...BASE62, '_', '-', ' ', '\n', 'é']
        .filter((other) => other !== character)
        .map((other) => TOKEN.slice(0, position) + other + TOKEN.slice(position + 1)),
    );
    expect(changed.length).toBeGreaterThan(39 * 60);
    expect(changed.filter(isTokenText)).toEqual([]);
  });

  test('is refused with two neighbours swapped, unless they are the same', () => {
    const swapped = Array.from({ length: TOKEN.length - 1 }, (_, position) =>
      [
        TOKEN.slice(0, position),
        TOKEN.charAt(position + 1),
        TOKEN.charAt(position),
        TOKEN.slice(position + 2),
      ].join(''),
    ).filter((text) => text !== TOKEN);
    expect(swapped.length).toBeGreaterThan(30);
    expect(swapped.filter(isTokenText)).toEqual([]);
  });

  test.each([
    ['empty', ''],
    ['the prefix alone', 'lm_'],
    ['cut at the end', TOKEN.slice(0, -1)],
    ['cut at the start', TOKEN.slice(1)],
    ['one character longer', `${TOKEN}0`],
    ['followed by a line break', `${TOKEN}\n`],
    ['after a space', ` ${TOKEN}`],
    ['in quotes', `"${TOKEN}"`],
    ['in upper case', TOKEN.toUpperCase()],
  ])('is refused when it is %s', (_, text) => {
    expect(isTokenText(text)).toBe(false);
  });

  test('is kept as its SHA-256', () => {
    expect(hashToken('abc')).toEqual(createHash('sha256').update('abc').digest());
    expect(Buffer.from(hashToken(TOKEN)).toString('hex')).toBe(hash('sha256', TOKEN));
  });
});

describe('random text', () => {
  test('ignores the bytes that would make some characters more frequent', () => {
    const given = [[255, 248, 247, 0], [61, 62], [62]];
    const random = () => Uint8Array.from(given.shift() ?? []);
    expect(randomText({ alphabet: BASE62, length: 4, random })).toBe('z0z0');
    expect(given).toEqual([[62]]);
  });

  test('has each character equally often', () => {
    const text = randomText({ alphabet: BASE62, length: 62 * 2_000 });
    const counts = [...BASE62].map((character) => text.split(character).length - 1);
    // The standard deviation is 44. A difference of seven times that happens by chance once in 10^10 runs.
    expect(Math.min(...counts)).toBeGreaterThan(2_000 - 7 * 44);
    expect(Math.max(...counts)).toBeLessThan(2_000 + 7 * 44);
  });
});

/** Bytes 0, 1, 2 … instead of random bytes. */
function countingBytes(): (size: number) => Uint8Array {
  let next = 0;
  return (size) => Uint8Array.from({ length: size }, () => next++);
}
