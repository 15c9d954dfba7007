import { addToSum, type ExactSum, NO_SUM } from '../../domain/exact-sum.ts';
import type { Value } from '../../domain/value.ts';
import { TILE_CELLS } from '../../geometry/tile.ts';
import type { TileAggregate } from '../../plan/read-plan.ts';
import type { TileCell } from '../engine.ts';
import { aggregateOf } from './aggregate-of.ts';

/** Collects the records of a tile into its cells. */
export type TileCells = {
  /** Adds a record with its values of the fields of the aggregates. */
  readonly add: (
    cell: { readonly column: number; readonly row: number },
    values: readonly Value[],
  ) => void;
  /** The cells that have records, row by row. */
  readonly end: () => readonly TileCell[];
};

export function openTileCells(aggregates: readonly TileAggregate[]): TileCells {
  const cells = new Map<number, { count: number; readonly sums: ExactSum[] }>();
  return {
    add: ({ column, row }, values) => {
      const place = row * TILE_CELLS + column;
      const cell = cells.get(place) ?? { count: 0, sums: aggregates.map(() => NO_SUM) };
      cells.set(place, cell);
      cell.count += 1;
      for (const [index, value] of values.entries()) {
        if (value !== null) cell.sums[index] = addToSum(cell.sums[index] ?? NO_SUM, value);
      }
    },
    end: () =>
      [...cells]
        .sort(([left], [right]) => left - right)
        .map(([place, { count, sums }]) => ({
          column: place % TILE_CELLS,
          row: Math.trunc(place / TILE_CELLS),
          count,
          values: aggregates.map((aggregate, index) => {
            const sum = sums[index] ?? NO_SUM;
            return aggregateOf(aggregate, sum);
          }),
        })),
  };
}
