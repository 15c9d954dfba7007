import type { Dataset } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { GeojsonColumns } from '../domain/geojson-columns.ts';
import { ServiceError } from '../errors/service-error.ts';
import { roleField } from './role-fields.ts';

/**
 * The fields to read for GeoJSON features with these properties, and the columns of their points. Refused: a dataset whose
 * records have no point, or none that the caller sees.
 */
export function planGeojson(
  properties: readonly Field[],
  dataset: Dataset,
): { readonly fields: readonly Field[]; readonly geojsonColumns: GeojsonColumns } {
  const { name, point } = dataset;
  if (point === undefined) {
    throw new ServiceError(
      'UNAVAILABLE_OPTION',
      `The records of ${name} have no point, so they cannot be written as GeoJSON.`,
      { hint: 'Get them as CSV or NDJSON.' },
    );
  }
  const fields = [...properties];
  const columnOf = (role: string): number => {
    const place = fields.findIndex((field) => field.name === role);
    return place < 0 ? fields.push(roleField(dataset, role)) - 1 : place;
  };
  return {
    fields,
    geojsonColumns: {
      propertyCount: properties.length,
      latitude: columnOf(point.latitude),
      longitude: columnOf(point.longitude),
    },
  };
}
