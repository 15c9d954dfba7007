import type { FieldType } from '../domain/field.ts';
import { metadataTexts, type TableMetadata } from '../domain/table-metadata.ts';
import type { TypedColumn } from '../domain/value-visitor.ts';
import { openTicks } from '../runtime/ticks.ts';
import { openArrowColumns } from './arrow-columns.ts';
import {
  type FlatPart,
  flatBuffer,
  flatList,
  flatPairs,
  flatTable,
  flatText,
} from './flat-buffer.ts';
import type { RecordLineFormat } from './record-lines.ts';

/**
 * A stream of Arrow (https://arrow.apache.org/docs/format/Columnar.html, "IPC Streaming Format"): its schema, a batch of
 * records for each piece, and the marker of the end, without which it is not complete. Text is Utf8, an integer Int64, a
 * float Float64, a date Date32 and a boolean Bool, as in Parquet; absent values are null.
 *
 * The libraries for JavaScript make an array of values for each column first. Here values are visited, and texts are
 * copied as bytes.
 */
export function arrowBatches({
  columns,
  metadata,
}: {
  readonly columns: readonly TypedColumn[];
  readonly metadata: TableMetadata;
}): RecordLineFormat {
  return {
    head: () => {
      const facts = Object.entries(metadataTexts(metadata));
      const schema = flatTable([
        { bytes: 2, value: LITTLE_ENDIAN },
        flatList(columns.map(schemaField)),
        flatList(facts.map(([key, value]) => flatTable([flatText(key), flatText(value)]))),
      ]);
      return message({ header: SCHEMA, of: schema, body: [] });
    },
    lines: async (_fields, { size, visit }) => {
      if (size === 0) return Buffer.alloc(0);
      const written = openArrowColumns(
        columns.map(({ type }) => type),
        size,
      );
      const ticks = openTicks();
      for (let index = 0; index < size; index += 1) {
        if (index % RECORDS_AT_ONCE === 0 && ticks.isOver()) await ticks.next();
        visit(index, written.visitor);
        written.endRecord();
      }
      const { absent, buffers } = written.finish();
      const places: [number, number][] = [];
      let end = 0;
      for (const { length } of buffers) {
        places.push([end, length]);
        end += padded(length);
      }
      const batch = flatTable([
        { bytes: 8, value: size },
        flatPairs(absent.map((count) => [size, count])),
        flatPairs(places),
      ]);
      return message({ header: RECORD_BATCH, of: batch, body: buffers });
    },
    tail: END,
  };
}

/** The number of records between two checks whether the tick is over. */
const RECORDS_AT_ONCE = 16;

const CONTINUATION = Buffer.from([0xff, 0xff, 0xff, 0xff]);
const END = Buffer.concat([CONTINUATION, Buffer.alloc(4)]);

/** Of `Schema.fbs` and `Message.fbs`. */
const LITTLE_ENDIAN = 0;
const VERSION_5 = 4;
const SCHEMA = 1;
const RECORD_BATCH = 3;

function schemaField({ name, type }: TypedColumn): FlatPart {
  const { kind, of } = ARROW_TYPES[type];
  return flatTable([
    flatText(name),
    { bytes: 1, value: 1 },
    { bytes: 1, value: kind },
    of,
    undefined,
    // Readers want the list, although it is empty.
    flatList([]),
  ]);
}

/** The number of each type in the union of types, and its table. */
const ARROW_TYPES: Readonly<Record<FieldType, { readonly kind: number; readonly of: FlatPart }>> = {
  string: { kind: 5, of: flatTable([]) },
  integer: {
    kind: 2,
    of: flatTable([
      { bytes: 4, value: 64 },
      { bytes: 1, value: 1 },
    ]),
  },
  float: { kind: 3, of: flatTable([{ bytes: 2, value: 2 }]) },
  boolean: { kind: 6, of: flatTable([]) },
  date: { kind: 8, of: flatTable([{ bytes: 2, value: 0 }]) },
};

/** The metadata and the body of a message, with what is around them. */
function message({
  header,
  of,
  body,
}: {
  readonly header: number;
  readonly of: FlatPart;
  readonly body: readonly Buffer[];
}): Buffer {
  const bodyBytes = body.reduce((sum, { length }) => sum + padded(length), 0);
  const metadata = flatBuffer(
    flatTable([
      { bytes: 2, value: VERSION_5 },
      { bytes: 1, value: header },
      of,
      { bytes: 8, value: bodyBytes },
    ]),
  );
  const size = Buffer.alloc(4);
  size.writeInt32LE(metadata.length);
  const parts = body.flatMap((buffer) => [
    buffer,
    Buffer.alloc(padded(buffer.length) - buffer.length),
  ]);
  return Buffer.concat([CONTINUATION, size, metadata, ...parts]);
}

/** Buffers begin at multiples of 8 bytes. */
function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}
