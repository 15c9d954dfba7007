import { engineReason } from '@locmetrics/column-store/publish/engine-error';
import { type FoundProblems, fileProblem, foundProblem } from '../problems/found-problems.ts';
import { type CsvHeader, columnIndexes, readCsvHeader } from './csv-header.ts';
import { type CsvDialect, scanCsvRecords } from './csv-lines.ts';
import { type CsvReading, findCsvRejects, listRejectOffsets, REJECTS_MAX } from './csv-rejects.ts';
import { compareLineEnds, evenLineEnds, type LineEnds } from './even-line-ends.ts';
import type { FieldColumn, OpenedRows, RowFormat, RowPlace, RowSelection } from './row-format.ts';
import { ROW_BYTES_MAX, type SourceScan, scanSourceFile } from './scan-source-file.ts';
import { describeOriginal, writeText } from './source-copy.ts';
import { readBytes, type SourceFile } from './source-file.ts';
import { textFields } from './text-fields.ts';
import { encodingHint, notUtf8Reason, type WrongByte } from './utf8-meter.ts';
import { readValue } from './value-reading.ts';

/**
 * CSV and TSV in UTF-8. Only the delimiter is found in the file if the manifest does not have it: every column is
 * text, and only an empty text and those that the manifest names are absent, quoted or not.
 */
export const csvFormat: RowFormat = {
  columnsVary: false,
  open: async ({ connection, source, file, limits }) => {
    const { delimiter: declared = ',', quote } = source.reading;
    if (!isAscii(declared) || !isAscii(quote)) {
      return {
        found: fileProblem(file, {
          reason: 'has a delimiter or a quote that is not an ASCII character',
          hint: 'Use one such as , ; | or " in the manifest and in the file.',
        }),
      };
    }
    const read = await readCsvHeader(file, source);
    if ('problem' in read) return { found: foundProblem(file.number, read.problem) };
    return { rows: openedRows({ connection, source, file, limits, header: read.header }) };
  },
};

function isAscii(text: string): boolean {
  return [...text].every((character) => character < '\u0080');
}

function openedRows({
  connection,
  source,
  file,
  limits,
  header: { columns, delimiter },
}: OpenContext & { readonly header: CsvHeader }): OpenedRows {
  const { quote, hasHeader } = source.reading;
  const columnCount = columns.length;
  const dialect = { delimiter, quote, columnCount, hasHeader, firstLine: file.firstLine };
  return rowsOf({ connection, source, file, limits, columns, dialect, isEven: false });
}

type OpenContext = Pick<
  Parameters<RowFormat['open']>[0],
  'connection' | 'source' | 'file' | 'limits'
>;

function rowsOf(
  context: OpenContext & {
    readonly columns: readonly string[];
    readonly dialect: CsvDialect;
    /** Whether the file is the copy in which all rows end in the same way. */
    readonly isEven: boolean;
  },
): OpenedRows {
  const { connection, source, file, limits, columns, dialect, isEven } = context;
  const { nulls } = source.reading;
  const table = `rejects_${file.number}${isEven ? '_even' : ''}`;
  const rejects = { connection, file, dialect, table };
  let fields: readonly FieldColumn[] = [];
  let scan: SourceScan | undefined;
  return {
    file,
    columns,
    specialColumns: [],
    scan: async () => {
      const scanned = await scanSourceFile(file, dialect, limits);
      if ('scan' in scanned) scan = scanned.scan;
      return scanned;
    },
    select: (selected) => {
      fields = selected;
      return {
        selection: select({ file, dialect, nulls, columns, table: rejects.table, fields, scan }),
      };
    },
    selectTexts: (indexes) => {
      fields = textFields(
        indexes.map((index) => index + 1),
        (position) => columns[Number(position) - 1] || `column ${position}`,
      );
      const options = { file, dialect, nulls, columns, table: rejects.table, fields, scan };
      const { query, parameters, readings } = select(options);
      return { query, parameters, texts: readings.map(({ shown }) => shown) };
    },
    findRejects: () => findCsvRejects({ ...rejects, columns, fields, scan }),
    readEven: async (folder) => {
      const ends = isEven ? undefined : await compareLineEnds(file, dialect);
      if (ends === undefined || ends.hasReturn) return undefined;
      const even = rowsOf({
        ...context,
        file: {
          ...file,
          ...(await writeText(evenLineEnds(file, dialect), folder)),
          isGzip: false,
          original: file.original ?? (await describeOriginal(file)),
          notices: [
            ...file.notices,
            `${file.label}: rows end with ${ends.first}, and from line ${ends.line.toLocaleString('en-US')} on some end with ${ends.other}. Both are read as the end of a row.`,
          ],
        },
        isEven: true,
      });
      await even.scan();
      return even;
    },
    explainFailure: (error) => explainFailure(file, dialect, scan?.wrongBytes ?? [], error),
    locate: async (rows) => locate(file, dialect, rows, await listRejectOffsets(rejects)),
  };
}

/** Room for the largest row and the next one, so that the engine finds the end of each in its buffer. */
const BUFFER_BYTES = 2 * ROW_BYTES_MAX;

/**
 * The query avoids two bugs of the engine. Both workarounds are slow, so they apply only to affected files:
 *
 * - The engine reads only the columns that fields use, and has an internal error at a byte that is not UTF-8:
 *   it confuses the number of the column in the file with its number among the read columns. So all columns of
 *   a file with such a byte are read.
 * - Its threads start in the middle of a file and search the start of a row there. A quote inside an unquoted
 *   value misleads them, and a row is lost without an error. So a file with such a quote is read by one thread.
 */
function select({
  file,
  dialect,
  nulls,
  columns,
  table,
  fields,
  scan,
}: Omit<CsvReading, 'connection'> & { readonly nulls: readonly string[] }): RowSelection {
  const types = columns.map((_, index) => `column_${index}: 'VARCHAR'`).join(', ');
  const used = fields.map(({ source }) =>
    source.columns.map((column) => columnIndexes(columns, column)[0] ?? 0),
  );
  const raw = [...new Set(used.flat())].map(
    (index) => `${withNulls(`column_${index}`, nulls)} AS raw_${index}`,
  );
  const all = columns.map((_, index) => `column_${index}`).join(', ');
  const condition = scan?.wrongBytes.length === 0 ? '' : `WHERE hash(${all}) IS NOT NULL`;
  return {
    query: `SELECT ${raw.join(', ')} FROM read_csv($path, auto_detect = false, header = ${dialect.hasHeader},
      delim = $delimiter, quote = $quote, escape = $quote, columns = {${types}}, nullstr = '',
      strict_mode = true, max_line_size = ${ROW_BYTES_MAX}, buffer_size = ${BUFFER_BYTES},
      compression = '${file.isGzip ? 'gzip' : 'none'}', hive_partitioning = false,
      store_rejects = true, rejects_limit = ${REJECTS_MAX}, rejects_table = '${table}',
      rejects_scan = '${table}_scan', parallel = ${scan?.hasStrayQuote === false}) ${condition}`,
    parameters: {
      path: file.path,
      delimiter: dialect.delimiter,
      quote: dialect.quote,
      ...Object.fromEntries(nulls.map((text, index) => [`null_${index}`, text])),
    },
    readings: fields.map((field, index) =>
      readValue(
        field,
        (used[index] ?? []).map((column) => `raw_${column}`),
        String(index),
      ),
    ),
  };
}

/** A column with NULL for the texts that mean it. Spaces around them do not count. */
function withNulls(column: string, nulls: readonly string[]): string {
  if (nulls.length === 0) return column;
  const texts = nulls.map((_, index) => `$null_${index}`).join(', ');
  return `CASE WHEN trim(${column}) IN (${texts}) THEN NULL ELSE ${column} END`;
}

/** Finds, with our own reader, the reason why the engine failed instead of rejecting a row. */
async function explainFailure(
  file: SourceFile,
  dialect: CsvDialect,
  wrongBytes: readonly WrongByte[],
  error: Error,
): Promise<FoundProblems> {
  const [wrong] = wrongBytes;
  for await (const { line, end } of scanCsvRecords(readBytes(file), dialect)) {
    if (wrong === undefined) break;
    if (wrong.offset >= end) continue;
    return fileProblem(file, {
      line,
      reason: notUtf8Reason(wrong, file),
      hint: encodingHint(wrong),
    });
  }
  // The engine assumes that all lines end like the first one.
  const ends = await compareLineEnds(file, dialect);
  if (ends !== undefined) {
    return fileProblem(file, {
      line: ends.line,
      reason: endsText(ends, dialect),
      hint: 'End all lines in the same way, and put quotes around values with line breaks.',
    });
  }
  return fileProblem(file, {
    reason: `cannot be read as CSV (${engineReason(error)})`,
    hint: 'Check the delimiter and the quote in the manifest.',
  });
}

function endsText({ first, other }: LineEnds, { hasHeader }: CsvDialect): string {
  return `the line ends with ${other}, but the ${hasHeader ? 'header' : 'first row'} with ${first}`;
}

/** The lines of rows by their number, which does not count the rejected records. */
async function locate(
  file: SourceFile,
  dialect: CsvDialect,
  rows: readonly number[],
  rejectOffsets: readonly number[] | undefined,
): Promise<ReadonlyMap<number, RowPlace>> {
  const places = new Map<number, RowPlace>();
  // If there are more rejects than were kept, the records of the rows are not known.
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
