import { WireType } from '@bufbuild/protobuf/wire';
import { type ViewedBytes, viewBytes } from '../domain/value-visitor.ts';
import { LONG_BYTES_MAX, writeLong } from './avro-long.ts';
import { acquireBuffer, releaseBuffer } from './buffer-pool.ts';
import { FLOAT_FIELD_SIZE, writeHead, writeVarint } from './encode-fields.ts';

/** Assembles bytes from texts, numbers, and parts that are bytes already, in one growing buffer. */
export type ByteWriter = {
  readonly text: (text: string) => void;
  /** A short text of ASCII characters only, such as a number. */
  readonly ascii: (text: string) => void;
  /** The decimal text of a whole number from -2^31 to 2^31 - 1. */
  readonly integer: (value: number) => void;
  /** The shortest decimal text of a number, as `String` gives it. */
  readonly number: (value: number) => void;
  readonly byte: (byte: number) => void;
  readonly bytes: (bytes: Uint8Array) => void;
  readonly part: (part: Part) => void;
  /** The bytes from `start` to `end`, if they are few: a loop is faster for them than a call of `bytes`. */
  readonly range: (bytes: ViewedBytes, start: number, end: number) => void;
  /** A JSON text: `before`, which ends with its first quote, the text, and the last quote. */
  readonly jsonText: (before: Part, text: string) => void;
  /** The same of a text in UTF-8, from `start` to `end` in `bytes`. */
  readonly jsonPart: (before: Part, bytes: ViewedBytes, start: number, end: number) => void;
  /** The tag and the length before the content of a field of protobuf, whose number is from 1 to 15. */
  readonly head: (number: number, length: number) => void;
  /** A field of protobuf with a whole number from 0 to 2^53 - 1. */
  readonly varint: (number: number, value: number) => void;
  /** A float field of protobuf; a number out of range becomes infinite. */
  readonly float: (number: number, value: number) => void;
  /** A whole number of at most 64 bits, as Avro has it. */
  readonly long: (value: number | bigint) => void;
  /** The eight bytes of a number, the lowest first. */
  readonly double: (value: number) => void;
  /** How many bytes were written. */
  readonly size: () => number;
  /** Writes what was written from `start` to `end` again. */
  readonly again: (start: number, end: number) => void;
  /** Drops all after so many bytes. */
  readonly cut: (size: number) => void;
  /** All that was written, in a pooled buffer (see `buffer-pool.ts`); writing more changes it. */
  readonly end: () => Buffer;
};

/** A short text that is written often. */
export type Part = ViewedBytes & { readonly length: number };

export function toPart(text: string | Uint8Array): Part {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  // Words are read from it, also where it ends.
  return { ...viewBytes(Buffer.concat([bytes, Buffer.alloc(WORD)])), length: bytes.length };
}

/** The most bytes of a UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT_MAX = 3;
const INTEGER_BYTES_MAX = 11;
/** A tag and a number below 2^53. */
const VARINT_BYTES_MAX = 9;
const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Most decimals have fewer places. */
const DECIMALS = 7;
const UNITS = 10 ** DECIMALS;
/** Numbers from the first up to the second, not included, have at most 15 digits then, and no exponent. */
const DECIMAL_START = 1e-6;
const DECIMAL_END = 1e8;

export function openByteWriter(expectedBytes: number): ByteWriter {
  let buffer = acquireBuffer(expectedBytes);
  let out = viewBytes(buffer);
  let at = 0;
  const need = (more: number): void => {
    if (at + more <= buffer.length) return;
    const larger = acquireBuffer(Math.max(buffer.length * 2, at + more));
    buffer.copy(larger, 0, 0, at);
    releaseBuffer(buffer);
    buffer = larger;
    out = viewBytes(buffer);
  };
  const writeText = (text: string): void => {
    need(text.length * BYTES_PER_UNIT_MAX);
    at += buffer.write(text, at);
  };
  const writeAscii = (text: string): void => {
    need(text.length);
    const target = buffer;
    const start = at;
    for (let index = 0; index < text.length; index += 1) {
      target[start + index] = text.charCodeAt(index);
    }
    at = start + text.length;
  };
  const writeInteger = (value: number): void => {
    need(INTEGER_BYTES_MAX);
    let rest = value < 0 ? -value : value;
    if (value < 0) buffer[at++] = MINUS;
    let end = at + 1;
    // The quotients are integers of 32 bits, which the compiler divides without floats.
    for (let left = rest; left >= 10; left = (left / 10) | 0) end += 1;
    at = end;
    do {
      const tens = (rest / 10) | 0;
      buffer[--end] = ZERO + rest - tens * 10;
      rest = tens;
    } while (rest > 0);
  };
  /** The digits after the point: `fraction` is their number in units of 10^-7, and not 0. */
  const writeFraction = (fraction: number): void => {
    need(DECIMALS + 1);
    buffer[at] = POINT;
    let rest = fraction | 0;
    let digits = DECIMALS;
    while (rest % 10 === 0) {
      rest = (rest / 10) | 0;
      digits -= 1;
    }
    for (let digit = digits; digit > 0; digit -= 1) {
      const tens = (rest / 10) | 0;
      buffer[at + digit] = ZERO + rest - tens * 10;
      rest = tens;
    }
    at += digits + 1;
  };
  const copy = ({ bytes, view }: ViewedBytes, start: number, end: number): void => {
    need(end - start + WORD);
    if (end + WORD > bytes.length) at += bytes.copy(buffer, at, start, end);
    else at = copyWords(out.view, at, view, start, end);
  };
  const writeJson = (before: Part, text: string): void => {
    need(before.length + text.length + WORD);
    at = copyWords(out.view, at, before.view, 0, before.length);
    const target = buffer;
    const start = at;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (!isPlain(unit)) {
        writeText(JSON.stringify(text).slice(1));
        return;
      }
      target[start + index] = unit;
    }
    at = start + text.length;
    target[at++] = QUOTE;
  };
  return {
    text: writeText,
    ascii: writeAscii,
    integer: writeInteger,
    number: (value) => {
      if ((value | 0) === value) {
        writeInteger(value);
        return;
      }
      const size = Math.abs(value);
      const units = Math.round(size * UNITS);
      // Only one decimal of up to 15 digits is read as this number, so it is the shortest. Smaller ones have an exponent.
      if (units / UNITS !== size || size >= DECIMAL_END || size < DECIMAL_START) {
        writeAscii(String(value));
        return;
      }
      if (value < 0) {
        need(1);
        buffer[at++] = MINUS;
      }
      const whole = Math.floor(size);
      writeInteger(whole);
      writeFraction(units - whole * UNITS);
    },
    byte: (byte) => {
      need(1);
      buffer[at++] = byte;
    },
    part: (part) => copy(part, 0, part.length),
    range: copy,
    jsonText: writeJson,
    jsonPart: (before, from, start, end) => {
      const { bytes, view } = from;
      if (end + WORD > bytes.length) {
        writeJson(before, bytes.toString('utf8', start, end));
        return;
      }
      need(before.length + end - start + 2 * WORD);
      const target = out.view;
      const first = copyWords(target, at, before.view, 0, before.length);
      const to = copyPlain(target, first, view, start, end);
      if (to < 0) {
        writeJson(before, bytes.toString('utf8', start, end));
        return;
      }
      target.setUint8(to, QUOTE);
      at = to + 1;
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
    long: (value) => {
      need(LONG_BYTES_MAX);
      at = writeLong(buffer, at, value);
    },
    double: (value) => {
      need(DOUBLE_BYTES);
      at = buffer.writeDoubleLE(value, at);
    },
    size: () => at,
    again: (start, end) => {
      need(end - start);
      buffer.copyWithin(at, start, end);
      at += end - start;
    },
    cut: (size) => {
      at = size;
    },
    end: () => buffer.subarray(0, at),
  };
}

const DOUBLE_BYTES = 8;
const WORD = 4;

/** Copies whole words, so up to three bytes too many, which the next ones overwrite; returns where the right ones end. */
function copyWords(
  target: DataView,
  to: number,
  view: DataView,
  start: number,
  end: number,
): number {
  for (let at = to, from = start; from < end; from += WORD, at += WORD) {
    target.setInt32(at, view.getInt32(from, true), true);
  }
  return to + end - start;
}

/** The same for text that JSON leaves as it is (see `isPlain`); -1 for any other. */
function copyPlain(
  target: DataView,
  to: number,
  view: DataView,
  start: number,
  end: number,
): number {
  let at = to;
  let from = start;
  for (; from + WORD <= end; from += WORD, at += WORD) {
    const word = view.getInt32(from, true);
    if (hasOther(word)) return -1;
    target.setInt32(at, word, true);
  }
  if (from < end) {
    const word = view.getInt32(from, true);
    // The bytes after the text are replaced by letters, because they do not count.
    const rest = 32 - (end - from) * 8;
    if (hasOther(((word << rest) >>> rest) | (0x61616161 << (32 - rest)))) return -1;
    target.setInt32(at, word, true);
  }
  return to + end - start;
}

/** Whether one of the four bytes of a word is not plain (see `isPlain`). */
function hasOther(word: number): boolean {
  // The highest bit of a byte is set if it is not of ASCII, or less than 32, or if it becomes 0 by the XOR.
  const isSmall = word - 0x20202020;
  const isQuote = (word ^ 0x22222222) - 0x01010101;
  const isBackslash = (word ^ 0x5c5c5c5c) - 0x01010101;
  return ((word | isSmall | isQuote | isBackslash) & 0x80808080) !== 0;
}

/** Whether a code unit, or a byte of UTF-8, is one of ASCII that JSON leaves as it is. */
function isPlain(unit: number): boolean {
  return unit >= 0x20 && unit < 0x80 && unit !== QUOTE && unit !== BACKSLASH;
}
