import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { catalogV3 } from '@locmetrics/contract/grpc';
import type { Field } from '../domain/field.ts';
import { type Value, valueText } from '../domain/value.ts';
import { encodeBoundedPage, writeEach } from './bounded-page.ts';
import { costMember } from './cost-rows.ts';
import { toFieldDefinition } from './data-reference.ts';

/** A page from the service; the token of the next page depends on the number of sent rows. */
type Page = {
  readonly version: string;
  readonly costRows?: number;
  readonly nextPageToken: (sentRows: number) => string;
};

/** The framed bytes of a ListRecordsResponse, and how many of the rows are in it. */
export function encodeRecordsMessage(
  page: Page & {
    readonly fields: readonly Field[];
    readonly rows: readonly (readonly Value[])[];
    readonly totalSize: number;
  },
) {
  const { fields, rows, totalSize, version, nextPageToken } = page;
  const fieldDefinitions = fields.map(toFieldDefinition);
  const names = fields.map(({ name }) => name);
  return encodeBoundedPage({
    rows: writeEach(rows, (row) => encodeRecord(names, row)),
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
}

/** The framed bytes of a SearchFieldValuesResponse, and how many of the values are in it. */
export function encodeFieldValuesMessage(
  page: Page & {
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
 * A Record: each entry of its map is a message of key (1) and value (2). It is written directly, because
 * building the message first takes twice as long.
 */
function encodeRecord(names: readonly string[], row: readonly Value[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [index, name] of names.entries()) {
    writer
      .tag(catalogV3.RecordSchema.field.fields.number, WireType.LengthDelimited)
      .fork()
      .tag(1, WireType.LengthDelimited)
      .string(name)
      .tag(2, WireType.LengthDelimited)
      .string(valueText(row[index] ?? null))
      .join();
  }
  return writer.finish();
}
