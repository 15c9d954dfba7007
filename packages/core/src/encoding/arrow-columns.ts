import { dayNumber } from '../dates/day-number.ts';
import type { FieldType } from '../domain/field.ts';
import type { ValueVisitor } from '../domain/value-visitor.ts';

/** The columns of a batch of Arrow while its records are visited one after the other. */
export type ArrowColumns = {
  readonly visitor: ValueVisitor;
  /** After the values of a record. */
  readonly endRecord: () => void;
  /** The number of absent values of each column, and the buffers of all columns. */
  readonly finish: () => {
    readonly absent: readonly number[];
    readonly buffers: readonly Buffer[];
  };
};

type ArrowColumn = {
  /** A bit for each record, which says whether its value is present. */
  readonly present: Buffer;
  /** Numbers, bits or days; of a text where it ends, after a zero. */
  readonly data: Buffer;
  absent: number;
};

/** The texts of a column. */
type ArrowTexts = { bytes: Buffer; length: number };

export function openArrowColumns(types: readonly FieldType[], size: number): ArrowColumns {
  const columns = types.map(
    (type): ArrowColumn => ({
      present: Buffer.alloc(bitBytes(size)),
      data: Buffer.alloc(DATA_BYTES[type](size)),
      absent: size,
    }),
  );
  const texts = types.map((type): ArrowTexts | undefined =>
    type === 'string' ? { bytes: Buffer.allocUnsafe(size * TEXT_BYTES), length: 0 } : undefined,
  );
  let row = 0;
  /** The buffer for a value that is present. */
  const present = (field: number): Buffer => {
    const column = columns[field];
    if (column === undefined) throw new Error('A record has more values than columns.');
    column.absent -= 1;
    setBit(column.present, row);
    return column.data;
  };
  /** Makes room for a text, and returns where it begins. */
  const addText = (
    field: number,
    length: number,
  ): { readonly bytes: Buffer; readonly at: number } => {
    present(field);
    const text = texts[field];
    if (text === undefined) throw new Error('A text is in a column of another type.');
    const at = text.length;
    text.length += length;
    if (text.length > text.bytes.length) {
      const larger = Buffer.allocUnsafe(2 * text.length);
      text.bytes.copy(larger, 0, 0, at);
      text.bytes = larger;
    }
    return { bytes: text.bytes, at };
  };
  const writeNumber = (field: number, value: number): void => {
    const data = present(field);
    if (types[field] === 'float') data.writeDoubleLE(value, row * NUMBER_BYTES);
    else writeWhole(data, row * NUMBER_BYTES, value);
  };
  const visitor: ValueVisitor = {
    text: (field, { bytes: from }, start, end) => {
      const { bytes, at } = addText(field, end - start);
      from.copy(bytes, at, start, end);
    },
    number: writeNumber,
    day: (field, days) => {
      present(field).writeInt32LE(days, row * DAY_BYTES);
    },
    value: (field, value) => {
      if (value === null) return;
      if (typeof value === 'number') writeNumber(field, value);
      else if (typeof value === 'bigint') present(field).writeBigInt64LE(value, row * NUMBER_BYTES);
      else if (typeof value === 'boolean') {
        const data = present(field);
        if (value) setBit(data, row);
      } else if (types[field] === 'date') {
        present(field).writeInt32LE(dayNumber(value), row * DAY_BYTES);
      } else {
        const { bytes, at } = addText(field, Buffer.byteLength(value));
        bytes.write(value, at);
      }
    },
  };
  return {
    visitor,
    endRecord: () => {
      row += 1;
      for (let field = 0; field < texts.length; field += 1) {
        const text = texts[field];
        if (text !== undefined) columns[field]?.data.writeInt32LE(text.length, row * DAY_BYTES);
      }
    },
    finish: () => ({
      absent: columns.map(({ absent }) => absent),
      buffers: columns.flatMap(({ present: bits, data }, field) => {
        const text = texts[field];
        return text === undefined
          ? [bits, data]
          : [bits, data, text.bytes.subarray(0, text.length)];
      }),
    }),
  };
}

const NUMBER_BYTES = 8;
/** Of a day, and of the end of a text. */
const DAY_BYTES = 4;
/** Room for a text at first. */
const TEXT_BYTES = 16;

const DATA_BYTES: Readonly<Record<FieldType, (size: number) => number>> = {
  string: (size) => (size + 1) * DAY_BYTES,
  integer: (size) => size * NUMBER_BYTES,
  float: (size) => size * NUMBER_BYTES,
  boolean: bitBytes,
  date: (size) => size * DAY_BYTES,
};

function bitBytes(size: number): number {
  return Math.ceil(size / 8);
}

function setBit(bits: Buffer, index: number): void {
  const at = index >> 3;
  bits[at] = (bits[at] ?? 0) | (1 << (index & 7));
}

const WORD = 2 ** 32;

/** A whole number that is exact as a number, without a big integer. */
function writeWhole(data: Buffer, at: number, value: number): void {
  data.writeInt32LE(Math.floor(value / WORD), at + 4);
  data.writeUInt32LE(value - Math.floor(value / WORD) * WORD, at);
}
