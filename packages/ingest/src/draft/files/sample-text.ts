import { markedEncoding } from '../../formats/decode-text.ts';
import { openUtf8Meter } from '../../formats/utf8-meter.ts';
import type { Encoding } from '../../manifest/read-schema.ts';
import { findLegacyEncoding } from './find-encoding.ts';

/** The encoding of a text, and its first and last lines, as its bytes show them. */
export type TextSample = {
  /** As the manifest has to declare it; absent for UTF-8 and for a byte order mark. */
  readonly declared: Encoding | undefined;
  readonly encoding: Encoding;
  readonly hasMark: boolean;
  /** A doubt about the encoding. */
  readonly doubt: string | undefined;
  /** The text from its start, as far as it was kept. */
  readonly start: string;
  readonly head: readonly string[];
  /** Whether the head is the whole text. */
  readonly isWhole: boolean;
  readonly tail: readonly string[];
};

/** Reads all bytes of a text once, in bounded memory. */
export async function sampleText(chunks: AsyncIterable<Buffer>): Promise<TextSample> {
  const meter = openUtf8Meter();
  const foreign: Buffer[] = [];
  let foreignBytes = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of chunks) {
    meter.add(chunk);
    bytes += chunk.length;
    if (foreignBytes < FOREIGN_BYTES && chunk.some((byte) => byte >= 0x80)) {
      const lines = foreignLines(chunk, FOREIGN_BYTES - foreignBytes);
      foreign.push(lines);
      foreignBytes += lines.length;
    }
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
  }
  meter.end();
  const found = findEncoding(head, meter.wrongBytes, Buffer.concat(foreign));
  const isWhole = bytes <= HEAD_BYTES;
  const start = decode(head, found.encoding);
  const headLines = toLines(start);
  const tailLines = toLines(decode(tail, found.encoding));
  // The last line of a part may be cut, and the first one of the end.
  return {
    ...found,
    start,
    head: isWhole || headLines.length < 2 ? headLines : headLines.slice(0, -1),
    isWhole,
    tail: bytes <= TAIL_BYTES ? tailLines : tailLines.slice(1),
  };
}

const HEAD_BYTES = 2 ** 20;
const TAIL_BYTES = 2 ** 16;
/** So many bytes of lines with other characters than those of ASCII show the encoding. */
const FOREIGN_BYTES = 2 ** 16;

/** The lines of a chunk that have such bytes. */
function foreignLines(chunk: Buffer, most: number): Buffer {
  const found: Buffer[] = [];
  let bytes = 0;
  let start = 0;
  while (start < chunk.length && bytes < most) {
    const end = chunk.indexOf(0x0a, start);
    const line = chunk.subarray(start, end < 0 ? chunk.length : end + 1);
    if (line.some((byte) => byte >= 0x80)) {
      found.push(line.subarray(0, most));
      bytes += line.length;
    }
    start += line.length;
  }
  return Buffer.concat(found);
}

type FoundEncoding = Pick<TextSample, 'declared' | 'encoding' | 'hasMark' | 'doubt'>;

function findEncoding(
  head: Buffer,
  wrong: readonly { readonly byte: number }[],
  foreign: Buffer,
): FoundEncoding {
  const marked = markedEncoding(head);
  if (marked !== undefined) {
    return { declared: undefined, encoding: marked, hasMark: true, doubt: undefined };
  }
  const wide = wideEncoding(head);
  if (wide !== undefined) return declare(wide);
  if (wrong.length === 0) {
    return { declared: undefined, encoding: 'utf-8', hasMark: false, doubt: undefined };
  }
  const { encoding, doubt } = findLegacyEncoding(foreign);
  return declare(encoding, doubt);
}

function declare(encoding: Encoding, doubt?: string): FoundEncoding {
  return { declared: encoding, encoding, hasMark: false, doubt };
}

/** Digits and Latin letters have a zero byte in UTF-16. */
function wideEncoding(head: Buffer): Encoding | undefined {
  const pairs = Math.floor(Math.min(head.length, 4096) / 2);
  if (pairs < 4) return undefined;
  let first = 0;
  let second = 0;
  for (let index = 0; index < pairs; index += 1) {
    if (head[2 * index] === 0) first += 1;
    if (head[2 * index + 1] === 0) second += 1;
  }
  if (second > pairs / 2 && first < pairs / 10) return 'utf-16le';
  return first > pairs / 2 && second < pairs / 10 ? 'utf-16be' : undefined;
}

function decode(bytes: Buffer, encoding: Encoding): string {
  return encoding === 'iso-8859-1'
    ? bytes.toString('latin1')
    : new TextDecoder(encoding).decode(bytes);
}

function toLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
