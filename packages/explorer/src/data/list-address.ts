import { damaged } from './selection.ts';

/** The state of a list, as the address has it. */
export type ListAddress = {
  /** Words that its items have. */
  readonly find?: string | undefined;
};

export function readListAddress(query: Readonly<Record<string, unknown>>): ListAddress {
  const { find } = query;
  if (find === undefined) return {};
  if (typeof find === 'string') return { find };
  // A number that somebody typed is parsed as one.
  if (typeof find === 'number') return { find: String(find) };
  throw damaged('find', find, 'a text');
}
