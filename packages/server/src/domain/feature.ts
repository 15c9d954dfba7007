/** A feature (location) of a layer, as answers show it; empty texts where something is unknown. */
export type Feature = {
  readonly layerId: string;
  readonly featureId: string;
  readonly name: string;
  /** Degrees, WGS 84. */
  readonly point?: { readonly latitude: number; readonly longitude: number };
  /** In the order of the layer; each component of it, whether the feature has a value or not. */
  readonly addressComponents: readonly AddressComponentValue[];
  /** Days `YYYY-MM-DD`, or empty. */
  readonly cameIntoExistence: string;
  readonly ceasedToExist: string;
};

export type AddressComponentValue = {
  readonly component: string;
  readonly value: string;
  readonly shortName: string;
  readonly displayName: string;
};

/** The point as a GeoJSON geometry (RFC 7946, longitude first); empty where there is none. */
export function pointGeometry({ point }: Pick<Feature, 'point'>): string {
  return point === undefined
    ? ''
    : `{"type":"Point","coordinates":[${point.longitude},${point.latitude}]}`;
}
