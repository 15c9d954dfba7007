import type { FileReading } from '../manifest/manifest.ts';
import type { LeftOutLines } from './leave-out-lines.ts';

export type LeftOutHeaders = {
  /** The lines between the header and the rows. */
  readonly below: Pick<LeftOutLines, 'lines' | 'first'>;
  /** The later lines that are equal to the header, and the number of the first of them in the text. */
  readonly repeated: { readonly lines: number; readonly firstLine: number };
};

/**
 * The text without the lines below its first one, the header, and without later lines that repeat it. They become blank, so that lines
 * keep their numbers. `leftOut` describes them once the text has been read.
 */
export function leaveOutHeaders(
  chunks: AsyncIterable<Buffer>,
  { skipBelowHeader, repeatedHeaders }: Pick<FileReading, 'skipBelowHeader' | 'repeatedHeaders'>,
): { readonly rest: AsyncIterable<Buffer>; readonly leftOut: () => LeftOutHeaders } {
  const seen = { below: 0, first: '', repeated: 0, firstLine: 0 };
  let header: Buffer | undefined;
  let line = 0;
  const isLeftOut = (content: Buffer): boolean => {
    line += 1;
    if (header === undefined) {
      header = content;
      return false;
    }
    if (line <= skipBelowHeader + 1) {
      if (seen.below === 0) seen.first = content.toString('utf8');
      seen.below += 1;
      return true;
    }
    if (!repeatedHeaders || !content.equals(header)) return false;
    if (seen.repeated === 0) seen.firstLine = line;
    seen.repeated += 1;
    return true;
  };
  const rest = async function* (): AsyncGenerator<Buffer> {
    let carried = Buffer.alloc(0);
    let lineBreak: number | undefined;
    for await (const chunk of chunks) {
      const text = Buffer.concat([carried, chunk]);
      const kept: Buffer[] = [];
      lineBreak ??= lineBreakOf(text);
      if (lineBreak === undefined) {
        carried = text;
        continue;
      }
      let start = 0;
      let from = 0;
      for (let end = text.indexOf(lineBreak); end >= 0; end = text.indexOf(lineBreak, end + 1)) {
        const content = trimmed(text.subarray(start, end));
        if (isLeftOut(content)) {
          kept.push(text.subarray(from, start));
          from = text[end - 1] === CARRIAGE_RETURN && end > start ? end - 1 : end;
        }
        start = end + 1;
      }
      // The last line can go on in the next chunk.
      kept.push(text.subarray(from, start));
      carried = text.subarray(start);
      const whole = Buffer.concat(kept);
      if (whole.length > 0) yield whole;
    }
    if (carried.length > 0 && !isLeftOut(trimmed(carried))) yield carried;
  };
  return {
    rest: rest(),
    leftOut: () => ({
      below: { lines: seen.below, first: seen.first },
      repeated: { lines: seen.repeated, firstLine: seen.firstLine },
    }),
  };
}

/** The last byte of a line break, once it is known. */
function lineBreakOf(text: Buffer): number | undefined {
  if (text.includes(LINE_FEED)) return LINE_FEED;
  const at = text.indexOf(CARRIAGE_RETURN);
  return at >= 0 && at < text.length - 1 ? CARRIAGE_RETURN : undefined;
}

/** A line without spaces at its end, and without the byte order mark of a file that was added to another. */
function trimmed(line: Buffer): Buffer {
  const start = line.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  let end = line.length;
  while (end > start && SPACES.has(line[end - 1] ?? 0)) end -= 1;
  return line.subarray(start, end);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MARK = Buffer.from('\ufeff');
const SPACES = new Set([0x20, 0x09, CARRIAGE_RETURN]);
