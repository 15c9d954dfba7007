/*
 * FlatBuffers (https://flatbuffers.dev/internals/), as the metadata of Arrow have them: tables, texts and lists, each
 * written once, after what refers to it. All numbers have their lowest byte first.
 */

/** Writes a table, text or list at the end of a buffer; returns its position. */
export type FlatPart = (out: FlatWriter) => number;

/** A whole number in a table, of so many bytes. */
type FlatNumber = { readonly bytes: 1 | 2 | 4 | 8; readonly value: number };

/** A field of a table, by its number in the schema; undefined: it has its default. */
export type FlatField = FlatNumber | FlatPart | undefined;

type FlatWriter = {
  /** Adds zeros up to a multiple of a size, and returns the end. */
  readonly align: (size: number) => number;
  /** Adds zeros, and returns their position. */
  readonly add: (bytes: number) => number;
  readonly number: (at: number, { bytes, value }: FlatNumber) => void;
  readonly text: (at: number, text: string) => void;
};

/** A buffer whose root is a table. Its length is a multiple of 8. */
export function flatBuffer(root: FlatPart): Buffer {
  let buffer = Buffer.alloc(FIRST_BYTES);
  let end = 0;
  const add = (bytes: number): number => {
    const at = end;
    end += bytes;
    if (end > buffer.length) {
      const larger = Buffer.alloc(Math.max(end, 2 * buffer.length));
      buffer.copy(larger);
      buffer = larger;
    }
    return at;
  };
  const out: FlatWriter = {
    add,
    align: (size) => {
      add(-end & (size - 1));
      return end;
    },
    number: (at, { bytes, value }) => {
      if (bytes === LONG) buffer.writeBigInt64LE(BigInt(value), at);
      else buffer.writeIntLE(value, at, bytes);
    },
    text: (at, text) => {
      buffer.write(text, at);
    },
  };
  refer(out, add(OFFSET), root);
  out.align(LONG);
  return buffer.subarray(0, end);
}

export function flatTable(fields: readonly FlatField[]): FlatPart {
  return (out) => {
    const places: { readonly field: Exclude<FlatField, undefined>; readonly place: number }[] = [];
    let size = OFFSET;
    out.align(SHORT);
    const layout = out.add((2 + fields.length) * SHORT);
    for (const [index, field] of fields.entries()) {
      if (field === undefined) continue;
      const bytes = typeof field === 'function' ? OFFSET : field.bytes;
      const place = alignedTo(size, bytes);
      size = place + bytes;
      places.push({ field, place });
      out.number(layout + (2 + index) * SHORT, { bytes: SHORT, value: place });
    }
    out.number(layout, { bytes: SHORT, value: (2 + fields.length) * SHORT });
    out.number(layout + SHORT, { bytes: SHORT, value: size });
    const table = out.align(LONG);
    out.add(size);
    out.number(table, { bytes: OFFSET, value: table - layout });
    for (const { field, place } of places) {
      if (typeof field === 'function') refer(out, table + place, field);
      else out.number(table + place, field);
    }
    return table;
  };
}

export function flatText(text: string): FlatPart {
  return (out) => {
    const bytes = Buffer.byteLength(text);
    out.align(OFFSET);
    const at = out.add(OFFSET + bytes + 1);
    out.number(at, { bytes: OFFSET, value: bytes });
    out.text(at + OFFSET, text);
    return at;
  };
}

/** A list of tables. */
export function flatList(items: readonly FlatPart[]): FlatPart {
  return (out) => {
    out.align(OFFSET);
    const at = out.add(OFFSET * (1 + items.length));
    out.number(at, { bytes: OFFSET, value: items.length });
    for (const [index, item] of items.entries()) refer(out, at + OFFSET * (1 + index), item);
    return at;
  };
}

/** A list of structures of two numbers of 64 bits. */
export function flatPairs(pairs: readonly (readonly [number, number])[]): FlatPart {
  return (out) => {
    // The items begin at a multiple of their numbers.
    if (out.align(OFFSET) % LONG === 0) out.add(OFFSET);
    const at = out.add(OFFSET);
    out.number(at, { bytes: OFFSET, value: pairs.length });
    for (const value of pairs.flat()) out.number(out.add(LONG), { bytes: LONG, value });
    return at;
  };
}

/** Writes a part, and at a position the distance to it. */
function refer(out: FlatWriter, at: number, part: FlatPart): void {
  out.number(at, { bytes: OFFSET, value: part(out) - at });
}

function alignedTo(size: number, bytes: number): number {
  return Math.ceil(size / bytes) * bytes;
}

const FIRST_BYTES = 1024;
const SHORT = 2;
const OFFSET = 4;
const LONG = 8;
