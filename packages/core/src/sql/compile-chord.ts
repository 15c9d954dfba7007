import type { UnitVector } from '../geometry/unit-vector.ts';
import type { OrderTerm } from '../plan/read-plan.ts';
import type { ParameterList } from './parameter-list.ts';
import { quoteIdentifier } from './quote-identifier.ts';

/** The columns with the unit vector of the point of a record, in versions that have vectors; absent without a point. */
export const VECTOR_COLUMNS = { x: '_vector_x', y: '_vector_y', z: '_vector_z' } as const;

/** The square of the chord from the point of a record to another one, in the steps of `chordSquared`. */
export function compileChordSquared(to: UnitVector, list: ParameterList): string {
  const squares = (['x', 'y', 'z'] as const).map((axis) => {
    const difference = `(${VECTOR_COLUMNS[axis]} - ${list.bind('float', to[axis])})`;
    return `${difference} * ${difference}`;
  });
  return `(${squares.join(' + ')})`;
}

/** The same for an order by distance, absent without a point. The vectors are those of all records: a point can be withheld. */
export function compileNear(
  { latitude, longitude, target }: NearTerm,
  list: ParameterList,
): string {
  const isThere = [latitude, longitude].map(({ name }) => `${quoteIdentifier(name)} IS NOT NULL`);
  return `CASE WHEN ${isThere.join(' AND ')} THEN ${compileChordSquared(target, list)} END`;
}

export type NearTerm = Extract<OrderTerm, { readonly kind: 'near' }>;

/** The column of it after the fields of sorted records. */
export const CHORD_COLUMN = '_chord';
