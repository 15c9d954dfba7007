import { type Dataset, findField } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { ExistenceOverlap } from '../domain/predicate.ts';

/** A field with a role. It exists, because a manifest with an unknown field is refused. */
export function roleField(dataset: Dataset, name: string): Field {
  const field = findField(dataset, name);
  if (field === undefined) throw new Error(`The dataset ${dataset.name} lost its field ${name}.`);
  return field;
}

/** The same for a role that may be undeclared. */
export function optionalField(dataset: Dataset, name: string | undefined): Field | undefined {
  return name === undefined ? undefined : roleField(dataset, name);
}

/** The declared fields of an existence. */
export function existenceFields(
  dataset: Dataset,
  { start, end }: NonNullable<Dataset['existence']>,
): Pick<ExistenceOverlap, 'existenceStart' | 'existenceEnd'> {
  return {
    existenceStart: optionalField(dataset, start),
    existenceEnd: optionalField(dataset, end),
  };
}
