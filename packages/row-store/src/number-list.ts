/*
 * A list of ascending numbers, each once, as bytes: the differences to the one before in groups of seven bits, the
 * lowest first. The first number is the difference to -1, so no byte sequence is a 0.
 */

/** A list that grows. */
export type NumberList = { bytes: Uint8Array; length: number; last: number };

export function openNumberList(): NumberList {
  return { bytes: new Uint8Array(8), length: 0, last: -1 };
}

/** Numbers must be added in ascending order. A number that is repeated is added once. */
export function addNumber(list: NumberList, number: number): void {
  if (number === list.last) return;
  let rest = number - list.last;
  list.last = number;
  if (list.length + NUMBER_BYTES_MAX > list.bytes.length) {
    const larger = new Uint8Array(list.bytes.length * 2);
    larger.set(list.bytes);
    list.bytes = larger;
  }
  const { bytes } = list;
  while (rest > 0x7f) {
    bytes[list.length++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[list.length++] = rest;
}

const NUMBER_BYTES_MAX = 5;

/** The bytes of a list: valid until a number is added. */
export function bytesOfList({ bytes, length }: NumberList): Uint8Array {
  return bytes.subarray(0, length);
}

/** Has a loop of its own: with `readNext` it takes 1.8 times as long. */
export function readNumberList(bytes: Uint8Array): Uint32Array {
  // Each number has at least a byte.
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  let last = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    let difference = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      at += 1;
      byte = bytes[at] ?? 0;
      difference |= (byte & 0x7f) << shift;
    }
    last += difference;
    numbers[count] = last;
    count += 1;
  }
  return numbers.subarray(0, count);
}

/** Those of the ascending numbers that a list has, too. The list is read up to the last of them. */
export function commonNumbers(numbers: Uint32Array, bytes: Uint8Array): Uint32Array {
  const both = new Uint32Array(numbers.length);
  const reader: Reader = { bytes, at: 0, last: -1 };
  let count = 0;
  let next = 0;
  while (reader.at < bytes.length && next < numbers.length) {
    const number = readNext(reader);
    while (next < numbers.length && (numbers[next] ?? 0) < number) next += 1;
    if (numbers[next] !== number) continue;
    both[count] = number;
    count += 1;
    next += 1;
  }
  return both.subarray(0, count);
}

/** A list that is read from its start: the number that was read last, and where the next one begins. */
type Reader = { readonly bytes: Uint8Array; at: number; last: number };

function readNext(reader: Reader): number {
  const { bytes } = reader;
  let byte = bytes[reader.at++] ?? 0;
  let difference = byte & 0x7f;
  for (let shift = 7; byte > 0x7f; shift += 7) {
    byte = bytes[reader.at++] ?? 0;
    difference |= (byte & 0x7f) << shift;
  }
  reader.last += difference;
  return reader.last;
}

/** The numbers of any of the lists, ascending; all are below the limit. */
export function joinNumbers(lists: readonly Uint8Array[], limit: number): Uint32Array {
  const [only = new Uint8Array(), ...others] = lists;
  if (others.length === 0) return readNumberList(only);
  // A bit for each number: sorting the numbers takes ten times as long.
  const bits = new Uint32Array((limit >>> 5) + 1);
  let size = 0;
  for (const list of lists) {
    setBits(bits, list);
    size += list.length;
  }
  const numbers = new Uint32Array(size);
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
      numbers[count] = (word << 5) + 31 - Math.clz32(left & -left);
      count += 1;
    }
  }
  return numbers.subarray(0, count);
}

function setBits(bits: Uint32Array, bytes: Uint8Array): void {
  const reader: Reader = { bytes, at: 0, last: -1 };
  while (reader.at < bytes.length) {
    const number = readNext(reader);
    const word = number >>> 5;
    bits[word] = (bits[word] ?? 0) | (1 << (number & 31));
  }
}
