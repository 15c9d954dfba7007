/** A part of a text that is left out: its lines, its bytes and the text of its first line. */
export type LeftOutLines = {
  readonly lines: number;
  readonly bytes: number;
  readonly first: string;
};

/** The text after the first lines. `leftOut` describes them once the text has been read. */
export function leaveOutLines(
  chunks: AsyncIterable<Buffer>,
  count: number,
): { readonly rest: AsyncIterable<Buffer>; readonly leftOut: () => LeftOutLines } {
  const left = openLines();
  const rest = async function* (): AsyncGenerator<Buffer> {
    let isDone = count === 0;
    for await (const chunk of chunks) {
      const end = isDone ? 0 : left.add(chunk, count);
      if (end === chunk.length) continue;
      isDone = true;
      yield chunk.subarray(end);
    }
  };
  return { rest: rest(), leftOut: left.describe };
}

/**
 * The text before the first line that begins with a given text. `leftOut` describes the lines from there on once the
 * text has been read; it returns undefined if no line begins so.
 */
export function leaveOutFooter(
  chunks: AsyncIterable<Buffer>,
  start: string | undefined,
): { readonly rest: AsyncIterable<Buffer>; readonly leftOut: () => LeftOutLines | undefined } {
  if (start === undefined) return { rest: chunks, leftOut: () => undefined };
  const wanted = Buffer.from(start, 'utf8');
  const left = openLines();
  let isFound = false;
  const rest = async function* (): AsyncGenerator<Buffer> {
    /** The end of the text before, in which the wanted one may begin. At first a line break, for the first line. */
    let carried = Buffer.from('\n');
    let skipped = 1;
    for await (const chunk of chunks) {
      if (isFound) {
        left.add(chunk, Number.POSITIVE_INFINITY);
        continue;
      }
      const text = Buffer.concat([carried, chunk]);
      const at = findAtLineStart(text, wanted);
      isFound = at >= 0;
      const end = isFound ? at : Math.max(0, text.length - wanted.length);
      // The byte before the wanted text is kept back too, because it shows whether a line begins there.
      const kept = isFound ? end : Math.max(0, end - 1);
      if (kept > skipped) yield text.subarray(skipped, kept);
      skipped = isFound ? 0 : Math.max(0, skipped - kept);
      carried = Buffer.from(text.subarray(kept));
      if (isFound) left.add(carried, Number.POSITIVE_INFINITY);
    }
    if (!isFound && carried.length > skipped) yield carried.subarray(skipped);
  };
  return { rest: rest(), leftOut: () => (isFound ? left.describe() : undefined) };
}

function findAtLineStart(text: Buffer, wanted: Buffer): number {
  for (let at = text.indexOf(wanted, 1); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1];
    if (before === LINE_FEED || before === CARRIAGE_RETURN) return at;
  }
  return -1;
}

/** Counts the lines of a text that is left out. Lines end with LF, CRLF or CR. */
function openLines() {
  let lines = 0;
  let bytes = 0;
  let first = '';
  let last = 0;
  return {
    /** Adds the bytes of the chunk up to the end of the wanted number of lines, and returns the offset of the end. */
    add: (chunk: Buffer, count: number): number => {
      let end = 0;
      for (const byte of chunk) {
        // The line feed of CRLF belongs to the line before it.
        const isSecondHalf = byte === LINE_FEED && last === CARRIAGE_RETURN;
        if (lines >= count && !isSecondHalf) break;
        end += 1;
        last = byte;
        if (isSecondHalf) continue;
        if (byte === LINE_FEED || byte === CARRIAGE_RETURN) lines += 1;
        else if (lines === 0 && first.length < SHOWN_MAX) first += String.fromCharCode(byte);
      }
      bytes += end;
      return end;
    },
    describe: (): LeftOutLines => ({
      lines: last === LINE_FEED || last === CARRIAGE_RETURN || bytes === 0 ? lines : lines + 1,
      bytes,
      first: Buffer.from(first, 'latin1')
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    }),
  };
}

const SHOWN_MAX = 200;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
