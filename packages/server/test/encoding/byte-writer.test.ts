import { expect, test } from 'vitest';
import { openByteWriter } from '../../src/encoding/byte-writer.ts';

test.each([0, 1, 9, 10, 99, 100, 2 ** 31 - 1, -1, -9, -10, -(2 ** 31)])(
  'the whole number %s is written in decimal',
  (number) => {
    const out = openByteWriter(0);
    out.integer(number);
    expect(out.end().toString()).toBe(String(number));
  },
);

test('parts of every kind are written one after the other, whatever their size', () => {
  const long = 'x'.repeat(1000);
  const out = openByteWriter(1);
  out.ascii(long);
  out.text(`ü${long}😀`);
  out.integer(-5);
  out.bytes(Buffer.from(long));
  expect(out.end().toString()).toBe(`${long}ü${long}😀-5${long}`);
});
