/** Whether a text is a JSON sequence: a record separator is before each object (RFC 7464, and RFC 8142 for GeoJSON). */
export async function startsJsonSequence(text: AsyncGenerator<Buffer>): Promise<boolean> {
  const { value: start } = await text.next();
  await text.return(undefined);
  return start !== undefined && isJsonSequence(start.toString('utf8', 0, START_BYTES));
}

const START_BYTES = 1000;

/** Whether a text with this start is a JSON sequence. The byte order mark can come first. */
export function isJsonSequence(start: string): boolean {
  return start
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('\u001E');
}

/**
 * Writes each record on a line, in bounded memory. No text of JSON has a line break or a separator as it is, so line
 * breaks within a record are only between its parts. Record 1 is on line 1.
 */
export async function* jsonSequenceLines(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let hasText = false;
  for await (const chunk of text) {
    // No byte becomes more than one.
    const lines = Buffer.alloc(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      const isSeparator = byte === RECORD_SEPARATOR;
      if (isSeparator && !hasText) continue;
      const isSpace = byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === SPACE;
      if (isSpace && !hasText) continue;
      lines[length] = isSeparator ? LINE_FEED : isSpace ? SPACE : byte;
      length += 1;
      hasText = !isSeparator;
    }
    if (length > 0) yield lines.subarray(0, length);
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const RECORD_SEPARATOR = 0x1e;
const SPACE = 0x20;
