/** Where the values of a line begin and end, as far as quotes say it. */
export type Quoting = {
  /** One byte, or empty for none. */
  readonly quote: string;
  /** Absent: any usual one. */
  readonly delimiter?: string | undefined;
};

/** Whether the first line of a text has a name that goes on in the next lines, and ends there. */
export async function startsOpenName(
  chunks: AsyncIterable<Buffer>,
  quoting: Quoting,
): Promise<boolean> {
  const follow = openQuotes(quoting);
  let lines = 0;
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      const isOpen = follow(byte);
      if (!isLineEnd(byte)) continue;
      if (!isOpen || lines >= LINES_MAX) return lines > 0 && !isOpen;
      lines += 1;
    }
  }
  return false;
}

/**
 * The text with its header in one line: line breaks within names become spaces, because DuckDB takes the first one of a
 * file for the end of its first row.
 */
export function joinHeader(
  chunks: AsyncIterable<Buffer>,
  quoting: Quoting,
): { readonly rest: AsyncIterable<Buffer>; readonly joinedLines: () => number } {
  const follow = openQuotes(quoting);
  let joinedLines = 0;
  let isDone = quoting.quote === '';
  let before = 0;
  const rest = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (isDone) {
        yield chunk;
        continue;
      }
      const joined = Buffer.alloc(chunk.length);
      let length = 0;
      for (const [index, byte] of chunk.entries()) {
        const isOpen = follow(byte);
        if (isLineEnd(byte) && (!isOpen || joinedLines >= LINES_MAX)) {
          isDone = true;
          chunk.copy(joined, length, index);
          length += chunk.length - index;
          break;
        }
        const isSecondHalf = byte === LINE_FEED && before === CARRIAGE_RETURN;
        before = byte;
        if (isSecondHalf) continue;
        if (isLineEnd(byte)) joinedLines += 1;
        joined[length] = isLineEnd(byte) ? SPACE : byte;
        length += 1;
      }
      yield joined.subarray(0, length);
    }
  };
  return { rest: rest(), joinedLines: () => joinedLines };
}

/** A header has fewer lines; more are a quote that is not closed. */
const LINES_MAX = 100;

/** Follows the bytes of a text, and tells after each whether it is within a quoted value. */
export function openQuotes({ quote, delimiter }: Quoting): (byte: number) => boolean {
  const quoteByte = quote === '' ? -1 : quote.charCodeAt(0);
  const delimiters = new Set([...(delimiter ?? ',;\t|')].map((one) => one.charCodeAt(0)));
  let isOpen = false;
  let isStart = true;
  return (byte) => {
    if (byte === quoteByte && (isOpen || isStart)) {
      isOpen = !isOpen;
      // A quote that is doubled opens the value again.
      isStart = !isOpen;
      return isOpen;
    }
    if (isOpen) return true;
    isStart = delimiters.has(byte) || isLineEnd(byte) || (isStart && byte === SPACE);
    return false;
  };
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
