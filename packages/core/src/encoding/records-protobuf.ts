import { create, toBinary } from '@bufbuild/protobuf';
import { catalogV3 } from '@locmetrics/contract/grpc';
import type { Field } from '../domain/field.ts';
import { type Value, valueText } from '../domain/value.ts';
import type { ValueVisitor, VisitRecord } from '../domain/value-visitor.ts';
import { expectAt } from '../errors/expect-at.ts';
import { encodeBoundedPage, type RowWriter, writeEach } from './bounded-page.ts';
import { releaseBuffer } from './buffer-pool.ts';
import { type ByteWriter, openByteWriter, type Part, toPart } from './byte-writer.ts';
import { toFieldDefinition } from './data-reference.ts';
import { dayPart } from './day-part.ts';
import { encodeFields, fieldSize } from './encode-fields.ts';
import { costMember, type PageMembers } from './page-members.ts';
import type { RecordsPage } from './records-json.ts';

/** The framed bytes of a ListRecordsResponse, and how many of the rows are in it. */
export async function encodeRecordsMessage(page: RecordsPage) {
  const { fields, totalSize, version, nextPageToken } = page;
  const fieldDefinitions = fields.map(toFieldDefinition);
  const record = openByteWriter(RECORD_BYTES);
  try {
    return await encodeBoundedPage({
      rows: writeRecords(fields, page, record),
      rowField: catalogV3.ListRecordsResponseSchema.field.records.number,
      encodeRest: (sentRows) =>
        toBinary(
          catalogV3.ListRecordsResponseSchema,
          create(catalogV3.ListRecordsResponseSchema, {
            fieldDefinitions,
            nextPageToken: nextPageToken(sentRows),
            totalSize: BigInt(totalSize),
            version,
            ...costMember(page),
          }),
        ),
    });
  } finally {
    releaseBuffer(record.end());
  }
}

/** Longer records are rare. */
const RECORD_BYTES = 4096;

/** The framed bytes of a SearchFieldValuesResponse, and how many of the values are in it. */
export function encodeFieldValuesMessage(
  page: Omit<PageMembers, 'totalSize'> & {
    readonly field: Field;
    readonly values: readonly Value[];
    readonly totalSize: number | undefined;
  },
) {
  const { field, values, totalSize = 0, version, nextPageToken } = page;
  const fieldDefinition = toFieldDefinition(field);
  return encodeBoundedPage({
    rows: writeEach(values, (value) => Buffer.from(valueText(value))),
    rowField: catalogV3.SearchFieldValuesResponseSchema.field.values.number,
    encodeRest: (sentRows) =>
      toBinary(
        catalogV3.SearchFieldValuesResponseSchema,
        create(catalogV3.SearchFieldValuesResponseSchema, {
          fieldDefinition,
          nextPageToken: nextPageToken(sentRows),
          totalSize: BigInt(totalSize),
          version,
          ...costMember(page),
        }),
      ),
  });
}

/**
 * Records, whose values are texts: each entry of the map of a Record is a message of key (1) and value (2). A record is
 * written into a buffer of its own first, because its length comes before it.
 */
function writeRecords(
  fields: readonly Field[],
  { size, visit }: { readonly size: number; readonly visit: VisitRecord },
  record: ByteWriter,
): RowWriter {
  const visitor = openEntryWriter(
    record,
    fields.map(({ name }) => toPart(encodeFields([[KEY, name]]))),
  );
  return {
    size,
    start: (index) => {
      record.cut(0);
      visit(index, visitor);
      return record.size();
    },
    write: (out) => out.bytes(record.end()),
  };
}

const ENTRY = catalogV3.RecordSchema.field.fields.number;
const KEY = 1;
const VALUE = 2;

function openEntryWriter(out: ByteWriter, keys: readonly Part[]): ValueVisitor {
  /** Writes what is before a text of so many bytes. */
  const startField = (field: number, length: number): void => {
    const key = expectAt(keys, field);
    out.head(ENTRY, key.length + fieldSize(length));
    out.part(key);
    out.head(VALUE, length);
  };
  const writeAscii = (field: number, text: string): void => {
    startField(field, text.length);
    out.ascii(text);
  };
  return {
    text: (field, bytes, start, end) => {
      startField(field, end - start);
      out.range(bytes, start, end);
    },
    number: (field, value) => writeAscii(field, String(value)),
    day: (field, days) => {
      const text = dayPart(days);
      startField(field, text.length);
      out.part(text);
    },
    value: (field, value) => {
      if (typeof value !== 'string') {
        writeAscii(field, valueText(value));
        return;
      }
      startField(field, Buffer.byteLength(value));
      out.text(value);
    },
  };
}
