import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** A field of the wire type LEN (protobuf encoding): its number, from 1 to 15, and its content. */
export type EncodedField = readonly [number: number, content: Uint8Array];

/**
 * The bytes of a message with these fields, in this order. A page has tens of thousands of small messages;
 * the general writer of the library takes three times as long for them.
 */
export function encodeFields(fields: readonly EncodedField[]): Buffer {
  let size = 0;
  for (const [, content] of fields) size += headSize(content.length) + content.length;
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [number, content] of fields) {
    at = writeHead(bytes, at, number, content.length);
    bytes.set(content, at);
    at += content.length;
  }
  return bytes;
}

/** Text fields; an empty text is omitted, because absent means empty. */
export function textFields(texts: readonly (readonly [number: number, text: string])[]) {
  const fields: EncodedField[] = [];
  for (const [number, text] of texts) if (text !== '') fields.push([number, Buffer.from(text)]);
  return fields;
}

/** The tag and the length before the content of a field. */
export function encodeHead(number: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(headSize(length));
  writeHead(head, 0, number, length);
  return head;
}

/** The bytes of an int64 field, including its number. */
export function encodeInt64(number: number, value: bigint): Uint8Array {
  // The library writes numbers that are negative or not exact as a double.
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    return new BinaryWriter().tag(number, WireType.Varint).int64(value).finish();
  }
  const count = Number(value);
  const bytes = Buffer.allocUnsafe(1 + varintSize(count));
  bytes[0] = number * 8 + WireType.Varint;
  writeVarint(bytes, 1, count);
  return bytes;
}

/** The bytes of a float field; a number out of range becomes infinite. */
export function encodeFloat(number: number, value: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(5);
  bytes[0] = number * 8 + WireType.Bit32;
  bytes.writeFloatLE(value, 1);
  return bytes;
}

function headSize(length: number): number {
  return 1 + varintSize(length);
}

function writeHead(bytes: Buffer, at: number, number: number, length: number): number {
  bytes[at] = number * 8 + WireType.LengthDelimited;
  return writeVarint(bytes, at + 1, length);
}

/** Seven bits a byte, the lowest first; all but the last byte have the highest bit set. */
function writeVarint(bytes: Buffer, start: number, value: number): number {
  let [at, rest] = [start, value];
  while (rest > 127) {
    bytes[at] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size += 1;
  return size;
}
