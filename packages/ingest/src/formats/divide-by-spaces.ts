import type { FileReading } from '../manifest/manifest.ts';

/**
 * Replaces each run of spaces and tabs within a line by one tab, and leaves out those at its ends. Within quotes they stay,
 * and so do runs of fewer spaces than the least. Lines stay lines, so that messages name those of the file.
 */
export async function* divideBySpaces(
  chunks: AsyncIterable<Buffer>,
  { quote, spacesMin = 1 }: Pick<FileReading, 'quote' | 'spacesMin'>,
): AsyncGenerator<Buffer> {
  const quoteByte = quote === '' ? -1 : quote.charCodeAt(0);
  let isQuoted = false;
  let isStart = true;
  let spaces = 0;
  for await (const chunk of chunks) {
    // Spaces that are pending come from the chunk before.
    const divided = Buffer.alloc(chunk.length + 1);
    let length = 0;
    const write = (byte: number) => {
      divided[length] = byte;
      length += 1;
    };
    for (const byte of chunk) {
      if ((byte === SPACE || byte === TAB) && !isQuoted) {
        if (!isStart) spaces += byte === TAB ? spacesMin : 1;
        continue;
      }
      const isEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      if (spaces > 0 && !isEnd) write(spaces < spacesMin ? SPACE : TAB);
      spaces = 0;
      isStart = isEnd && !isQuoted;
      if (byte === quoteByte) isQuoted = !isQuoted;
      write(byte);
    }
    if (length > 0) yield divided.subarray(0, length);
  }
}

const SPACE = 0x20;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
