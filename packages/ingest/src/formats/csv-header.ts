import { parse } from 'csv-parse/sync';
import type { ColumnName } from '../manifest/field-source.ts';
import { FILE_FORMATS, type FileFormat } from '../manifest/file-formats.ts';
import type { DatasetSource, FileReading } from '../manifest/manifest.ts';
import type { RowProblem } from '../problems/import-error.ts';
import { readBytes, type SourceFile } from './source-file.ts';
import { encodingHint, wrongIndexes } from './utf8-meter.ts';

/**
 * Reads the first line of a CSV or TSV file: the names of the columns, or else their number. White space around a
 * name does not count.
 *
 * Line breaks inside names are spaces in the copy of the file: DuckDB assumes that all lines end with the first line
 * break of the file, and then drops rows without an error.
 */
export async function readCsvHeader(
  file: SourceFile,
  { format, reading, fields }: DatasetSource,
): Promise<{ readonly header: CsvHeader } | { readonly problem: RowProblem }> {
  const { hasHeader, quote } = reading;
  const what = hasHeader ? 'header' : 'first row';
  const problem = (reason: string, hint: string) => ({
    problem: { file: file.label, line: file.firstLine, reason, hint },
  });
  const line = await readFirstLine(file);
  if (line === undefined) {
    return problem(
      `the first line is longer than ${HEADER_BYTES_MAX} bytes`,
      hasHeader ? NAMES_EXPECTED : 'Check that its lines end with LF, CRLF or CR.',
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line);
  } catch {
    const [index = 0] = wrongIndexes(line);
    return problem(`the ${what} is not UTF-8`, encodingHint({ byte: line[index] ?? 0 }));
  }
  if (text.includes('\0')) {
    return problem(
      `the ${what} contains the character U+0000`,
      'It may be UTF-16: declare read: { encoding: utf-16le }, or save the file as UTF-8.',
    );
  }
  if (file.bytes === 0 && reading.skipLines > 0) {
    return problem(
      `no line is left below the ${reading.skipLines} of read: { skip_lines }`,
      'Write the number of lines above the header.',
    );
  }
  if (text.trim() === '' && reading.skipLines > 0) {
    return problem(
      `the line below the ${reading.skipLines} of read: { skip_lines } is blank`,
      `Write the number of lines above the ${what}.`,
    );
  }
  if (text.trim() === '') {
    return hasHeader
      ? problem('the first line has no column names', NAMES_EXPECTED)
      : problem('the first line is blank', 'Start the file with a row, or declare skip_lines.');
  }
  const found = candidates(format, reading).flatMap((delimiter) => {
    const values = splitLine(text, delimiter, quote);
    return values === undefined ? [] : [{ delimiter, values }];
  });
  const [first] = found;
  if (first === undefined) {
    return problem(
      `the ${what} has a quote that is not closed in its line, or text next to a quoted name`,
      'Write each name on one line. Put quotes around a whole name, or none.',
    );
  }
  const columns = [...fields.values()].flatMap((field) => field.columns);
  const { delimiter, values } = found.reduce((best, next) =>
    countKnown(next.values, columns) > countKnown(best.values, columns) ? next : best,
  );
  // The names of a file without a header are only for messages: fields name its columns by position.
  const names = hasHeader ? values : values.map((_, index) => `column ${index + 1}`);
  return { header: { columns: names, delimiter } };
}

export type CsvHeader = {
  readonly columns: readonly string[];
  readonly delimiter: string;
};

const NAMES_EXPECTED =
  'Start the file with a line of column names, or declare how it starts under read: skip_lines, or header: false.';

/** The declared delimiter; or else all usual ones, first that of the format. */
function candidates(format: FileFormat, { delimiter }: FileReading): readonly string[] {
  if (delimiter !== undefined) return [delimiter];
  const own = FILE_FORMATS[format].delimiter ?? ',';
  return [own, ...[',', ';', '\t', '|'].filter((usual) => usual !== own)];
}

function splitLine(text: string, delimiter: string, quote: string): readonly string[] | undefined {
  try {
    const [values] = parse(text, {
      delimiter,
      quote: quote === '' ? null : quote,
      escape: quote === '' ? null : quote,
      trim: true,
    });
    return values ?? [];
  } catch {
    return undefined;
  }
}

function countKnown(values: readonly string[], columns: readonly ColumnName[]): number {
  return columns.filter((column) => columnIndexes(values, column).length > 0).length;
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

/** The columns of a file that a field may mean, from 0: several if the file repeats a name. */
export function columnIndexes(columns: readonly string[], column: ColumnName): readonly number[] {
  if (typeof column === 'number') return column <= columns.length ? [column - 1] : [];
  return columns.flatMap((name, index) => (name === column ? [index] : []));
}
