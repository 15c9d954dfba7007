/**
 * A text whose own byte order mark is already gone. If it begins with U+FEFF all the same, that is a character of its
 * first value, so a mark is written before it: readers drop one.
 */
export function keepFirstMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  return withStart(chunks, (start) => (hasMark(start) ? Buffer.concat([MARK, start]) : start));
}

/** A text without its own byte order mark. */
export function dropMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  return withStart(chunks, (start) => (hasMark(start) ? start.subarray(MARK_BYTES) : start));
}

async function* withStart(
  chunks: AsyncIterable<Buffer>,
  change: (start: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < MARK_BYTES) continue;
    yield change(start);
    start = undefined;
  }
  if (start !== undefined) yield start;
}

const MARK = Buffer.from('\ufeff');
/** The bytes of a byte order mark in UTF-8. */
export const MARK_BYTES = MARK.length;

function hasMark(start: Buffer): boolean {
  return start.subarray(0, MARK_BYTES).equals(MARK);
}
