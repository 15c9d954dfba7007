import { dayOf } from '@locmetrics/core/dates/stored-day';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { Value, Column as ValueColumn } from '@locmetrics/core/domain/value';

/*
 * The bytes of a block of records: their number (u16), then a column for each field. All numbers are
 * little-endian. A column begins with a byte: its presence in the lowest two bits, whether its texts are ASCII in
 * the next, and the width of its integers or lengths in the high four.
 *
 * | presence | what follows |
 * |---|---|
 * | NONE | nothing: no record has a value |
 * | SAME | one value, which all records have |
 * | ALL  | the values of all records |
 * | SOME | a bit for each record that has a value, then a value for each record, 0 or empty if absent |
 *
 * Values: an integer in 1, 2, 4 or 8 bytes; a float in 8; a date in 4, as the number of days since 1970; a
 * boolean in 1. Texts are the size of all their bytes (u32, absent for SAME), then the length of each in 1, 2
 * or 4 bytes, then their bytes in UTF-8.
 */
export const NONE = 0;
export const SAME = 1;
export const ALL = 2;
export const SOME = 3;
export const PRESENCE_BITS = 3;
export const ASCII_BIT = 4;

/**
 * A column of a block to encode: as the types of values say, but dates as days since 1970, and integers as
 * numbers or bigints.
 */
export type BlockColumn = readonly (Value | undefined)[];

/** Encodes blocks into one buffer: a block is valid until the next one is encoded. */
export function openBlockEncoder(types: readonly FieldType[]): {
  readonly encode: (columns: readonly BlockColumn[], count: number) => Uint8Array;
} {
  let bytes = Buffer.allocUnsafe(64 * 1024);
  let at = 0;

  const need = (more: number): void => {
    if (at + more <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, at + more));
    bytes.copy(larger, 0, 0, at);
    bytes = larger;
  };

  const putInteger = (value: Value, width: number): void => {
    if (width === 8) {
      at = bytes.writeBigInt64LE(typeof value === 'bigint' ? value : BigInt(Number(value)), at);
    } else at = bytes.writeIntLE(Number(value), at, width);
  };

  const putFixed = (type: FieldType, value: Value, width: number): void => {
    switch (type) {
      case 'integer':
        putInteger(value, width);
        break;
      case 'float':
        at = bytes.writeDoubleLE(Number(value), at);
        break;
      case 'date':
        at = bytes.writeInt32LE(Number(value), at);
        break;
      case 'boolean':
        at = bytes.writeUInt8(value === true ? 1 : 0, at);
        break;
      case 'string':
        throw new Error('Texts have no fixed width.');
    }
  };

  const putTexts = (values: BlockColumn, count: number, hasSize: boolean): number => {
    let isAscii = true;
    let longest = 0;
    let size = 0;
    const lengths: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const value = values[index];
      const length = typeof value === 'string' ? Buffer.byteLength(value) : 0;
      if (typeof value === 'string' && length !== value.length) isAscii = false;
      lengths.push(length);
      size += length;
      if (length > longest) longest = length;
    }
    const width = longest < 2 ** 8 ? 1 : longest < 2 ** 16 ? 2 : 4;
    need(4 + count * width + size);
    if (hasSize) at = bytes.writeUInt32LE(size, at);
    for (const length of lengths) at = bytes.writeUIntLE(length, at, width);
    for (let index = 0; index < count; index += 1) {
      const value = values[index];
      if (typeof value === 'string') at += bytes.write(value, at);
    }
    return (width << 4) | (isAscii ? ASCII_BIT : 0);
  };

  const putColumn = (type: FieldType, values: BlockColumn, count: number): void => {
    const presence = presenceOf(values, count);
    need(1 + count * 9);
    const start = at;
    at += 1;
    const stored = presence === NONE ? 0 : presence === SAME ? 1 : count;
    if (presence === SOME) {
      const bits = at;
      at += Math.ceil(count / 8);
      bytes.fill(0, bits, at);
      for (let index = 0; index < count; index += 1) {
        if (values[index] === null || values[index] === undefined) continue;
        const byte = bits + (index >> 3);
        bytes[byte] = (bytes[byte] ?? 0) | (1 << (index & 7));
      }
    }
    let head = presence;
    if (type === 'string') {
      if (stored > 0) head |= putTexts(values, stored, presence !== SAME);
    } else {
      const width = type === 'integer' ? integerWidth(values, stored) : 0;
      head |= width << 4;
      for (let index = 0; index < stored; index += 1) {
        putFixed(type, values[index] ?? null, width);
      }
    }
    bytes[start] = head;
  };

  /** The same as a column of one record, which many blocks have. */
  const putOne = (type: FieldType, value: Value): void => {
    need(16);
    if (value === null) {
      bytes[at++] = NONE;
      return;
    }
    if (typeof value !== 'string' || type !== 'string') {
      const width = type === 'integer' ? integerWidth([value], 1) : 0;
      bytes[at++] = SAME | (width << 4);
      putFixed(type, value, width);
      return;
    }
    const length = Buffer.byteLength(value);
    const width = length < 2 ** 8 ? 1 : length < 2 ** 16 ? 2 : 4;
    need(length + 16);
    bytes[at++] = SAME | (width << 4) | (length === value.length ? ASCII_BIT : 0);
    at = bytes.writeUIntLE(length, at, width);
    at += bytes.write(value, at);
  };

  return {
    encode: (columns, count) => {
      at = bytes.writeUInt16LE(count, 0);
      for (const [index, type] of types.entries()) {
        const values = columns[index] ?? [];
        if (count === 1) putOne(type, values[0] ?? null);
        else putColumn(type, values, count);
      }
      return new Uint8Array(bytes.buffer, bytes.byteOffset, at);
    },
  };
}

function presenceOf(values: BlockColumn, count: number): number {
  const [first = null] = values;
  let isSame = true;
  let absent = 0;
  for (let index = 0; index < count; index += 1) {
    const value = values[index] ?? null;
    if (value === null) absent += 1;
    else if (value !== first) isSame = false;
  }
  if (absent === count) return NONE;
  if (absent > 0) return SOME;
  return isSame ? SAME : ALL;
}

/** The width of the integers of a column, which are numbers if all of the field are exact as such. */
function integerWidth(values: BlockColumn, count: number): number {
  let width = 1;
  for (let index = 0; index < count; index += 1) {
    const value = values[index];
    if (typeof value === 'bigint') {
      while (width < 8 && BigInt.asIntN(width * 8, value) !== value) width *= 2;
    } else if (typeof value === 'number') {
      while (width < 8 && (value < -(2 ** (width * 8 - 1)) || value >= 2 ** (width * 8 - 1))) {
        width *= 2;
      }
    }
  }
  return width;
}

/** The number of records of a block. */
export function countOf(block: Buffer): number {
  return block.readUInt16LE(0);
}

/** The columns of a block, by the index of their fields; nothing is decoded before it is asked for. */
export type OpenBlock = {
  readonly count: number;
  /** The values of all records. */
  readonly valuesOf: (field: number) => ArrayLike<Value>;
  /** The values of the records from `from` up to `to`, not included; integers of up to 4 bytes as numbers. */
  readonly columnOf: (field: number, from: number, to: number) => ValueColumn;
  /** The values of all records, but integers that are exact as numbers are such, and dates are days since 1970. */
  readonly keysOf: (field: number) => ValueColumn;
  readonly valueAt: (field: number, record: number) => Value;
  /** Whether all records have the same value, or none has one. */
  readonly isSame: (field: number) => boolean;
};

/** Throws a RangeError if the bytes are not those of a block. */
export function openBlock(bytes: Buffer, types: readonly FieldType[]): OpenBlock {
  const block = toBytes(bytes);
  const count = countOf(bytes);
  const starts = columnStarts(bytes, types, count);
  const columns: (Column | undefined)[] = [];
  const columnOf = (field: number): Column => {
    const known = columns[field];
    if (known !== undefined) return known;
    const [type, at] = [types[field], starts[field]];
    if (type === undefined || at === undefined) {
      throw new RangeError(`A block has no column ${field}.`);
    }
    const head = headAt(bytes, at);
    const column = toColumn(head, type, at, startOf(head, at, count), count);
    columns[field] = column;
    return column;
  };
  return {
    count,
    valuesOf: (field) => {
      const column = columnOf(field);
      return readColumn(block, column, 0, column.count, readFixedAt);
    },
    keysOf: (field) => readKeys(block, columnOf(field)),
    columnOf: (field, from, to) => readColumn(block, columnOf(field), from, to, readNumberAt),
    valueAt: (field, record) => readAt(block, columnOf(field), record),
    isSame: (field) => columnOf(field).presence <= SAME,
  };
}

/** The bytes of a block, and all of them as one text once an ASCII one is read: it is cut in pieces cheaply. */
type Bytes = { readonly bytes: Buffer; readonly asciiText: () => string };

function toBytes(bytes: Buffer): Bytes {
  let text: string | undefined;
  return {
    bytes,
    asciiText: () => {
      text ??= bytes.toString('latin1');
      return text;
    },
  };
}

/** The position and the form of a column in a block. */
type Column = {
  readonly type: FieldType;
  /** The number of records of the block. */
  readonly count: number;
  readonly presence: number;
  readonly isAscii: boolean;
  /** Of integers and fixed values, or of the lengths of texts. */
  readonly width: number;
  /** The bits of presence, and the values. */
  readonly bits: number;
  readonly start: number;
};

/** The position of each column. */
function columnStarts(
  block: Buffer,
  types: readonly FieldType[],
  count: number,
): readonly number[] {
  const starts: number[] = [];
  let at = 2;
  for (let field = 0; field < types.length; field += 1) {
    starts.push(at);
    const head = headAt(block, at);
    at = endOf(block, head, types[field] ?? 'string', startOf(head, at, count), count);
  }
  return starts;
}

/** A column in a block: its head is before `bits`, its last byte before `end`. */
export type BlockPart = Column & { readonly end: number };

export function columnsIn(block: Buffer, types: readonly FieldType[]): readonly BlockPart[] {
  const count = countOf(block);
  const starts = columnStarts(block, types, count);
  return types.map((type, field) => {
    const at = starts[field] ?? 0;
    const head = headAt(block, at);
    const start = startOf(head, at, count);
    const end = endOf(block, head, type, start, count);
    return { ...toColumn(head, type, at, start, count), end };
  });
}

function toColumn(head: number, type: FieldType, at: number, start: number, count: number): Column {
  return {
    type,
    count,
    presence: head & PRESENCE_BITS,
    isAscii: (head & ASCII_BIT) !== 0,
    width: widthOf(head, type),
    bits: at + 1,
    start,
  };
}

export function headAt(block: Buffer, at: number): number {
  const head = block[at];
  if (head === undefined) throw new RangeError('A block ends before its last column.');
  return head;
}

export function widthOf(head: number, type: FieldType): number {
  return type === 'string' || type === 'integer' ? head >> 4 : FIXED_WIDTHS[type];
}

/** The start of the values of a column whose head is there. */
export function startOf(head: number, at: number, count: number): number {
  return (head & PRESENCE_BITS) === SOME ? at + 1 + Math.ceil(count / 8) : at + 1;
}

export function endOf(
  block: Buffer,
  head: number,
  type: FieldType,
  start: number,
  count: number,
): number {
  const presence = head & PRESENCE_BITS;
  const width = widthOf(head, type);
  let end = start;
  if (presence !== NONE) {
    const stored = presence === SAME ? 1 : count;
    if (type !== 'string') end += stored * width;
    else if (presence === SAME) end += width + readLength(block, start, width);
    else end += 4 + stored * width + block.readUInt32LE(start);
  }
  if (end > block.length) throw new RangeError('A block ends before its last column.');
  return end;
}

/** Most lengths are a byte, which is read faster without the checks of `readUIntLE`. */
function readLength(block: Buffer, at: number, width: number): number {
  return width === 1 ? (block[at] ?? 0) : block.readUIntLE(at, width);
}

function readColumn(
  block: Bytes,
  column: Column,
  from: number,
  to: number,
  readOne: typeof readFixedAt,
): ArrayLike<Value> {
  const { bytes } = block;
  const { type, presence, width, start } = column;
  if (presence === NONE) return new Array<Value>(to - from).fill(null);
  if (presence === SAME) {
    const value = type === 'string' ? readAt(block, column, 0) : readOne(bytes, start, type, width);
    return new Array<Value>(to - from).fill(value);
  }
  if (type === 'float' && presence === ALL) return readFloats(bytes, start, from, to);
  const values: Value[] = type === 'string' ? readTexts(block, column, from, to) : [];
  if (type !== 'string') {
    for (let record = from; record < to; record += 1) {
      values.push(readOne(bytes, start + record * width, type, width));
    }
  }
  if (presence === SOME) {
    for (let record = from; record < to; record += 1) {
      if (!isPresent(bytes, column.bits, record)) values[record - from] = null;
    }
  }
  return values;
}

function readKeys(block: Bytes, column: Column): ValueColumn {
  const { bytes } = block;
  const { type, count, presence, width, start } = column;
  if (type === 'string' || type === 'boolean' || type === 'float' || presence !== ALL) {
    return readColumn(block, column, 0, count, readKeyAt);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const keys = new Float64Array(count);
  for (let record = 0; record < count; record += 1) {
    const at = start + record * width;
    if (width === 1) keys[record] = view.getInt8(at);
    else if (width === 2) keys[record] = view.getInt16(at, true);
    else if (width === 4) keys[record] = view.getInt32(at, true);
    else {
      const key = readKeyAt(bytes, at, type, width);
      if (typeof key !== 'number') return readColumn(block, column, 0, count, readKeyAt);
      keys[record] = key;
    }
  }
  return keys;
}

function readKeyAt(block: Buffer, at: number, type: FixedType, width: number): Value {
  if (type === 'date') return block.readInt32LE(at);
  if (type !== 'integer' || width < 8) return readNumberAt(block, at, type, width);
  const value = block.readBigInt64LE(at);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A copy, because the bytes of a row of SQLite are not aligned. */
function readFloats(bytes: Buffer, start: number, from: number, to: number): Float64Array {
  const copy = new Uint8Array((to - from) * FIXED_WIDTHS.float);
  const first = start + from * FIXED_WIDTHS.float;
  copy.set(bytes.subarray(first, first + copy.length));
  return new Float64Array(copy.buffer);
}

/** `bits` is where those of the presence begin. */
export function isPresent(block: Buffer, bits: number, record: number): boolean {
  return ((block[bits + (record >> 3)] ?? 0) & (1 << (record & 7))) !== 0;
}

function readAt(block: Bytes, column: Column, record: number): Value {
  const { bytes } = block;
  const { type, count, presence, width, start } = column;
  if (presence === NONE) return null;
  if (presence === SOME && !isPresent(bytes, column.bits, record)) return null;
  const index = presence === SAME ? 0 : record;
  if (type !== 'string') return readFixedAt(bytes, start + index * width, type, width);
  const isOne = presence === SAME;
  const lengths = isOne ? start : start + 4;
  let at = lengths + (isOne ? 1 : count) * width;
  for (let before = 0; before < index; before += 1) {
    at += readLength(bytes, lengths + before * width, width);
  }
  return textAt(block, column, at, readLength(bytes, lengths + index * width, width));
}

function textAt(
  { bytes, asciiText }: Bytes,
  { isAscii }: Column,
  at: number,
  length: number,
): string {
  return isAscii ? asciiText().substring(at, at + length) : bytes.toString('utf8', at, at + length);
}

const FIXED_WIDTHS: Readonly<Record<Exclude<FieldType, 'string' | 'integer'>, number>> = {
  float: 8,
  date: 4,
  boolean: 1,
};

function readTexts(block: Bytes, column: Column, from: number, to: number): Value[] {
  const { count, width, start } = column;
  const texts: Value[] = [];
  // The size of all texts comes before the lengths.
  const lengths = start + 4;
  let at = lengths + count * width;
  for (let index = 0; index < to; index += 1) {
    const length = readLength(block.bytes, lengths + index * width, width);
    if (index >= from) texts.push(textAt(block, column, at, length));
    at += length;
  }
  return texts;
}

type FixedType = Exclude<FieldType, 'string'>;

/** The same as `readFixedAt`, but integers that are exact as numbers are numbers. */
function readNumberAt(block: Buffer, at: number, type: FixedType, width: number): Value {
  return type === 'integer' && width < 8
    ? block.readIntLE(at, width)
    : readFixedAt(block, at, type, width);
}

function readFixedAt(block: Buffer, at: number, type: FixedType, width: number): Value {
  switch (type) {
    case 'integer':
      return width === 8 ? block.readBigInt64LE(at) : BigInt(block.readIntLE(at, width));
    case 'float':
      return block.readDoubleLE(at);
    case 'date':
      return dayOf(block.readInt32LE(at));
    case 'boolean':
      return block[at] === 1;
  }
}
