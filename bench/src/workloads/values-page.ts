import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { catalogV1 } from '@locmetrics/contract/grpc';

/*
 * A page of metric values in the bytes of its message, of which only the outer fields are looked at: decoding all
 * values would take longer than receiving them.
 */

/** The call for metric values over gRPC. */
export const METHOD = catalogV1.QueryService.method.searchMetricValues;
export const CALL = `/${METHOD.parent.typeName}/${METHOD.name}`;

const VALUES = METHOD.output.field.values.number;
const TOKEN = METHOD.output.field.nextPageToken.number;

export function countValues(page: Uint8Array): number {
  let count = 0;
  eachField(page, ({ number }) => {
    if (number === VALUES) count += 1;
  });
  return count;
}

/** The bytes of the token of the next page, which share memory with the page; none on the last one. */
export function tokenOf(page: Uint8Array): Uint8Array {
  let token: Uint8Array = new Uint8Array();
  eachField(page, ({ number, end, length }) => {
    if (number === TOKEN) token = page.subarray(end - length, end);
  });
  return token;
}

/** A page with the first values of another one, and all else but the token. */
export function lastPageOf(page: Uint8Array, size: number): Buffer {
  const kept: Uint8Array[] = [];
  let values = 0;
  eachField(page, ({ number, start, end }) => {
    if (number === VALUES) values += 1;
    if (number === TOKEN || (number === VALUES && values > size)) return;
    kept.push(page.subarray(start, end));
  });
  return Buffer.concat(kept);
}

/** The place of a field in a message, and the length of its content, which is at its end. */
type FieldPlace = {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly length: number;
};

function eachField(message: Uint8Array, found: (place: FieldPlace) => void): void {
  const reader = new BinaryReader(message);
  while (reader.pos < message.length) {
    const start = reader.pos;
    const [number, type] = reader.tag();
    let length = 0;
    if (type === WireType.LengthDelimited) {
      length = reader.uint32();
      reader.pos += length;
    } else reader.skip(type, number);
    found({ number, start, end: reader.pos, length });
  }
}
