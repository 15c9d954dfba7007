/** The totals of the metric query interface are of 32 bits. */
const TOTAL_SIZE_MAX = 2 ** 31 - 1;

/** A total as the metric query interface tells it: it stops at 2147483647. */
export function capTotalSize(totalSize: number): number {
  return Math.min(totalSize, TOTAL_SIZE_MAX);
}
