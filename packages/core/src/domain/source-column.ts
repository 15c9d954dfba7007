import type { Dataset } from './dataset.ts';
import type { Field } from './field.ts';

/** The parts of a dataset that define the roles of its fields. */
export type FieldRoles = Pick<Dataset, 'key' | 'point' | 'period' | 'existence'>;

/**
 * The default source column of a field: `[namespace].[column].[type]`, derived from its role (period,
 * existence, key, place, measure) and its name.
 */
export function defaultSourceColumn(
  { name, type }: Pick<Field, 'name' | 'type'>,
  { key, point, period, existence }: FieldRoles,
): string {
  if (name === period?.start) return 'observation_period.start.value';
  if (name === period?.end) return 'observation_period.end.value';
  if (name === existence?.start) return 'feature.came_into_existence.value';
  if (name === existence?.end) return 'feature.ceased_to_exist.value';
  if (name === key[0]) return 'feature.feature_id.value';
  const isCoordinate = name === point?.latitude || name === point?.longitude;
  const isMeasure = (type === 'integer' || type === 'float') && !isCoordinate;
  return `${isMeasure ? 'metric_value' : 'feature'}.${name}.value`;
}
