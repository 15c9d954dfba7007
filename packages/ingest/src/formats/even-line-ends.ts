import { type CsvDialect, type LineBreak, scanCsvRows } from './csv-lines.ts';
import { readBytes, type SourceFile } from './source-file.ts';

/** The place from which the rows of a file end differently from its first one; undefined if they never do. */
export type LineEnds = {
  readonly first: LineBreak;
  readonly other: LineBreak;
  /** The first line with the other ending. */
  readonly line: number;
  /** Whether a row ends with CR alone, which may also be a part of a value. */
  readonly hasReturn: boolean;
};

/** Looks whether all rows of a CSV file end in the same way, with our own reader. Line breaks inside quotes do not count. */
export async function compareLineEnds(
  file: SourceFile,
  dialect: CsvDialect,
): Promise<LineEnds | undefined> {
  let first: LineBreak | undefined;
  let found: LineEnds | undefined;
  for await (const { lineBreak, line } of scanCsvRows(readBytes(file), dialect)) {
    if (lineBreak === 'none') continue;
    first ??= lineBreak;
    if (lineBreak === first) continue;
    const hasReturn = first === 'CR' || lineBreak === 'CR';
    // An ending that cannot be changed without changing a value decides.
    if (hasReturn) return { first, other: lineBreak, line, hasReturn };
    found ??= { first, other: lineBreak, line, hasReturn };
  }
  return found;
}

/** The bytes of a CSV file with LF at the end of each row. Values keep theirs. */
export async function* evenLineEnds(file: SourceFile, dialect: CsvDialect): AsyncGenerator<Buffer> {
  let pending = Buffer.alloc(0);
  /** The offset of the pending bytes in the file. */
  let offset = 0;
  const read = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of readBytes(file)) {
      pending = Buffer.concat([pending, chunk]);
      yield chunk;
    }
  };
  let rows: Buffer[] = [];
  let bytes = 0;
  for await (const { end, lineBreak } of scanCsvRows(read(), dialect)) {
    const row = pending.subarray(0, end - offset);
    pending = pending.subarray(end - offset);
    offset = end;
    rows.push(lineBreak === 'CRLF' ? row.subarray(0, -2) : row);
    if (lineBreak === 'CRLF') rows.push(LINE_FEED);
    bytes += row.length;
    if (bytes < WRITTEN_BYTES) continue;
    yield Buffer.concat(rows);
    rows = [];
    bytes = 0;
  }
  yield Buffer.concat(rows);
}

const LINE_FEED = Buffer.from('\n');
const WRITTEN_BYTES = 2 ** 20;
