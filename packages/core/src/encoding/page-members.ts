/** The members of a page that are not its rows. */
export type PageMembers = {
  readonly totalSize: number;
  readonly costRows?: number;
  readonly nextPageToken: TokenAfter;
  readonly version: string;
};

/** The token of the page after so many rows of this one. A message may have fewer than JSON, which has all. */
export type TokenAfter = (sentRows: number) => string;

/** The totals of the metric query interface have 32 bits. */
const TOTAL_SIZE_MAX = 2 ** 31 - 1;

/** A total for the metric query interface, capped at 2147483647. */
export function capTotalSize(totalSize: number): number {
  return Math.min(totalSize, TOTAL_SIZE_MAX);
}

/** The rows that all pages of a request cost, as a member of a message, if requested. */
export function costMember({ costRows }: { readonly costRows?: number }): {
  readonly costRows?: bigint;
} {
  return costRows === undefined ? {} : { costRows: BigInt(costRows) };
}
