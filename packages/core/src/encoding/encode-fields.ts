import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/**
 * A field of the wire type LEN (protobuf encoding): its number, from 1 to 15, and its content.
 *
 * A page has tens of thousands of small messages in few forms. The library's writer, which encodes everything else,
 * takes three times as long for them. Tests parse them with the library.
 */
export type EncodedField = readonly [number: number, content: Uint8Array | string];

/** The bytes of a message with these fields, in this order. */
export function encodeFields(fields: readonly EncodedField[]): Buffer {
  let size = 0;
  for (const [, content] of fields) size += fieldSize(sizeOf(content));
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [number, content] of fields) {
    const length = sizeOf(content);
    at = writeHead(bytes, at, number, length);
    if (typeof content === 'string') writeText(bytes, at, content, length);
    else bytes.set(content, at);
    at += length;
  }
  return bytes;
}

/** Most texts are shorter; for them a call of Node's encoder takes longer than their bytes. */
const SHORT_TEXT_MAX = 32;

function sizeOf(content: Uint8Array | string): number {
  if (typeof content !== 'string') return content.length;
  return content.length <= SHORT_TEXT_MAX && isAscii(content)
    ? content.length
    : Buffer.byteLength(content);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 127) return false;
  }
  return true;
}

function writeText(bytes: Buffer, at: number, text: string, length: number): void {
  // Only ASCII has as many bytes as code units.
  if (length > SHORT_TEXT_MAX || length !== text.length) bytes.write(text, at);
  else for (let index = 0; index < length; index += 1) bytes[at + index] = text.charCodeAt(index);
}

/** Text fields; an empty text is omitted, because absent means empty. */
export function textFields(fields: readonly (readonly [number: number, text: string])[]) {
  return fields.filter(([, text]) => text !== '');
}

/** The bytes of an int64 field, including its number. */
export function encodeInt64(number: number, value: bigint): Uint8Array {
  // The library writes numbers that are negative or not exact as a double.
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    return new BinaryWriter().tag(number, WireType.Varint).int64(value).finish();
  }
  const count = Number(value);
  const bytes = Buffer.allocUnsafe(varintFieldSize(count));
  bytes[0] = number * 8 + WireType.Varint;
  writeVarint(bytes, 1, count);
  return bytes;
}

/** The bytes of a float field. */
export const FLOAT_FIELD_SIZE = 5;

/** The bytes of a field of the wire type LEN with a content of so many bytes. */
export function fieldSize(length: number): number {
  return varintFieldSize(length) + length;
}

/** The bytes of a field with a whole number from 0 to 2^53 - 1. */
export function varintFieldSize(value: number): number {
  let size = 2;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** Writes the tag and the length before the content of a field; returns where that begins. */
export function writeHead(bytes: Buffer, at: number, number: number, length: number): number {
  bytes[at] = number * 8 + WireType.LengthDelimited;
  return writeVarint(bytes, at + 1, length);
}

/**
 * Writes a whole number from 0 to 2^53 - 1: seven bits a byte, the lowest first; all but the last byte have the highest
 * bit set. Returns where it ends.
 */
export function writeVarint(bytes: Buffer, start: number, value: number): number {
  let [at, rest] = [start, value];
  while (rest > 127) {
    bytes[at] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
}
