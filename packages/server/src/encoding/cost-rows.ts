/** The rows that all pages of a request cost, as a member of a message, if requested. */
export function costMember({ costRows }: { readonly costRows?: number }): {
  readonly costRows?: bigint;
} {
  return costRows === undefined ? {} : { costRows: BigInt(costRows) };
}
