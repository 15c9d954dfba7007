import { writeVarint } from './encode-fields.ts';

/** The most bytes of a long. */
export const LONG_BYTES_MAX = 10;

/**
 * Writes a whole number of at most 64 bits as Avro has it ("Binary Encoding", `int` and `long`): the sign in the lowest
 * bit, then as a varint. Returns where it ends.
 */
export function writeLong(bytes: Buffer, start: number, value: number | bigint): number {
  if (typeof value === 'number' && value > -EXACT_MAX && value < EXACT_MAX) {
    return writeVarint(bytes, start, value < 0 ? -2 * value - 1 : 2 * value);
  }
  const signed = BigInt(value);
  let [at, rest] = [start, BigInt.asUintN(64, (signed << 1n) ^ (signed >> 63n))];
  while (rest > 127n) {
    bytes[at] = Number(rest & 127n) + 128;
    rest >>= 7n;
    at += 1;
  }
  bytes[at] = Number(rest);
  return at + 1;
}

/** Twice a number below it is exact. */
const EXACT_MAX = 2 ** 52;
