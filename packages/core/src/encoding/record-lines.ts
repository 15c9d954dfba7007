import { CSV_LINE_END, csvCell, csvLine, LONE_EMPTY_CELL } from '@locmetrics/contract/csv';
import type { LineFormat } from '../domain/line-format.ts';
import type { Value } from '../domain/value.ts';
import type {
  NamedColumn,
  ValueVisitor,
  ViewedBytes,
  VisitRecord,
} from '../domain/value-visitor.ts';
import { openTicks } from '../runtime/ticks.ts';
import { releaseBuffer } from './buffer-pool.ts';
import { type ByteWriter, openByteWriter, toPart } from './byte-writer.ts';
import { dayPart } from './day-part.ts';
import { jsonNames, openJsonValueWriter } from './records-json.ts';

/** A format whose records are written one after the other: lines of text, or blocks of bytes. */
export type RecordLineFormat = {
  /** The bytes before the first record. */
  readonly head: (fields: readonly NamedColumn[]) => Buffer;
  /** The lines of records, or their block. A pooled buffer (see `buffer-pool.ts`). `isFirst` if no records are before them. */
  readonly lines: (
    fields: readonly NamedColumn[],
    records: { readonly size: number; readonly visit: VisitRecord },
    isFirst: boolean,
  ) => Promise<Buffer>;
  /** After the last record: a text, or bytes that are none. */
  readonly tail: string | Buffer;
};

/** CSV with a header, as `contract/csv.ts` says. */
const CSV_LINES: RecordLineFormat = {
  head: (fields) => Buffer.from(csvLine(fields.map(({ name }) => name))),
  lines: (fields, records) =>
    writeLines(fields, records, (out) => {
      const visitor = repeatShared(openCellWriter(out), out);
      return (visit) => {
        const start = out.size();
        visit(visitor);
        if (out.size() === start) out.ascii(LONE_EMPTY_CELL);
        out.ascii(CSV_LINE_END);
      };
    }),
  tail: '',
};

/** A JSON object for each record, by the names of the fields: numbers and booleans as such, `null` if absent. */
const NDJSON_LINES: RecordLineFormat = {
  head: () => Buffer.alloc(0),
  lines: (fields, records) =>
    writeLines(fields, records, (out) => {
      const visitor = repeatShared(openJsonValueWriter(out, jsonNames(fields), true), out);
      return (visit) => {
        out.part(OPENING);
        visit(visitor);
        out.part(CLOSING);
      };
    }),
  tail: '',
};

export const LINE_FORMATS: Readonly<Record<LineFormat, RecordLineFormat>> = {
  csv: CSV_LINES,
  ndjson: NDJSON_LINES,
};

const OPENING = toPart('{');
const CLOSING = toPart('}\n');

/** A page as CSV. */
export async function encodeRecordsCsv(page: {
  readonly fields: readonly NamedColumn[];
  readonly size: number;
  readonly visit: VisitRecord;
}): Promise<Buffer> {
  const lines = await CSV_LINES.lines(page.fields, page, true);
  const csv = Buffer.concat([CSV_LINES.head(page.fields), lines]);
  releaseBuffer(lines);
  return csv;
}

type WriteLine = (visit: (visitor: ValueVisitor) => void) => void;

/** The lines of records, each written by what `openLine` returns. */
export async function writeLines(
  fields: readonly NamedColumn[],
  { size, visit }: { readonly size: number; readonly visit: VisitRecord },
  openLine: (out: ByteWriter) => WriteLine,
): Promise<Buffer> {
  const out = openByteWriter(size * fields.length * VALUE_BYTES);
  const writeLine = openLine(out);
  const ticks = openTicks();
  for (let index = 0; index < size; index += 1) {
    if (index % RECORDS_AT_ONCE === 0 && ticks.isOver()) await ticks.next();
    writeLine((visitor) => visit(index, visitor));
  }
  return out.end();
}

/** Writes the values that many records share once, and copies them for the others. */
export function repeatShared(visitor: ValueVisitor, out: ByteWriter): ValueVisitor {
  const written = new Map<number, Map<object, { readonly start: number; readonly end: number }>>();
  return {
    ...visitor,
    shared: (field, of, visit) => {
      const ofField = written.get(field) ?? new Map();
      written.set(field, ofField);
      const before = ofField.get(of);
      if (before !== undefined) {
        out.again(before.start, before.end);
        return;
      }
      const start = out.size();
      visit();
      ofField.set(of, { start, end: out.size() });
    },
  };
}

/** About the size of a value with what is around it. */
const VALUE_BYTES = 16;
/** The number of records between two checks whether the tick is over. */
const RECORDS_AT_ONCE = 16;

const COMMA = 0x2c;

/** Writes each value as a cell, after the comma before it. */
function openCellWriter(out: ByteWriter): ValueVisitor {
  const separate = (field: number): void => {
    if (field > 0) out.byte(COMMA);
  };
  return {
    text: (field, from, start, end) => {
      separate(field);
      if (isPlainCell(from, start, end)) out.range(from, start, end);
      else out.text(csvCell(from.bytes.toString('utf8', start, end)));
    },
    number: (field, value) => {
      separate(field);
      out.number(value);
    },
    day: (field, days) => {
      separate(field);
      out.part(dayPart(days));
    },
    value: (field, value: Value) => {
      separate(field);
      if (typeof value === 'string' && isShortPlain(value)) out.ascii(value);
      else out.text(csvCell(value));
    },
  };
}

/** Whether a text is surely its own cell: it starts with a letter or digit of ASCII, and needs no quotes. */
function isPlainCell({ bytes }: ViewedBytes, start: number, end: number): boolean {
  if (!isLetterOrDigit(bytes[start] ?? 0)) return false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === COMMA || byte === QUOTE || byte === LINE_FEED || byte === CARRIAGE_RETURN) {
      return false;
    }
  }
  return true;
}

/** The same of a text of few characters, all of ASCII. */
function isShortPlain(text: string): boolean {
  if (text.length > SHORT_MAX || !isLetterOrDigit(text.charCodeAt(0))) return false;
  for (let at = 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit >= 0x80 || unit === COMMA || unit === QUOTE) return false;
  }
  return true;
}

const SHORT_MAX = 32;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function isLetterOrDigit(byte: number): boolean {
  // With this bit, a letter of ASCII is in lower case.
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
