import type { FieldType } from '@locmetrics/core/domain/field';
import type { ValueVisitor, ViewedBytes } from '@locmetrics/core/domain/value-visitor';
import {
  countOf,
  endOf,
  headAt,
  isPresent,
  NONE,
  PRESENCE_BITS,
  SAME,
  SOME,
  startOf,
  widthOf,
} from './record-block.ts';

/*
 * The bytes of a single record: those of a block of one record, without their number. They are cut out of a block without
 * decoding a value, and from them a value is visited without making an object for it.
 */

/**
 * Copies a record of a block to `start`, and returns where it ends. It needs at most as many bytes as the block. Throws a
 * RangeError if the block is damaged, so that a copied record has no length that leads out of it.
 */
export function copyRecord(
  block: Buffer,
  types: readonly FieldType[],
  record: number,
  into: { readonly bytes: Buffer; readonly start: number },
): number {
  const { bytes, start } = into;
  const count = countOf(block);
  if (record >= count) throw new RangeError(`A block of ${count} records has no record ${record}.`);
  let to = start;
  let at = 2;
  for (const type of types) {
    const head = headAt(block, at);
    const values = startOf(head, at, count);
    const width = widthOf(head, type);
    const end = endOf(block, head, type, values, count);
    const presence = head & PRESENCE_BITS;
    if (presence === NONE || (presence === SOME && !isPresent(block, at + 1, record))) {
      bytes[to++] = NONE;
    } else {
      checkWidth(type, width);
      bytes[to++] = (head & ~PRESENCE_BITS) | SAME;
      let from = presence === SAME ? values : values + record * width;
      let length = width;
      if (type === 'string' && presence === SAME) length = end - values;
      else if (type === 'string') {
        // The length of this text, after the size of all; then its bytes, after those of the texts before.
        const lengths = values + 4;
        from = lengths + count * width;
        for (let before = 0; before < record; before += 1) {
          from += readUnsigned(block, lengths + before * width, width);
        }
        const own = lengths + record * width;
        length = readUnsigned(block, own, width);
        if (from + length > end) throw new RangeError('A text ends after its column.');
        for (let byte = 0; byte < width; byte += 1) bytes[to++] = block[own + byte] ?? 0;
      }
      for (let byte = 0; byte < length; byte += 1) bytes[to++] = block[from + byte] ?? 0;
    }
    at = end;
  }
  return to;
}

function readUnsigned(bytes: Buffer, at: number, width: number): number {
  return width === 1 ? (bytes[at] ?? 0) : bytes.readUIntLE(at, width);
}

function checkWidth(type: FieldType, width: number): void {
  const isKnown = width === 1 || width === 2 || width === 4 || width === 8;
  if (!isKnown || (type === 'string' && width === 8)) {
    throw new RangeError(`A column has values of ${width} bytes.`);
  }
}

/** The fields of a record to visit. */
export type VisitedFields = {
  readonly types: readonly FieldType[];
  /** For each field its index among the wanted ones, which ascends; -1 for the others. */
  readonly places: Int32Array;
  /** How many fields there are up to the last wanted one. */
  readonly length: number;
};

/** Visits the values of a copied record. */
export function visitSingle(
  from: ViewedBytes,
  start: number,
  { types, places, length }: VisitedFields,
  visitor: ValueVisitor,
): void {
  const { view } = from;
  let at = start;
  for (let field = 0; field < length; field += 1) {
    const head = view.getUint8(at);
    const place = places[field] ?? -1;
    at += 1;
    if ((head & PRESENCE_BITS) === NONE) {
      if (place >= 0) visitor.value(place, null);
      continue;
    }
    const width = head >> 4;
    switch (types[field]) {
      case 'integer':
        if (place >= 0) visitInteger(view, at, width, place, visitor);
        at += width;
        break;
      case 'float':
        if (place >= 0) visitor.number(place, view.getFloat64(at, true));
        at += 8;
        break;
      case 'date':
        if (place >= 0) visitor.day(place, view.getInt32(at, true));
        at += 4;
        break;
      case 'boolean':
        if (place >= 0) visitor.value(place, view.getUint8(at) === 1);
        at += 1;
        break;
      default: {
        const size = lengthAt(view, at, width);
        at += width;
        if (place >= 0) visitor.text(place, from, at, at + size);
        at += size;
      }
    }
  }
}

function lengthAt(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getUint8(at);
  return width === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
}

function visitInteger(
  view: DataView,
  at: number,
  width: number,
  place: number,
  visitor: ValueVisitor,
): void {
  if (width === 1) visitor.number(place, view.getInt8(at));
  else if (width === 2) visitor.number(place, view.getInt16(at, true));
  else if (width === 4) visitor.number(place, view.getInt32(at, true));
  else {
    const high = view.getInt32(at + 4, true);
    // From -2^53 to 2^53 - 1 it is exact as a number.
    if (high >= -HIGH_MAX && high < HIGH_MAX) {
      visitor.number(place, high * 2 ** 32 + view.getUint32(at, true));
    } else visitor.value(place, view.getBigInt64(at, true));
  }
}

const HIGH_MAX = 2 ** 21;
