import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf, type ResultRow, textOf } from '@locmetrics/column-store/publish/result-row';
import { type Example, type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import { PROBLEMS_MAX, type ProblemCount } from '../problems/import-error.ts';
import { columnIndexes } from './csv-header.ts';
import { type CsvDialect, type CsvRecord, scanCsvRecords } from './csv-lines.ts';
import { readLineAt } from './line-of-offset.ts';
import type { FieldColumn } from './row-format.ts';
import type { SourceScan } from './scan-source-file.ts';
import { readBytes, type SourceFile } from './source-file.ts';
import { encodingHint, NOT_UTF8_REASON, notUtf8Reason } from './utf8-meter.ts';

/** Rejected lines are kept in memory until the file is read, so their number is limited. */
export const REJECTS_MAX = 1_000_000;

type Rejects = {
  readonly connection: ImportConnection;
  readonly file: SourceFile;
  readonly dialect: CsvDialect;
  readonly table: string;
};

/** How the rows of a CSV file are read. */
export type CsvReading = Rejects & {
  readonly columns: readonly string[];
  readonly fields: readonly FieldColumn[];
  readonly scan: SourceScan | undefined;
};

/** The rows of a CSV file that could not be split into the values of the columns. */
export async function findCsvRejects(options: CsvReading): Promise<FoundProblems> {
  const found = await findNotedRejects(options);
  const openRow = options.scan?.openRow;
  if (openRow === undefined) return found;
  // The open quote may contain other rows, and their number is not known.
  if (await hasRejectFrom(options, openRow)) return { ...found, isOfFile: true };
  const added = await openRowFound(options, openRow);
  return {
    ...found,
    examples: [...found.examples, ...added.examples],
    counts: [...found.counts, ...added.counts],
    isOfFile: true,
  };
}

async function findNotedRejects({
  columns,
  fields,
  scan,
  ...rejects
}: CsvReading): Promise<FoundProblems> {
  const { connection, file, table } = rejects;
  // Nearly always there are none, and this is the cheapest question.
  const [any] = await connection.list(`SELECT 1 AS any FROM ${table} LIMIT 1`);
  if (any === undefined) return { examples: [], counts: [] };
  const counted = await connection.list(
    `SELECT error_type, column_number, '' AS csv_line, count(*)::DOUBLE AS count,
        max(has_line_break) AS has_line_break FROM (${rejectedRecords(table)})
      GROUP BY ALL ORDER BY ALL`,
  );
  const listed = await connection.list(
    `SELECT * FROM (${rejectedRecords(table)})
      QUALIFY row_number() OVER (PARTITION BY error_type ORDER BY byte_offset) <= ${PROBLEMS_MAX}
      ORDER BY byte_offset`,
  );
  const records = await locateOffsets(
    rejects,
    listed.map((row) => numberOf(row, 'byte_offset')),
  );
  const total = counted.reduce((sum, row) => sum + numberOf(row, 'count'), 0);
  const kindOf = (row: ResultRow) => {
    const errorType = textOf(row, 'error_type');
    const { reason, hint } = describe(errorType, rejects);
    // Exports of some programs end the header with a delimiter, but not the rows.
    const isHeaderLonger = errorType === 'MISSING COLUMNS' && columns.at(-1) === '';
    const index = numberOf(row, 'column_number') - 1;
    const field = fields.find(({ source }) =>
      source.columns.some((column) => columnIndexes(columns, column).includes(index)),
    )?.field.name;
    const value = withoutLineBreaks(textOf(row, 'csv_line'));
    return {
      field: errorType === WRONG_ENCODING ? field : undefined,
      value: WITHOUT_LINE.includes(errorType) ? undefined : value,
      reason,
      hint: isHeaderLonger ? HEADER_LONGER_HINT : hint,
    };
  };
  return {
    examples: listed.map((row): Example => {
      const kind = kindOf(row);
      const record = records.get(numberOf(row, 'byte_offset'));
      const line = record?.line;
      const wrong = scan?.wrongBytes.find(
        ({ offset }) => record !== undefined && offset >= record.start && offset < record.end,
      );
      const known =
        kind.reason === NOT_UTF8_REASON && wrong !== undefined
          ? { reason: notUtf8Reason(wrong, file), hint: encodingHint(wrong) }
          : {};
      return {
        problem: { file: file.label, line, ...kind, ...known },
        countedReason: kind.reason,
        fileNumber: file.number,
        position: line ?? 0,
      };
    }),
    counts: counted.map((row): ProblemCount => {
      const { field, reason } = kindOf(row);
      return { field, reason, count: numberOf(row, 'count') };
    }),
    countsAreLowerBounds: total >= REJECTS_MAX,
    // An unclosed quote contains the lines after it, and the number of their rows is not known.
    isOfFile: counted.some((row) => row['has_line_break'] === 1),
  };
}

const WRONG_ENCODING = 'INVALID ENCODING';
const TOO_LONG = 'LINE SIZE OVER MAXIMUM';
/** Errors of which the line of the file is not shown. */
const WITHOUT_LINE: readonly string[] = [WRONG_ENCODING, TOO_LONG];

const HEADER_LONGER_HINT =
  'The header ends with a delimiter. If the rows do not, leave it out: read: { header: false, skip_lines: 1 }, and name columns by position: column: 1.';

/**
 * One row for each rejected record, although DuckDB can record several errors of one. The recorded position is
 * in the record or on its line break. For a line that is too long it is the first byte, or with CRLF the byte
 * before it, so the next byte is used.
 */
function rejectedRecords(table: string): string {
  return `SELECT
      min(byte_position)::DOUBLE
        - CASE WHEN first(error_type ORDER BY byte_position) LIKE 'LINE SIZE%' THEN 0 ELSE 1 END
        AS byte_offset,
      first(error_type ORDER BY byte_position)::VARCHAR AS error_type,
      coalesce(first(column_idx ORDER BY byte_position), 0)::DOUBLE AS column_number,
      left(first(csv_line ORDER BY byte_position), 1000) AS csv_line,
      max(CASE WHEN regexp_matches(trim(csv_line, chr(13) || chr(10)), '[\\r\\n]') THEN 1 ELSE 0 END)
        AS has_line_break
    FROM ${table} GROUP BY line_byte_position`;
}

async function hasRejectFrom({ connection, table }: Rejects, offset: number): Promise<boolean> {
  const rows = await connection.list(
    `SELECT 1 AS found FROM (${rejectedRecords(table)}) WHERE byte_offset >= ${offset} LIMIT 1`,
  );
  return rows.length > 0;
}

/** A row with an unclosed quote: with one thread the engine drops it without an error. */
async function openRowFound({ file, dialect }: Rejects, offset: number): Promise<FoundProblems> {
  const { reason, hint } = describe('UNQUOTED VALUE', { file, dialect });
  const { line, text } = await readLineAt(file, offset);
  const value = withoutLineBreaks(text);
  return fileProblem(file, { line, value, reason, hint });
}

/** A row without the line breaks before and after it. */
function withoutLineBreaks(text: string): string {
  return text.replace(/^[\r\n]+|[\r\n]+$/g, '');
}

/** The offsets of the rejected records in ascending order. Undefined if not all of them were kept. */
export async function listRejectOffsets({
  connection,
  table,
}: Rejects): Promise<readonly number[] | undefined> {
  const rows = await connection.list(
    `SELECT byte_offset FROM (${rejectedRecords(table)}) ORDER BY byte_offset`,
  );
  if (rows.length >= REJECTS_MAX) return undefined;
  return rows.map((row) => numberOf(row, 'byte_offset'));
}

/**
 * The records at byte offsets, with their lines. The engine finds the wrong records, but it numbers records and not lines:
 * a value with line breaks and blank lines before an error make its number wrong.
 */
async function locateOffsets(
  { file, dialect }: Rejects,
  offsets: readonly number[],
): Promise<ReadonlyMap<number, CsvRecord>> {
  const records = new Map<number, CsvRecord>();
  let next = 0;
  for await (const record of scanCsvRecords(readBytes(file), dialect)) {
    const { end } = record;
    for (let offset = offsets[next]; offset !== undefined && offset < end; offset = offsets[next]) {
      records.set(offset, record);
      next += 1;
    }
    if (next === offsets.length) break;
  }
  return records;
}

function describe(
  errorType: string,
  { file, dialect: { columnCount, hasHeader } }: Pick<Rejects, 'file' | 'dialect'>,
): { readonly reason: string; readonly hint: string } {
  const isSheet = file.rowOfLine !== undefined;
  const first = hasHeader ? 'header' : 'first row';
  const columns = columnCount === 1 ? '1 column' : `${columnCount} columns`;
  switch (errorType) {
    case 'MISSING COLUMNS':
      return {
        reason: `has fewer values than the ${first}, which has ${columns}`,
        hint: 'Write every delimiter. For an absent value, write nothing between the delimiters.',
      };
    case 'TOO MANY COLUMNS':
      return {
        reason: `has more values than the ${first}, which has ${columns}`,
        hint: isSheet
          ? 'A cell to the right of the header has a value: give its column a name. If another row has the names, correct read: { skip_lines }.'
          : 'Put quotes around values that contain the delimiter.',
      };
    case 'UNQUOTED VALUE':
      return {
        reason: 'has a quote that is not closed, or text after a closing quote',
        hint: 'Write a quote inside a quoted value twice.',
      };
    case WRONG_ENCODING:
      // The text of the line has question marks in place of invalid UTF-8, so it is not shown.
      return {
        reason: NOT_UTF8_REASON,
        hint: 'Declare the encoding of the file, such as read: { encoding: windows-1252 }.',
      };
    case TOO_LONG:
      return {
        reason: 'the row is too long',
        hint: 'The value may have an unclosed quote, which then includes the following lines.',
      };
    default:
      return {
        reason: `cannot be read as CSV (${errorType.toLowerCase()})`,
        hint: 'Check the delimiter and the quote in the manifest.',
      };
  }
}
