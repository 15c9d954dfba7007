import { readBytes, type SourceFile } from './source-file.ts';

/** The line, counted from 1, of a byte of the decompressed text. Lines end with LF, CRLF or CR. */
export async function lineOfOffset(file: SourceFile, offset: number): Promise<number> {
  return (await readLineAt(file, offset)).line;
}

/** The same, with the text that starts there, cut after some characters. */
export async function readLineAt(
  file: SourceFile,
  offset: number,
): Promise<{ readonly line: number; readonly text: string }> {
  const shown: Buffer[] = [];
  let line = file.firstLine;
  let chunkStart = 0;
  let last = 0;
  for await (const chunk of readBytes(file)) {
    const before = Math.max(0, offset - chunkStart);
    for (const byte of chunk.subarray(0, before)) {
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && last !== CARRIAGE_RETURN)) line += 1;
      last = byte;
    }
    shown.push(chunk.subarray(before, before + SHOWN_BYTES));
    chunkStart += chunk.length;
    if (chunkStart > offset + SHOWN_BYTES) break;
  }
  return { line, text: Buffer.concat(shown).toString('utf8', 0, SHOWN_BYTES) };
}

const SHOWN_BYTES = 1000;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
