/** A feature (location) of a layer as returned in answers; unknown texts are empty. */
export type Feature = {
  readonly layerId: string;
  readonly featureId: string;
  readonly name: string;
  /** Degrees, WGS 84. */
  readonly point?: { readonly latitude: number; readonly longitude: number };
  /** The outline as it was published, if the layer has outlines and the request wants them. */
  readonly polygon?: string;
  /** All components of the layer in its order, including those without a value. */
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

/** The point as a GeoJSON geometry (RFC 7946, longitude first); empty without a point. */
export function pointGeometry({ point }: Pick<Feature, 'point'>): string {
  return point === undefined
    ? ''
    : `{"type":"Point","coordinates":[${point.longitude},${point.latitude}]}`;
}
