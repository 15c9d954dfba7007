import type { UnitVector } from '../domain/unit-vector.ts';
import type { ParameterList } from './parameter-list.ts';

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
