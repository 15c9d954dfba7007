/** The rows that all pages of a request cost, where they were asked for, as a member of a message. */
export function costMember({ costRows }: { readonly costRows?: number }): {
  readonly costRows?: bigint;
} {
  return costRows === undefined ? {} : { costRows: BigInt(costRows) };
}
