/**
 * How much of a stream is read and sent at a time. Larger parts are faster, up to about a row group of the column store;
 * but a worker holds one part of each stream, and two of one whose caller reads fast.
 */
export type StreamSizes = {
  /** The records of the first page: few, so that the first byte leaves soon; mostly an index finds them. */
  readonly firstPage: number;
  /** The records of a later page, in another order than that of the key. */
  readonly page: number;
  /** So many records are charged, recorded and sent at a time. */
  readonly piece: number;
  /** The bytes of a range of ordinals. */
  readonly rangeBytes: number;
  /** The bytes of a range for a caller that reads slowly. */
  readonly slowRangeBytes: number;
};

export const STREAM_SIZES: StreamSizes = {
  firstPage: 1000,
  page: 10_000,
  piece: 10_000,
  rangeBytes: 5_000_000,
  slowRangeBytes: 500_000,
};

/** The next range may have this many times the ordinals of the last one, because records can lie closer there. */
const GROWTH_MAX = 4;

/** The number of ordinals of the next range, by how many bytes the records of the ordinals before it had. */
export function rangeAfter(
  before: { readonly ordinals: number; readonly bytes: number; readonly isReadFast: boolean },
  { rangeBytes, slowRangeBytes, firstPage }: StreamSizes,
): number {
  const { ordinals, bytes, isReadFast } = before;
  const wanted = isReadFast ? rangeBytes : slowRangeBytes;
  const forWanted = bytes === 0 ? Number.POSITIVE_INFINITY : (wanted / bytes) * ordinals;
  const most = Math.max(ordinals, firstPage) * GROWTH_MAX;
  return Math.max(1, Math.ceil(Math.min(forWanted, most)));
}
