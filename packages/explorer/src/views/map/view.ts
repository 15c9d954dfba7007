import type { Box } from '../../data/box.ts';
import type { Colour } from '../../data/map-address.ts';

/** The part of the world on the screen, and the values of cells and points in it. */
export type View = {
  readonly box: Box;
  /** The measure of the values. */
  readonly colour: Colour | undefined;
  readonly cells: readonly number[];
  /** Empty if points have one colour. */
  readonly points: readonly number[];
  /** How often each value of the field of categories is on a point. */
  readonly categories: ReadonlyMap<string, number>;
  readonly cellsWithoutValue: boolean;
  readonly pointsWithoutValue: boolean;
  readonly hasPoints: boolean;
  readonly cellWidthMetres: number;
};
