import type { Field } from '../domain/field.ts';
import type { LayerVersion } from '../domain/version.ts';
import { roleField } from './role-fields.ts';

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
