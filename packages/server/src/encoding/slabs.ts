/*
 * Buffers for answers, used again once the system has taken their bytes. A new buffer of a megabyte for each answer
 * costs 300 faults of pages, and makes the garbage collector run for it.
 *
 * Only who has taken a slab may give it back, and must be sure that nobody reads it any more: the next answer, of
 * another caller, is written into it. One that is never given back is garbage like any other buffer.
 */

/** The sizes of slabs, in bytes; larger buffers are not kept. */
const SIZES = [64 * 1024, 256 * 1024, 1024 * 1024, 2 * 1024 * 1024] as const;
/** The bytes of the slabs that are kept of each size. */
const KEPT_BYTES_MAX = 8 * 2 ** 20;

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
  if (others === undefined || (others.length + 1) * buffer.byteLength > KEPT_BYTES_MAX) return;
  others.push(Buffer.from(buffer));
}
