/** A record of a CSV file: its start, its end, and its first line. */
export type CsvRecord = {
  /** The number of the record, without the header; -1 for the header. */
  readonly number: number;
  readonly line: number;
  /** Offset of the first byte, and of the byte after its line break. */
  readonly start: number;
  readonly end: number;
  readonly lineBreak: LineBreak;
};

export type LineBreak = 'LF' | 'CRLF' | 'CR' | 'none';

/**
 * Scans the records of a CSV file like DuckDB, and finds the line of each. It is only used for the place of a
 * problem, because DuckDB counts records, and quoted values can have line breaks. Blank lines are not records,
 * but in a file with one column they are absent values.
 */
export async function* scanCsvRecords(
  chunks: AsyncIterable<Uint8Array>,
  dialect: CsvDialect,
): AsyncGenerator<CsvRecord> {
  let number = dialect.hasHeader ? -1 : 0;
  for await (const { isBlank, ...row } of scanCsvRows(chunks, dialect)) {
    if (isBlank && !(dialect.columnCount === 1 && row.lineBreak !== 'none')) continue;
    yield { number, ...row };
    number += 1;
  }
}

/** A record, or a blank line. */
type CsvRow = Omit<CsvRecord, 'number'> & { readonly isBlank: boolean };

/** Scans the rows of a CSV file: its records and blank lines. Together they have all bytes of the file. */
export async function* scanCsvRows(
  chunks: AsyncIterable<Uint8Array>,
  { delimiter, quote, firstLine }: CsvDialect,
): AsyncGenerator<CsvRow> {
  const delimiterByte = delimiter.charCodeAt(0);
  const quoteByte = quote === '' ? -1 : quote.charCodeAt(0);
  let state: 'start' | 'unquoted' | 'quoted' | 'after-quote' | 'after-space' = 'start';
  let offset = 0;
  let line = firstLine;
  let record = { start: 0, line };
  let isBlank = true;
  let pendingReturn = false;

  const finish = (end: number, lineBreak: LineBreak): CsvRow => {
    const finished = { ...record, end, lineBreak, isBlank };
    record = { start: end, line };
    isBlank = true;
    state = 'start';
    return finished;
  };

  for await (const chunk of chunks) {
    for (const byte of chunk) {
      if (pendingReturn) {
        pendingReturn = false;
        if (byte === LINE_FEED) {
          offset += 1;
          if (state === 'quoted') continue;
          yield finish(offset, 'CRLF');
          continue;
        }
        if (state !== 'quoted') {
          yield finish(offset, 'CR');
        }
      }
      offset += 1;
      if (byte === CARRIAGE_RETURN) {
        line += 1;
        pendingReturn = true;
      } else if (byte === LINE_FEED) {
        line += 1;
        if (state === 'quoted') continue;
        yield finish(offset, 'LF');
      } else {
        isBlank = false;
        switch (state) {
          case 'start':
            if (byte === quoteByte) state = 'quoted';
            else if (byte !== delimiterByte && byte !== SPACE) state = 'unquoted';
            break;
          case 'unquoted':
            if (byte === delimiterByte) state = 'start';
            break;
          case 'quoted':
            if (byte === quoteByte) state = 'after-quote';
            break;
          case 'after-quote':
          case 'after-space':
            if (byte === quoteByte) state = 'quoted';
            else if (byte === delimiterByte) state = 'start';
            else state = byte === SPACE ? 'after-space' : 'unquoted';
            break;
        }
      }
    }
  }
  if (pendingReturn && state !== 'quoted') {
    yield finish(offset, 'CR');
  }
  if (offset > record.start) yield finish(offset, 'none');
}

export type CsvDialect = {
  /** One ASCII character. */
  readonly delimiter: string;
  /** One ASCII character, or empty for none. */
  readonly quote: string;
  readonly columnCount: number;
  /** Whether the first record has the names of the columns. */
  readonly hasHeader: boolean;
  /** The number of the first line. */
  readonly firstLine: number;
};

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
