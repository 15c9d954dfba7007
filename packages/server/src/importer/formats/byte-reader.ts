/** Reads a number of bytes at a time from chunks of any size. */
export function openByteReader(chunks: AsyncGenerator<Buffer>): {
  /** The next bytes, fewer at the end. */
  readonly take: (count: number) => Promise<Buffer>;
  readonly close: () => Promise<void>;
} {
  let held: Buffer = Buffer.alloc(0);
  return {
    take: async (count) => {
      const parts = [held];
      let length = held.length;
      while (length < count) {
        const { value, done } = await chunks.next();
        if (done === true) break;
        parts.push(value);
        length += value.length;
      }
      const all = parts.length === 1 ? held : Buffer.concat(parts, length);
      held = all.subarray(count);
      return all.subarray(0, count);
    },
    close: async () => {
      await chunks.return(undefined);
    },
  };
}
