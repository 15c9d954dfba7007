/** The totals of the metric query interface have 32 bits. */
const TOTAL_SIZE_MAX = 2 ** 31 - 1;

/** A total for the metric query interface, capped at 2147483647. */
export function capTotalSize(totalSize: number): number {
  return Math.min(totalSize, TOTAL_SIZE_MAX);
}
