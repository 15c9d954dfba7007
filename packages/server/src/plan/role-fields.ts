import { type Dataset, findField } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';

/** A field with a role. It exists, because a manifest with an unknown field is refused. */
export function roleField(dataset: Dataset, name: string): Field {
  const field = findField(dataset, name);
  if (field === undefined) throw new Error(`The dataset ${dataset.name} lost its field ${name}.`);
  return field;
}

/** The declared fields of an existence. */
export function existenceFields(
  dataset: Dataset,
  { start, end }: NonNullable<Dataset['existence']>,
): { readonly existenceStart?: Field; readonly existenceEnd?: Field } {
  return {
    ...(start === undefined ? {} : { existenceStart: roleField(dataset, start) }),
    ...(end === undefined ? {} : { existenceEnd: roleField(dataset, end) }),
  };
}
