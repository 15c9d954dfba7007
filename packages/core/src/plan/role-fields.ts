import { type Dataset, findField } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { ExistenceOverlap } from '../domain/predicate.ts';
import type { LayerVersion } from '../domain/version.ts';

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

/** The fields of the features of a layer, each once. */
export function featureFields({ layer, features }: LayerVersion): readonly Field[] {
  const { point, existence } = layer;
  const names = [
    layer.featureId,
    layer.name,
    ...(point === undefined ? [] : [point.latitude, point.longitude]),
    ...[existence?.start, existence?.end].filter((name) => name !== undefined),
    ...layer.addressComponents.flatMap(({ fields }) =>
      [fields.value, fields.shortName, fields.displayName].filter((name) => name !== undefined),
    ),
  ];
  return [...new Set(names.map((name) => roleField(features.dataset, name)))];
}
