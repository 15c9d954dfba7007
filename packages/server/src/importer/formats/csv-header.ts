import { parse } from 'csv-parse/sync';
import type { DatasetSource } from '../../manifest/manifest.ts';
import type { RowProblem } from '../problems/import-error.ts';
import { readBytes, SAVE_AS_UTF8, type SourceFile } from './source-file.ts';

/**
 * Reads the names of the columns from the first line of a CSV or TSV file. White space around a
 * name does not count.
 *
 * A line break inside a name is refused: DuckDB assumes that all lines end with the first line break of the
 * file, and then drops rows without an error.
 */
export async function readCsvHeader(
  file: SourceFile,
  source: DatasetSource,
): Promise<{ readonly columns: readonly string[] } | { readonly problem: RowProblem }> {
  const problem = (reason: string, hint: string) => ({
    problem: { file: file.label, line: 1, reason, hint },
  });
  const line = await readFirstLine(file);
  if (line === undefined) {
    return problem(
      `the first line is longer than ${HEADER_BYTES_MAX} bytes`,
      'The first line must have the names of the columns.',
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    return problem('the header is not UTF-8', SAVE_AS_UTF8);
  }
  if (text.includes('\0')) {
    return problem('the header contains the character U+0000', `It may be UTF-16. ${SAVE_AS_UTF8}`);
  }
  if (text.trim() === '') {
    return problem(
      'the first line has no names of columns',
      'Begin the file with a line of the names of its columns.',
    );
  }
  try {
    const [columns] = parse(text, {
      delimiter: source.delimiter,
      quote: source.quote === '' ? null : source.quote,
      escape: source.quote === '' ? null : source.quote,
      trim: true,
    });
    return { columns: columns ?? [] };
  } catch {
    return problem(
      'the header has a quote that is not closed in its line, or text next to a quoted name',
      'Write each name on one line. Put quotes around a whole name, or none.',
    );
  }
}

const HEADER_BYTES_MAX = 2 ** 20;

async function readFirstLine(file: SourceFile): Promise<Buffer | undefined> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of readBytes(file)) {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
    if (end >= 0) return bytes.subarray(0, end);
    if (bytes.length > HEADER_BYTES_MAX) return undefined;
  }
  return bytes;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
