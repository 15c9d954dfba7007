import { damaged } from './selection.ts';

/** The state of the first look at a dataset, as the address has it. */
export type FieldAddress = {
  /** The field that is shown. */
  readonly field?: string | undefined;
};

export function readFieldAddress(query: Readonly<Record<string, unknown>>): FieldAddress {
  const { field } = query;
  if (field === undefined) return {};
  if (typeof field === 'string') return { field };
  throw damaged('field', field, 'the name of a field');
}
