import { visitRows } from '@locmetrics/core/domain/value-visitor';
import { type ReadPart, readAhead } from '@locmetrics/server/service/streams/read-ahead';
import {
  lengthAfter,
  STREAM_SIZES,
  sizesAmong,
} from '@locmetrics/server/service/streams/stream-sizes';
import { describe, expect, test } from 'vitest';

/** Parts with some pieces each; notes which parts were read, and for what reader. */
function openParts(pieceCounts: readonly number[]) {
  const read: string[] = [];
  const partAt =
    (index: number): ReadPart =>
    async (isReadFast) => {
      read.push(`${index} ${isReadFast ? 'fast' : 'slow'}`);
      const pieces = Array.from({ length: pieceCounts[index] ?? 0 }, () => ({
        size: index,
        visit: visitRows([]),
      }));
      return { pieces, next: index + 1 < pieceCounts.length ? partAt(index + 1) : undefined };
    };
  return { read, first: partAt(0) };
}

describe('the pieces of a stream', () => {
  test('come in the order of the parts', async () => {
    const { first } = openParts([2, 0, 1, 3]);
    const sizes: number[] = [];
    for await (const { size } of await readAhead(first)) sizes.push(size);
    expect(sizes).toEqual([0, 0, 2, 3, 3, 3]);
  });

  test('are read one part ahead of a fast reader, and no more', async () => {
    const { first, read } = openParts([3, 3, 3]);
    const pieces = await readAhead(first, () => 0);
    expect(read).toEqual(['0 fast']);
    await pieces.next();
    await pieces.next();
    expect(read).toEqual(['0 fast', '1 fast']);
    await pieces.next();
    expect(read).toEqual(['0 fast', '1 fast']);
  });

  test('are not read ahead of a slow reader, whose next part is smaller', async () => {
    const { first, read } = openParts([2, 2]);
    let nowMs = 0;
    const pieces = await readAhead(first, () => nowMs);
    for (let piece = 0; piece < 2; piece += 1) {
      await pieces.next();
      nowMs += 260;
    }
    expect(read).toEqual(['0 fast']);
    await pieces.next();
    expect(read).toEqual(['0 fast', '1 slow']);
  });

  test('end with the error of a part that was read ahead', async () => {
    const failing: ReadPart = async () => {
      throw new Error('The disk is broken.');
    };
    const piece = { size: 1, visit: visitRows([]) };
    const pieces = await readAhead(async () => ({ pieces: [piece, piece], next: failing }));
    await pieces.next();
    await pieces.next();
    await expect(pieces.next()).rejects.toThrow('The disk is broken.');
  });
});

describe('the length of the next part', () => {
  const before = { length: 1000, bytes: 50_000 };

  test('grows up to the wanted number of bytes', () => {
    expect(lengthAfter(before, true, STREAM_SIZES)).toBe(4000);
    expect(lengthAfter({ length: 16_000, bytes: 800_000 }, true, STREAM_SIZES)).toBe(32_000);
    expect(lengthAfter({ length: 48_000, bytes: 2_400_000 }, true, STREAM_SIZES)).toBe(60_000);
  });

  test('is longer where few records match', () => {
    const few = { length: 1_000_000, bytes: 50_000 };
    expect(lengthAfter(few, true, STREAM_SIZES)).toBe(4_000_000);
    expect(lengthAfter({ ...few, bytes: 0 }, true, STREAM_SIZES)).toBe(4_000_000);
    expect(lengthAfter({ ...few, bytes: 3_000_000 }, true, STREAM_SIZES)).toBe(1_000_000);
  });

  test('is shorter while several streams are open, but not below that for a slow reader', () => {
    const bytesAmong = (streams: number): number => sizesAmong(streams, STREAM_SIZES).partBytes;
    expect([0, 1, 2, 4, 10, 1000].map(bytesAmong)).toEqual([
      3_000_000, 3_000_000, 1_500_000, 750_000, 300_000, 250_000,
    ]);
  });

  test('is shorter for a slow reader, and after wide records', () => {
    const long = { length: 100_000, bytes: 5_000_000 };
    expect(lengthAfter({ ...long, bytes: 30_000_000 }, true, STREAM_SIZES)).toBe(10_000);
    expect(lengthAfter(long, false, STREAM_SIZES)).toBe(5000);
    expect(lengthAfter({ length: 1, bytes: 16_000_000 }, true, STREAM_SIZES)).toBe(1);
  });
});
