import { WireType } from '@bufbuild/protobuf/wire';
import { FLOAT_FIELD_SIZE, writeHead, writeVarint } from './encode-fields.ts';
import { giveBackSlab, takeSlab } from './slabs.ts';

/** Assembles bytes from texts, numbers, and parts that are bytes already, in one growing buffer. */
export type ByteWriter = {
  readonly text: (text: string) => void;
  /** A short text of ASCII characters only, such as a number. */
  readonly ascii: (text: string) => void;
  /** The decimal text of a whole number from -2^31 to 2^31 - 1. */
  readonly integer: (value: number) => void;
  readonly bytes: (bytes: Uint8Array) => void;
  /** The tag and the length before the content of a field of protobuf, whose number is from 1 to 15. */
  readonly head: (number: number, length: number) => void;
  /** A field of protobuf with a whole number from 0 to 2^53 - 1. */
  readonly varint: (number: number, value: number) => void;
  /** A float field of protobuf; a number out of range becomes infinite. */
  readonly float: (number: number, value: number) => void;
  /** How many bytes were written. */
  readonly size: () => number;
  /** Drops all after so many bytes. */
  readonly cut: (size: number) => void;
  /** All that was written, in a slab (see `slabs.ts`). The writer must not be used any more. */
  readonly end: () => Buffer;
};

/** The most bytes of a UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT_MAX = 3;
const INTEGER_BYTES_MAX = 11;
/** A tag and a number below 2^53. */
const VARINT_BYTES_MAX = 9;
const ZERO = 0x30;
const MINUS = 0x2d;

export function openByteWriter(expectedBytes: number): ByteWriter {
  let buffer = takeSlab(expectedBytes);
  let at = 0;
  const need = (more: number): void => {
    if (at + more <= buffer.length) return;
    const larger = takeSlab(Math.max(buffer.length * 2, at + more));
    buffer.copy(larger, 0, 0, at);
    giveBackSlab(buffer);
    buffer = larger;
  };
  return {
    text: (text) => {
      need(text.length * BYTES_PER_UNIT_MAX);
      at += buffer.write(text, at);
    },
    ascii: (text) => {
      need(text.length);
      for (let index = 0; index < text.length; index += 1) buffer[at++] = text.charCodeAt(index);
    },
    integer: (value) => {
      need(INTEGER_BYTES_MAX);
      let rest = value < 0 ? -value : value;
      if (value < 0) buffer[at++] = MINUS;
      let end = at + 1;
      for (let left = rest; left >= 10; left = Math.floor(left / 10)) end += 1;
      at = end;
      do {
        const tens = Math.floor(rest / 10);
        buffer[--end] = ZERO + rest - tens * 10;
        rest = tens;
      } while (rest > 0);
    },
    bytes: (bytes) => {
      need(bytes.length);
      buffer.set(bytes, at);
      at += bytes.length;
    },
    head: (number, length) => {
      need(VARINT_BYTES_MAX);
      at = writeHead(buffer, at, number, length);
    },
    varint: (number, value) => {
      need(VARINT_BYTES_MAX);
      buffer[at] = number * 8 + WireType.Varint;
      at = writeVarint(buffer, at + 1, value);
    },
    float: (number, value) => {
      need(FLOAT_FIELD_SIZE);
      buffer[at] = number * 8 + WireType.Bit32;
      at = buffer.writeFloatLE(value, at + 1);
    },
    size: () => at,
    cut: (size) => {
      at = size;
    },
    end: () => buffer.subarray(0, at),
  };
}
