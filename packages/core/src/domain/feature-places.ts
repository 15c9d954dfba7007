/** Where the properties and the point of a feature are among the values of a record: the first values are the properties. */
export type FeaturePlaces = {
  readonly propertyCount: number;
  readonly latitude: number;
  readonly longitude: number;
};
