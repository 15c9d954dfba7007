/**
 * How much of a stream is read and sent at a time. Larger parts are faster, up to about a row group of the column store;
 * but a worker holds one part of each stream, and two of one whose caller reads fast. Several streams share the bytes of
 * one, so that together they take no more.
 */
export type StreamSizes = {
  /** The records of the first page: few, because it is not known how wide they are. */
  readonly firstPage: number;
  /** Records of the first pages, which an index mostly finds: ranges follow after so many. */
  readonly indexed: number;
  /** The most records of a later page, in another order than that of the key. */
  readonly page: number;
  /** So many records are charged, recorded and sent at a time. */
  readonly piece: number;
  /** The bytes of a part. */
  readonly partBytes: number;
  /** The bytes of a part for a caller that reads slowly. */
  readonly slowPartBytes: number;
  /** A range whose texts have more bytes is cut; they can be wider than those before it. */
  readonly textBytesMax: number;
};

export const STREAM_SIZES: StreamSizes = {
  firstPage: 100,
  indexed: 1000,
  page: 10_000,
  piece: 10_000,
  partBytes: 3_000_000,
  slowPartBytes: 250_000,
  textBytesMax: 8_000_000,
};

/**
 * The next part may have so many times the length of the last one, because records can lie closer there, or be wider.
 * Beyond the bytes for a slow caller it doubles: the system takes some megabytes for every caller at once, so a caller
 * turns out to be slow only after them.
 */
const GROWTH_MAX = 4;
const GROWTH_OF_LARGE_MAX = 2;

/** The sizes of a stream while so many are open in the process. */
export function sizesAmong(streams: number, sizes: StreamSizes): StreamSizes {
  const share = Math.round(sizes.partBytes / Math.max(1, streams));
  return { ...sizes, partBytes: Math.max(sizes.slowPartBytes, share) };
}

/** A part that was read: the number of its records, or of its ordinals, and the bytes of its records. */
export type PartRead = { readonly length: number; readonly bytes: number };

/** The length of a part that has as many bytes as wanted, if its records are like those of the part before it. */
export function lengthOfPart(
  { length, bytes }: PartRead,
  isReadFast: boolean,
  { partBytes, slowPartBytes }: StreamSizes,
): number {
  if (bytes === 0) return Number.MAX_SAFE_INTEGER;
  const wanted = isReadFast ? partBytes : slowPartBytes;
  return Math.max(1, Math.ceil((wanted / bytes) * length));
}

/** The same of a part that may have a few times the length of the one before it. */
export function lengthAfter(before: PartRead, isReadFast: boolean, sizes: StreamSizes): number {
  const length = Math.max(before.length, 1);
  const small = Math.min(length * GROWTH_MAX, lengthOfPart(before, false, sizes));
  const most = Math.max(small, length * GROWTH_OF_LARGE_MAX);
  return Math.min(lengthOfPart(before, isReadFast, sizes), most);
}
