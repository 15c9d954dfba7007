import type { Dataset } from '../domain/dataset.ts';
import type { FeaturePlaces } from '../domain/feature-places.ts';
import type { Field } from '../domain/field.ts';
import { ServiceError } from '../errors/service-error.ts';
import { roleField } from './role-fields.ts';

/**
 * The fields to read for features with these properties and the point of the record, and where they are. Refused: a dataset
 * whose records have no point, or none that the caller sees.
 */
export function planFeatures(
  properties: readonly Field[],
  dataset: Dataset,
): { readonly fields: readonly Field[]; readonly places: FeaturePlaces } {
  const { name, point } = dataset;
  if (point === undefined) {
    throw new ServiceError(
      'UNAVAILABLE_OPTION',
      `The records of ${name} have no point, so they cannot be written as GeoJSON.`,
      { hint: 'Get them as CSV or NDJSON.' },
    );
  }
  const fields = [...properties];
  const placeOf = (role: string): number => {
    const place = fields.findIndex((field) => field.name === role);
    return place < 0 ? fields.push(roleField(dataset, role)) - 1 : place;
  };
  return {
    fields,
    places: {
      propertyCount: properties.length,
      latitude: placeOf(point.latitude),
      longitude: placeOf(point.longitude),
    },
  };
}
