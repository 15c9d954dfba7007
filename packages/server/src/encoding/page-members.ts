/** Members of a page. In JSON `Token` is the token of the next page, over gRPC a function of the number of sent rows. */
export type PageOf<Token> = {
  readonly totalSize: number;
  readonly costRows?: number;
  readonly nextPageToken: Token;
  readonly version: string;
};

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
