/**
 * The columns of records that become GeoJSON features: the first `propertyCount` are the properties, and the one with the
 * distance, if there is one; the point is at two indexes.
 */
export type GeojsonColumns = {
  readonly propertyCount: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly distance?: number | undefined;
};
