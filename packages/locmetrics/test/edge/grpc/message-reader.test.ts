import { frameMessage } from '@locmetrics/core/encoding/message-frame';
import { MessageReader } from '@locmetrics/server/edge/grpc/message-reader';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const MAX_BYTES = 1000;

test('messages are the same however their bytes are split', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 12 })),
      (messages, sizes) => {
        const all = Buffer.concat(messages.map(frameMessage));
        const reader = new MessageReader(MAX_BYTES);
        const read: Uint8Array[] = [];
        const take = (chunk: Buffer): void => {
          read.push(...reader.read(chunk).map(({ bytes }) => Uint8Array.from(bytes)));
        };
        let begin = 0;
        for (const size of sizes) {
          take(all.subarray(begin, begin + size));
          begin += size;
        }
        take(all.subarray(begin));
        expect(read).toEqual(messages.map((message) => Uint8Array.from(message)));
        expect(reader.hasPart).toBe(false);
      },
    ),
  );
});

test('a part of a message is known at each byte of it', () => {
  const all = frameMessage(Uint8Array.of(1, 2, 3));
  for (let end = 1; end < all.length; end++) {
    const reader = new MessageReader(MAX_BYTES);
    expect(reader.read(all.subarray(0, end))).toEqual([]);
    expect(reader.hasPart).toBe(true);
  }
});

test('a message beyond the limit is refused before it arrives', () => {
  const reader = new MessageReader(MAX_BYTES);
  const all = frameMessage(new Uint8Array(MAX_BYTES + 1));
  expect(() => reader.read(all.subarray(0, 5))).toThrow('The message is larger than 1000 bytes.');
  expect(new MessageReader(MAX_BYTES).read(frameMessage(new Uint8Array(MAX_BYTES)))).toHaveLength(
    1,
  );
});
