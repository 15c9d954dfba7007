import { divideBySpaces } from '@locmetrics/ingest/formats/divide-by-spaces';
import { expect, test } from 'vitest';

const TEXT = '  a b   c\td "x  y"  \r\n\n e  f g\t \t h\n';

async function divided(spacesMin: number, bytes: number): Promise<string> {
  const chunks = (async function* () {
    const all = Buffer.from(TEXT);
    for (let start = 0; start < all.length; start += bytes)
      yield all.subarray(start, start + bytes);
  })();
  const parts: Buffer[] = [];
  for await (const part of divideBySpaces(chunks, { quote: '"', spacesMin })) parts.push(part);
  return Buffer.concat(parts).toString();
}

test.each([1, 2, 3, 7, 1000])('spaces divide values in pieces of %i bytes', async (bytes) => {
  expect(await divided(1, bytes)).toBe('a\tb\tc\td\t"x  y"\r\n\ne\tf\tg\th\n');
  expect(await divided(2, bytes)).toBe('a b\tc\td "x  y"\r\n\ne\tf g\th\n');
});
