/*
 * Buffers for answers, used again once the system has taken their bytes. A new buffer of a megabyte for each answer
 * costs 300 faults of pages, and makes the garbage collector run for it.
 *
 * Only the code that acquired a buffer may release it, once nothing reads it any more: the next answer, of another
 * caller, is written into it. A buffer that is never released is garbage collected like any other.
 */

const MEBIBYTE = 2 ** 20;
/** The sizes of pooled buffers, in bytes; larger ones are not kept. The largest has a page of 10,000 metric values. */
const SIZES = [
  MEBIBYTE / 16,
  MEBIBYTE / 4,
  MEBIBYTE,
  2 * MEBIBYTE,
  4 * MEBIBYTE,
  8 * MEBIBYTE,
  32 * MEBIBYTE,
] as const;
/** The bytes of the idle buffers of each size; of a larger size one is kept. */
const KEPT_BYTES_MAX = 8 * MEBIBYTE;

const kept = new Map<number, Buffer[]>(SIZES.map((size) => [size, []]));
/** The acquired buffers, by their memory. */
const acquired = new WeakSet<ArrayBufferLike>();

/** A buffer of at least so many bytes, with any content. */
export function acquireBuffer(bytes: number): Buffer {
  const size = SIZES.find((one) => one >= bytes);
  if (size === undefined) return Buffer.allocUnsafeSlow(bytes);
  const buffer = kept.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
  acquired.add(buffer.buffer);
  return buffer;
}

/** Releases the pooled buffer that a buffer is a part of, if it is part of one. */
export function releaseBuffer({ buffer }: Buffer): void {
  if (!acquired.delete(buffer)) return;
  const others = kept.get(buffer.byteLength);
  if (others === undefined) return;
  const isEnough = (others.length + 1) * buffer.byteLength > KEPT_BYTES_MAX;
  if (isEnough && others.length > 0) return;
  others.push(Buffer.from(buffer));
}

/** Frees the idle buffers. */
export function dropIdleBuffers(): void {
  for (const buffers of kept.values()) buffers.length = 0;
}
