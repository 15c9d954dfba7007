import { mapsV1 } from '@locmetrics/contract/grpc';
import { type AddressComponentValue, type Feature, pointGeometry } from '../domain/feature.ts';
import { type EncodedField, encodeFields, textFields } from './encode-fields.ts';

const FIELD = mapsV1.FeatureSchema.field;
const COMPONENT_FIELD = mapsV1.AddressComponentValueSchema.field;

/** The bytes of a Feature. */
export function encodeFeatureMessage(feature: Feature): Uint8Array {
  const { layerId, featureId, name, cameIntoExistence, ceasedToExist } = feature;
  const point = pointGeometry(feature);
  return encodeFields([
    ...textFields([
      [FIELD.layerId.number, layerId],
      [FIELD.featureId.number, featureId],
      [FIELD.name.number, name],
      [FIELD.geo.number, point],
    ]),
    ...feature.addressComponents.map(
      (component): EncodedField => [
        FIELD.addressComponents.number,
        encodeComponentValue(component),
      ],
    ),
    ...textFields([
      [FIELD.point.number, point],
      [FIELD.polygon.number, feature.polygon ?? ''],
      [FIELD.cameIntoExistence.number, cameIntoExistence],
      [FIELD.ceasedToExist.number, ceasedToExist],
    ]),
  ]);
}

/** The bytes of an AddressComponentValue. */
export function encodeComponentValue(found: AddressComponentValue): Uint8Array {
  return encodeFields(
    textFields([
      [COMPONENT_FIELD.component.number, found.component],
      [COMPONENT_FIELD.value.number, found.value],
      [COMPONENT_FIELD.shortName.number, found.shortName],
      [COMPONENT_FIELD.displayName.number, found.displayName],
    ]),
  );
}
