/** The columns of records that become GeoJSON features: the first `propertyCount` are the properties; the point is at two indexes. */
export type GeojsonColumns = {
  readonly propertyCount: number;
  readonly latitude: number;
  readonly longitude: number;
};
