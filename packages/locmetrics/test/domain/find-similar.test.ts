import {
  editsForgiven,
  isSimilar,
  sharedParts,
  similarPattern,
} from '@locmetrics/core/text/find-similar';
import { SEPARATORS } from '@locmetrics/core/text/words-of';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../support/test-seed.ts';

test.each([
  ['zurich', 'zurich', 0],
  ['zurich', 'zurch', 1],
  ['zurich', 'zurxch', 1],
  ['zurich', 'zurixch', 1],
  ['zurich', 'zuirch', 1],
  ['abcd', 'badc', 2],
  // Letters are swapped, and one is inserted or left out between them.
  ['ca', 'abc', 2],
  ['abc', 'ca', 2],
  ['zurich', 'bern', 5],
  ['서울', '서을', 1],
  ['😀a', 'a😀', 1],
])('%s and %s differ by %d edits', (one, other, edits) => {
  expect([0, 1, 2, 3, 4, 5, 6].find((some) => isSimilar(one, other, some))).toBe(edits);
  expect(isSimilar(other, one, edits)).toBe(true);
});

test('no edit is forgiven in four letters, one from five letters on, two from eight', () => {
  const edits = [4, 5, 7, 8, 24, 25].map((length) => editsForgiven('é'.repeat(length)));
  expect(edits).toEqual([0, 1, 1, 2, 2, 0]);
  expect(editsForgiven('😀'.repeat(4))).toBe(0);
});

const letter = fc.constantFrom('a', 'b', 'c', 'é', '😀');
const edit = fc.record({ at: fc.nat(20), letter, kind: fc.nat(3) });

test('the expression of a word matches exactly the words that differ by as few edits', () => {
  const seed = announceSeed('similar words');
  const word = fc.array(letter, { minLength: 2, maxLength: 15 });
  const changes = fc.array(edit, { maxLength: 3 });
  let similar = 0;
  const property = fc.property(word, changes, fc.constantFrom(1, 2), (letters, all, edits) => {
    const other = all.reduce<readonly string[]>(changed, letters).join('');
    const one = letters.join('');
    const expected = isSimilar(one, other, edits);
    if (expected) similar += 1;
    const pattern = new RegExp(`^${similarPattern(one, edits)}$`, 'u');
    expect(pattern.test(other)).toBe(expected);
    const parts = sharedParts(one);
    if (expected && parts.length > 0) expect(parts.some((part) => other.includes(part))).toBe(true);
  });
  fc.assert(property, { seed, numRuns: 2000 });
  expect(similar).toBeGreaterThan(200);
});

test('a sign between words is never part of a similar word', () => {
  const pattern = new RegExp(`[${SEPARATORS}]${similarPattern('zurich', 1)}[${SEPARATORS}]`, 'u');
  expect(pattern.test('\nzurixh\n')).toBe(true);
  for (const sign of [' ', '-', '/', '\u0001', "'", '^']) {
    expect(pattern.test(`\nzur${sign}ch\n`)).toBe(false);
  }
});

function changed(
  letters: readonly string[],
  {
    at,
    letter: other,
    kind,
  }: { readonly at: number; readonly letter: string; readonly kind: number },
): readonly string[] {
  const place = at % (letters.length + 1);
  const [before, after] = [letters.slice(0, place), letters.slice(place)];
  const [first = '', second = ''] = after;
  switch (kind) {
    case 0:
      return [...before, other, ...after];
    case 1:
      return [...before, ...after.slice(1)];
    case 2:
      return [...before, second, first, ...after.slice(2)].filter((one) => one !== '');
    default:
      return [...before, other, ...after.slice(1)];
  }
}
