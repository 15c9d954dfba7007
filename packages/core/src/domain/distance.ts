import { EARTH_RADIUS_METRES } from '../geometry/circle.ts';
import type { Field } from './field.ts';
import type { Value } from './value.ts';

/** The value that records have in addition to their fields, after them, if they are ordered by distance. */
export const DISTANCE_FIELD: Field = {
  name: 'distance_metres',
  type: 'float',
  sourceColumn: '',
  description: 'The distance from the point of the request, in metres.',
  exampleValue: '',
  includedByDefault: false,
};

/** The distance of two points in metres, by the square of the chord between their unit vectors; absent without one. */
export function distanceMetres(chordSquared: Value): number | null {
  if (typeof chordSquared !== 'number') return null;
  // A chord can be longer than a diameter by its rounding.
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chordSquared) / 2));
}
