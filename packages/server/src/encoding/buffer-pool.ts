/*
 * Buffers for answers, used again once the system has taken their bytes. A new buffer of a megabyte for each answer
 * costs 300 faults of pages, and makes the garbage collector run for it.
 *
 * Only who has taken a slab may give it back, and must be sure that nobody reads it any more: the next answer, of
 * another caller, is written into it. One that is never given back is garbage like any other buffer.
 */

const MEBIBYTE = 2 ** 20;
/** The sizes of slabs, in bytes; larger buffers are not kept. The largest has a page of 10,000 metric values. */
const SIZES = [
  MEBIBYTE / 16,
  MEBIBYTE / 4,
  MEBIBYTE,
  2 * MEBIBYTE,
  4 * MEBIBYTE,
  8 * MEBIBYTE,
  32 * MEBIBYTE,
] as const;
/** The bytes of the slabs that are kept of each size; of a larger size one is kept. */
const KEPT_BYTES_MAX = 8 * MEBIBYTE;

const kept = new Map<number, Buffer[]>(SIZES.map((size) => [size, []]));
/** The slabs that somebody uses, by their memory. */
const lent = new WeakSet<ArrayBufferLike>();

/** A buffer of at least so many bytes, with any content. */
export function takeSlab(bytes: number): Buffer {
  const size = SIZES.find((one) => one >= bytes);
  if (size === undefined) return Buffer.allocUnsafeSlow(bytes);
  const slab = kept.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
  lent.add(slab.buffer);
  return slab;
}

/** Gives back the slab that a buffer is a part of, if it is of one. */
export function giveBackSlab({ buffer }: Buffer): void {
  if (!lent.delete(buffer)) return;
  const others = kept.get(buffer.byteLength);
  if (others === undefined) return;
  const isEnough = (others.length + 1) * buffer.byteLength > KEPT_BYTES_MAX;
  if (isEnough && others.length > 0) return;
  others.push(Buffer.from(buffer));
}

/** Lets go of the slabs that nobody uses. */
export function dropSlabs(): void {
  for (const slabs of kept.values()) slabs.length = 0;
}
