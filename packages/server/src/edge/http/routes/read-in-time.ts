import type { Readable } from 'node:stream';

/**
 * The chunks of a stream. A source that sends nothing for `stallMs` while somebody wants to read is destroyed, and the
 * read fails. The time in which nobody reads does not count.
 */
export async function* readInTime(source: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const stall = setTimeout(() => {
        source.destroy(new Error(`The source sent nothing for ${stallMs} ms.`));
      }, stallMs);
      const { value, done } = await chunks.next().finally(() => clearTimeout(stall));
      if (done === true) return;
      yield value;
    }
  } finally {
    source.destroy();
  }
}
