import { readCommaList, writeCommaList } from '@locmetrics/core/errors/comma-list';
import { expect, test } from 'vitest';
import { randomNumbers } from '../support/random-numbers.ts';
import { announceSeed } from '../support/test-seed.ts';

test.each([
  ['CA, NV ,OR', ['CA', 'NV', 'OR']],
  ['"Washington, D.C.",Alabama', ['Washington, D.C.', 'Alabama']],
  ['  " A " , "6"" pipe","" ', [' A ', '6" pipe', '']],
  ['', ['']],
  ['CA,', ['CA', '']],
])('%s is read value by value', (text, values) => {
  expect(readCommaList(text)).toEqual({ values });
});

test.each([
  ['"CA,NV', "has a double quote without its pair in '\"CA,NV'"],
  ['CA,N"V', "has a double quote without its pair in 'N\"V'"],
  ['"CA" NV', 'has a text after the double quotes in \'"CA" NV\''],
])('%s is refused', (text, problem) => {
  expect(readCommaList(text)).toEqual({ problem });
});

test('any list is read as it was written', () => {
  const random = randomNumbers(announceSeed('lists of values'));
  const pick = (from: string): string => from[Math.floor(random() * from.length)] ?? '';
  for (let round = 0; round < 2_000; round += 1) {
    const values = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      Array.from({ length: Math.floor(random() * 5) }, () => pick('a,"[ \u00e9\n')).join(''),
    );
    expect(readCommaList(writeCommaList(values))).toEqual({ values });
  }
});
