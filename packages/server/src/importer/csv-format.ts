import type { DatasetSource } from '../catalog/manifest.ts';
import { readCsvHeader } from './csv-header.ts';
import { type CsvDialect, type CsvRecord, scanCsvRecords } from './csv-lines.ts';
import { findLongLines } from './csv-long-lines.ts';
import { findCsvRejects, listRejectOffsets, REJECTS_MAX } from './csv-rejects.ts';
import { readText } from './field-reading.ts';
import { type FoundProblems, foundProblem } from './found-problems.ts';
import type { ImportConnection } from './import-connection.ts';
import type { FieldColumn, OpenedRows, RowFormat, RowPlace, RowSelection } from './row-format.ts';
import { readBytes, type SourceFile } from './source-file.ts';

/**
 * CSV and TSV with a header, in UTF-8. Nothing is guessed: the dialect is the manifest's, every
 * column is text, and only the empty text is absent, whether quoted or not.
 */
export const csvFormat: RowFormat = {
  columnsVary: false,
  open: async ({ connection, source, file }) => {
    if (!isAscii(source.delimiter) || !isAscii(source.quote)) {
      return {
        found: foundProblem(file.number, {
          file: file.label,
          reason: 'has a delimiter or a quote that is not an ASCII character',
          hint: 'Use one such as , ; | or " in the manifest and in the file.',
        }),
      };
    }
    const header = await readCsvHeader(file, source);
    if ('problem' in header) return { found: foundProblem(file.number, header.problem) };
    return { rows: openedRows(connection, source, file, header.columns) };
  },
};

function isAscii(text: string): boolean {
  return [...text].every((character) => character < '\u0080');
}

function openedRows(
  connection: ImportConnection,
  source: DatasetSource,
  file: SourceFile,
  columns: readonly string[],
): OpenedRows {
  const { delimiter, quote } = source;
  const dialect: CsvDialect = { delimiter, quote, columnCount: columns.length };
  const rejects = { connection, file, dialect, table: `rejects_${file.number}` };
  let fields: readonly FieldColumn[] = [];
  return {
    file,
    columns,
    specialColumns: [],
    select: (selected) => {
      fields = selected;
      return { selection: select(source, file, columns, rejects.table, selected) };
    },
    findRejects: async () =>
      (await findLongLines(file, dialect, LINE_BYTES_MAX)) ??
      findCsvRejects({ ...rejects, columns, fields }),
    explainFailure: (error) => explainFailure(file, dialect, error),
    locate: async (rows) => locate(file, dialect, rows, await listRejectOffsets(rejects)),
  };
}

/**
 * A line longer than this is refused. A limit there must be, since a quote that is not closed takes
 * the rest of the file into one value; it is the largest object of the other text formats too.
 */
const LINE_BYTES_MAX = 16 * 2 ** 20;
const BUFFER_BYTES = 2 * LINE_BYTES_MAX;

function select(
  source: DatasetSource,
  file: SourceFile,
  columns: readonly string[],
  rejectsTable: string,
  fields: readonly FieldColumn[],
): RowSelection {
  const types = columns.map((_, index) => `column_${index}: 'VARCHAR'`).join(', ');
  const raw = fields.map(
    ({ column }, index) => `column_${columns.indexOf(column)} AS raw_${index}`,
  );
  return {
    query: `SELECT ${raw.join(', ')} FROM read_csv($path, auto_detect = false, header = true,
      delim = $delimiter, quote = $quote, escape = $quote, columns = {${types}}, nullstr = '',
      strict_mode = true, max_line_size = ${LINE_BYTES_MAX}, buffer_size = ${BUFFER_BYTES},
      compression = '${file.isGzip ? 'gzip' : 'none'}', hive_partitioning = false,
      store_rejects = true, rejects_limit = ${REJECTS_MAX}, rejects_table = '${rejectsTable}',
      rejects_scan = '${rejectsTable}_scan')`,
    parameters: { path: file.path, delimiter: source.delimiter, quote: source.quote },
    readings: fields.map(({ field }, index) => readText(field.type, `raw_${index}`)),
  };
}

/**
 * DuckDB gives up, instead of rejecting a line, where lines end differently. A line break is what
 * the header ends with, so the first record that ends otherwise is where it is wrong.
 */
async function explainFailure(
  file: SourceFile,
  dialect: CsvDialect,
  error: Error,
): Promise<FoundProblems> {
  let header: CsvRecord | undefined;
  for await (const record of scanCsvRecords(readBytes(file), dialect)) {
    header ??= record;
    if (record.lineBreak !== header.lineBreak && record.lineBreak !== 'none') {
      return foundProblem(file.number, {
        file: file.label,
        line: record.line,
        reason: `the line ends with ${record.lineBreak}, but the header with ${header.lineBreak}`,
        hint: 'End all lines alike, and put quotes around values with line breaks.',
      });
    }
  }
  return foundProblem(file.number, {
    file: file.label,
    reason: `cannot be read as CSV (${error.message.split('\n')[0]})`,
    hint: 'See to the delimiter and the quote in the manifest.',
  });
}

/** The lines of rows by their number, which does not count the rejected records. */
async function locate(
  file: SourceFile,
  dialect: CsvDialect,
  rows: readonly number[],
  rejectOffsets: readonly number[] | undefined,
): Promise<ReadonlyMap<number, RowPlace>> {
  const places = new Map<number, RowPlace>();
  // With more rejects than were kept nobody knows which records the rows are.
  if (rejectOffsets === undefined) return places;
  const wanted = new Set(rows);
  let row = 0;
  let reject = 0;
  for await (const { number, line, end } of scanCsvRecords(readBytes(file), dialect)) {
    if (number < 0) continue;
    const firstReject = reject;
    while ((rejectOffsets[reject] ?? Number.POSITIVE_INFINITY) < end) reject += 1;
    if (reject > firstReject) continue;
    if (wanted.has(row)) places.set(row, { line });
    if (places.size === wanted.size) break;
    row += 1;
  }
  return places;
}
