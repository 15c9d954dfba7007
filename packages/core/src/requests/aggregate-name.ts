import type { Field } from '../domain/field.ts';

/** A value computed from a field, for example its sum. */
export type Aggregate = { readonly function: string; readonly field: Field };

/** The name of an aggregate as a request has it: `sum:population`. */
export function aggregateName({ function: of, field }: Aggregate): string {
  return `${of}:${field.name}`;
}
