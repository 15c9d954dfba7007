import { readBytes, type SourceFile } from './source-file.ts';

/** The lines of a file as bytes, counted from 1, without their line breaks LF or CRLF. */
export async function* readLines(
  file: SourceFile,
): AsyncGenerator<{ readonly line: number; readonly bytes: Buffer }> {
  let line = 1;
  let parts: Buffer[] = [];
  for await (const chunk of readBytes(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      yield { line, bytes: withoutReturn(Buffer.concat(parts)) };
      parts = [];
      line += 1;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  }
  const bytes = Buffer.concat(parts);
  if (bytes.length > 0) yield { line, bytes };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}

/** Whether a line is only JSON white space. */
export function isBlankLine(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN);
}
