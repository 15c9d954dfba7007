/** Which grant a form replaces; absent: it adds one. */
export type GrantAddress = { readonly replaces?: string };

export function readGrantAddress({ replaces }: Readonly<Record<string, unknown>>): GrantAddress {
  return replaces === undefined ? {} : { replaces: String(replaces) };
}
