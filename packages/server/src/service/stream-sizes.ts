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
  /** The values of a range of ordinals, if the engine writes lines of them. */
  readonly lineValues: number;
  /** The values of a range that are in memory one by one. */
  readonly values: number;
  /** The values of a range of a caller that reads slowly. */
  readonly slowValues: number;
};

export const STREAM_SIZES: StreamSizes = {
  firstPage: 1000,
  page: 10_000,
  piece: 10_000,
  lineValues: 600_000,
  values: 120_000,
  slowValues: 60_000,
};

/** The next range may have this many times the ordinals of the last one, because records can lie closer there. */
const GROWTH_MAX = 4;

/** The number of ordinals of the next range, by how many records the ordinals before it had. */
export function rangeAfter(
  before: {
    readonly ordinals: number;
    readonly records: number;
    /** The number of fields that are read. */
    readonly fields: number;
    readonly isReadFast: boolean;
    /** Whether the engine may write lines. */
    readonly hasLines: boolean;
  },
  { lineValues, values, slowValues, firstPage }: StreamSizes,
): number {
  const { ordinals, records, fields, isReadFast, hasLines } = before;
  const valuesWanted = isReadFast ? (hasLines ? lineValues : values) : slowValues;
  const wanted = Math.ceil(valuesWanted / fields);
  const forWanted = records === 0 ? Number.POSITIVE_INFINITY : (wanted / records) * ordinals;
  const most = Math.max(ordinals, firstPage) * GROWTH_MAX;
  return Math.max(1, Math.ceil(Math.min(forWanted, most)));
}
