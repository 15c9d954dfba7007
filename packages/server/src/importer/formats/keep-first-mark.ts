/**
 * A text whose own byte order mark is already gone. If it begins with U+FEFF all the same, that is a character of its
 * first value, so a mark is written before it: readers drop one.
 */
export async function* keepFirstMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < MARK.length) continue;
    yield* withMark(start);
    start = undefined;
  }
  if (start !== undefined) yield start;
}

const MARK = Buffer.from('\ufeff');

function withMark(start: Buffer): readonly Buffer[] {
  return start.subarray(0, MARK.length).equals(MARK) ? [MARK, start] : [start];
}
