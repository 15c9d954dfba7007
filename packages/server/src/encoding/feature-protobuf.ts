import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { mapsV1 } from '@locmetrics/contract/grpc';
import { type Feature, pointGeometry } from '../domain/feature.ts';

/** The bytes of a Feature. */
export function encodeFeatureMessage(feature: Feature): Uint8Array {
  const { layerId, featureId, name, cameIntoExistence, ceasedToExist } = feature;
  const point = pointGeometry(feature);
  const message: MessageInitShape<typeof mapsV1.FeatureSchema> = {
    layerId,
    featureId,
    name,
    geo: point,
    point,
    addressComponents: [...feature.addressComponents],
    cameIntoExistence,
    ceasedToExist,
  };
  return toBinary(mapsV1.FeatureSchema, create(mapsV1.FeatureSchema, message));
}
