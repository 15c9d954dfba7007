import type { FieldType } from '@locmetrics/core/domain/field';
import { ALL, ASCII_BIT, type BlockPart, columnsIn, countOf, NONE, SAME } from './record-block.ts';

/**
 * Inserts a record, encoded as a block of its own, into a block before the record `index`. The bytes are those that
 * encoding all records gives. Undefined if a column changes its form, for example the width of its integers: then
 * the records must be encoded again.
 */
export function insertRecord(
  block: Buffer,
  record: Buffer,
  types: readonly FieldType[],
  index: number,
): Buffer | undefined {
  const [into, from] = [columnsIn(block, types), columnsIn(record, types)];
  // A value has up to 8 bytes in the block for one in the record.
  const bytes = Buffer.allocUnsafe(block.length + record.length + 8 * types.length);
  let at = bytes.writeUInt16LE(countOf(block) + 1, 0);
  const copy = (source: Buffer, start: number, end: number): void => {
    at += source.copy(bytes, at, start, end);
  };

  /** A number in the width of the block. */
  const copyNumber = (column: BlockPart, one: BlockPart): void => {
    copy(record, one.start, one.start + one.width);
    const fill = one.type === 'integer' && (record[one.start + one.width - 1] ?? 0) > 127 ? 255 : 0;
    for (let byte = one.width; byte < column.width; byte += 1) bytes[at++] = fill;
  };

  const insertText = (column: BlockPart, one: BlockPart): void => {
    const { start, width, count, end } = column;
    const lengths = start + 4;
    const texts = lengths + count * width;
    const length = record.readUIntLE(one.start, one.width);
    let place = index === count ? end : texts;
    for (let before = 0; index < count && before < index; before += 1) {
      place += block.readUIntLE(lengths + before * width, width);
    }
    at = bytes.writeUInt32LE(block.readUInt32LE(start) + length, at);
    copy(block, lengths, lengths + index * width);
    at = bytes.writeUIntLE(length, at, width);
    copy(block, lengths + index * width, place);
    copy(record, one.end - length, one.end);
    copy(block, place, end);
  };

  for (const [number, column] of into.entries()) {
    const one = from[number];
    if (one === undefined) return undefined;
    const { presence, bits, start, width, end } = column;
    if (presence === NONE && one.presence === NONE) {
      bytes[at++] = column.type === 'integer' ? NO_INTEGERS : NONE;
      continue;
    }
    if (presence === SAME && block.compare(record, one.bits - 1, one.end, bits - 1, end) === 0) {
      copy(block, bits - 1, end);
      continue;
    }
    if (presence !== ALL) return undefined;
    if (one.presence !== SAME || one.width > width) return undefined;
    const head = block[bits - 1] ?? 0;
    bytes[at++] = one.isAscii ? head : head & ~ASCII_BIT;
    if (column.type === 'string') {
      insertText(column, one);
    } else {
      copy(block, start, start + index * width);
      copyNumber(column, one);
      copy(block, start + index * width, end);
    }
  }
  return bytes.subarray(0, at);
}

/** Integers of several records have a width even if all are absent. */
const NO_INTEGERS = NONE | (1 << 4);
