import { decodePageToken, encodePageToken } from '@locmetrics/core/requests/page-token';
import { expect, test } from 'vitest';

const KEY = new Uint8Array(32).fill(7);
const TOKEN = { version: 'version', request: 'request', rights: 'rights', totalSize: 7 };

test('the length of a token does not reveal the number of records before it', () => {
  const lengths = [0, 9, 12_345, 1_234_567_890].map(
    (row) => encodePageToken({ ...TOKEN, position: [row] }, KEY).length,
  );
  expect(new Set(lengths).size).toBe(1);
});

test.each([['a'], ['é'.repeat(33)], ['𐐀'.repeat(200)], ['x'.repeat(64)], [''], [' ']])(
  'a token with the text %j is read back',
  (text) => {
    const token = { ...TOKEN, position: [text, null, 1.5, true] };
    expect(decodePageToken(encodePageToken(token, KEY), KEY)).toEqual(token);
  },
);
