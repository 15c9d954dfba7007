import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { dayNumber } from '../dates/day-number.ts';
import type { FieldType } from '../domain/field.ts';
import { metadataTexts, type TableMetadata } from '../domain/table-metadata.ts';
import type { TypedColumn, ValueVisitor } from '../domain/value-visitor.ts';
import { releaseBuffer } from './buffer-pool.ts';
import { type ByteWriter, openByteWriter } from './byte-writer.ts';
import { type RecordLineFormat, repeatShared, writeLines } from './record-lines.ts';

/** The bytes of a sync marker. */
export const AVRO_MARKER_BYTES = 16;

/**
 * An Avro object container file (Avro 1.12, "Object Container Files"), whose records are in blocks that are compressed
 * with `deflate`, the only codec that every reader must have. Each value is a union with `null`. Names of the manifest
 * are names in Avro too.
 *
 * `marker` ends each block. It is random, so that nobody can write data that contains it. The libraries for Node encode
 * an object for each record; here, values are visited, and are never objects.
 */
export function avroBlocks(
  table: { readonly columns: readonly TypedColumn[]; readonly metadata: TableMetadata },
  marker: Uint8Array,
): RecordLineFormat {
  const types = table.columns.map(({ type }) => type);
  return {
    head: () => {
      const facts = {
        'avro.schema': JSON.stringify(avroSchema(table)),
        'avro.codec': 'deflate',
        ...metadataTexts(table.metadata),
      };
      const out = openByteWriter(HEAD_BYTES);
      out.bytes(MAGIC);
      // A map has blocks with their number of members; one of none is the last.
      out.long(Object.keys(facts).length);
      for (const [name, text] of Object.entries(facts)) {
        writeText(out, name);
        writeText(out, text);
      }
      out.long(0);
      out.bytes(marker);
      const written = out.end();
      const head = Buffer.from(written);
      releaseBuffer(written);
      return head;
    },
    lines: async (fields, records) => {
      if (records.size === 0) return Buffer.alloc(0);
      const written = await writeLines(fields, records, (out) => {
        const visitor = repeatShared(openValueWriter(out, types), out);
        return (visit) => visit(visitor);
      });
      try {
        const block = await compress(written);
        const out = openByteWriter(block.length + HEAD_BYTES);
        out.long(records.size);
        out.long(block.length);
        out.bytes(block);
        out.bytes(marker);
        return out.end();
      } finally {
        releaseBuffer(written);
      }
    },
    tail: '',
  };
}

const compress = promisify(deflateRaw);
const MAGIC = Buffer.from('Obj\u0001');
const HEAD_BYTES = 64;

function avroSchema({
  columns,
  metadata: { source },
}: {
  readonly columns: readonly TypedColumn[];
  readonly metadata: Pick<TableMetadata, 'source'>;
}) {
  const name = 'dataset' in source ? source.dataset : source.metric.replace('/', '.');
  return {
    type: 'record',
    name,
    fields: columns.map((column) => ({
      name: column.name,
      type: ['null', AVRO_TYPES[column.type]],
      default: null,
    })),
  };
}

/** The types of values that are present. */
const AVRO_TYPES: Readonly<Record<FieldType, string | object>> = {
  string: 'string',
  integer: 'long',
  float: 'double',
  boolean: 'boolean',
  date: { type: 'int', logicalType: 'date' },
};

/** The places of the types in the union of a value, as a long. */
const ABSENT = 0;
const PRESENT = 2;

function openValueWriter(out: ByteWriter, types: readonly FieldType[]): ValueVisitor {
  const writeNumber = (field: number, value: number): void => {
    out.byte(PRESENT);
    if (types[field] === 'float') out.double(value);
    else out.long(value);
  };
  return {
    text: (_field, bytes, start, end) => {
      out.byte(PRESENT);
      out.long(end - start);
      out.range(bytes, start, end);
    },
    number: writeNumber,
    day: (_field, days) => {
      out.byte(PRESENT);
      out.long(days);
    },
    value: (field, value) => {
      if (value === null) {
        out.byte(ABSENT);
        return;
      }
      if (typeof value === 'number') {
        writeNumber(field, value);
        return;
      }
      out.byte(PRESENT);
      if (typeof value === 'bigint') out.long(value);
      else if (typeof value === 'boolean') out.byte(value ? 1 : 0);
      else if (types[field] === 'date') out.long(dayNumber(value));
      else writeText(out, value);
    },
  };
}

function writeText(out: ByteWriter, text: string): void {
  out.long(Buffer.byteLength(text));
  out.text(text);
}
