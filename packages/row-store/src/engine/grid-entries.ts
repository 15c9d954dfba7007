import { addToSum, type ExactSum, FRACTIONS, NO_SUM } from '@locmetrics/core/domain/exact-sum';
import type { Value } from '@locmetrics/core/domain/value';
import { columnOf, TILE_CELLS, type TileGrid } from '@locmetrics/core/geometry/tile';
import type { TilePlan } from '@locmetrics/core/plan/read-plan';
import type { TileCell } from '@locmetrics/core/storage/engine';
import { aggregateOf } from '@locmetrics/core/storage/reference/aggregate-of';
import type { EntryBlock } from './entry-block.ts';
import type { FoundEntries } from './entry-filter.ts';

/** Collects entries of blocks into the cells of a tile. */
export type EntryGrid = {
  /** Adds those entries of a block. */
  readonly add: (block: EntryBlock, found: FoundEntries) => void;
  /** Adds the points of a block that lies in one cell, with the sums of the field of each aggregate. */
  readonly addWhole: (
    block: { readonly cell: number; readonly count: number },
    sums: readonly BlockSum[],
  ) => void;
  /** The cells that have points, row by row. */
  readonly end: () => readonly TileCell[];
};

/** The parts of the sum of a field in a block, as `openCellSums` keeps them, and the number of values. */
export type BlockSum = {
  readonly whole: number;
  readonly high: number;
  readonly low: number;
  readonly plain: number;
};

/** Undefined if a value is too large to be added as a number. */
export function sumBlock(block: EntryBlock, field: string): BlockSum | undefined {
  const sums = openCellSums(1);
  const keys = block.keysOf(field);
  for (let index = 0; index < block.count; index += 1) sums.add(0, keys[index] ?? null);
  return sums.plainOf(0);
}

const CELLS = TILE_CELLS * TILE_CELLS;

/** The cells are those of the reference, and the sums are as exact; only the loops make no objects. */
export function openEntryGrid({ grid, latitude, longitude, aggregates }: TilePlan): EntryGrid {
  const counts = new Float64Array(CELLS);
  const sums = aggregates.map(({ field }) => ({ name: field.name, sum: openCellSums(CELLS) }));
  let cells = new Uint16Array(0);
  return {
    add: (block, { indexes, size }) => {
      if (cells.length < size) cells = new Uint16Array(block.count);
      const points = {
        longitudes: block.keysOf(longitude.name),
        latitudes: block.keysOf(latitude.name),
      };
      findCells(grid, points, indexes, size, cells);
      for (let place = 0; place < size; place += 1) {
        const cell = cells[place] ?? 0;
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      for (const { name, sum } of sums) {
        const keys = block.keysOf(name);
        for (let place = 0; place < size; place += 1) {
          sum.add(cells[place] ?? 0, keys[indexes[place] ?? 0] ?? null);
        }
      }
    },
    addWhole: ({ cell, count }, known) => {
      counts[cell] = (counts[cell] ?? 0) + count;
      for (const [index, sum] of known.entries()) sums[index]?.sum.addSum(cell, sum);
    },
    end: () => {
      const found: TileCell[] = [];
      for (let cell = 0; cell < CELLS; cell += 1) {
        const count = counts[cell] ?? 0;
        if (count === 0) continue;
        found.push({
          column: cell % TILE_CELLS,
          row: Math.trunc(cell / TILE_CELLS),
          count,
          values: aggregates.map((aggregate, index) =>
            aggregateOf(aggregate, sums[index]?.sum.of(cell) ?? NO_SUM),
          ),
        });
      }
      return found;
    },
  };
}

/** The cell of each point. The latitudes of a block ascend, so the row of a point is mostly that of the one before. */
function findCells(
  grid: TileGrid,
  points: { readonly longitudes: ArrayLike<Value>; readonly latitudes: ArrayLike<Value> },
  indexes: Int32Array,
  size: number,
  into: Uint16Array,
): void {
  const { edges } = grid;
  const { longitudes, latitudes } = points;
  let row = TILE_CELLS - 1;
  for (let place = 0; place < size; place += 1) {
    const index = indexes[place] ?? 0;
    const latitude = Number(latitudes[index]);
    while (row > 0 && latitude > (edges[row] ?? 0)) row -= 1;
    while (row < TILE_CELLS - 1 && latitude <= (edges[row + 1] ?? 0)) row += 1;
    into[place] = row * TILE_CELLS + columnOf(grid, Number(longitudes[index]));
  }
}

/** The exact sums of a field in each cell. */
type CellSums = {
  readonly add: (cell: number, value: Value) => void;
  readonly addSum: (cell: number, sum: BlockSum) => void;
  readonly of: (cell: number) => ExactSum;
  /** Undefined if a value of the cell was not added as a number. */
  readonly plainOf: (cell: number) => BlockSum | undefined;
};

/** Numbers up to this are added as numbers; up to so many sums of them are exact. */
const PLAIN_MAX = 2 ** 32;
const PLAIN_SUMS_MAX = 2 ** 20;
/** A fraction is split into two whole numbers, so that each sum stays below 2^53. */
const HIGH_FRACTIONS = 2 ** 26;
const LOW_FRACTIONS = FRACTIONS / HIGH_FRACTIONS;

function openCellSums(cells: number): CellSums {
  const whole = new Float64Array(cells);
  const high = new Float64Array(cells);
  const low = new Float64Array(cells);
  const plain = new Uint32Array(cells);
  const exact = new Map<number, ExactSum>();
  const sumOf = (cell: number): ExactSum => {
    const known = exact.get(cell) ?? NO_SUM;
    const added = plain[cell] ?? 0;
    return {
      whole: known.whole + BigInt(whole[cell] ?? 0),
      fraction:
        known.fraction + BigInt(high[cell] ?? 0) * BigInt(LOW_FRACTIONS) + BigInt(low[cell] ?? 0),
      count: known.count + added,
      added: known.added + added,
    };
  };
  const carry = (cell: number): void => {
    exact.set(cell, sumOf(cell));
    for (const part of [whole, high, low, plain]) part[cell] = 0;
  };
  return {
    add: (cell, value) => {
      if (value === null) return;
      if (typeof value !== 'number' || !(Math.abs(value) <= PLAIN_MAX)) {
        exact.set(cell, addToSum(exact.get(cell) ?? NO_SUM, value));
        return;
      }
      const part = Math.trunc(value);
      whole[cell] = (whole[cell] ?? 0) + part;
      if (part !== value) {
        const fraction = Math.trunc((value - part) * FRACTIONS);
        const upper = Math.trunc(fraction / LOW_FRACTIONS);
        high[cell] = (high[cell] ?? 0) + upper;
        low[cell] = (low[cell] ?? 0) + (fraction - upper * LOW_FRACTIONS);
      }
      plain[cell] = (plain[cell] ?? 0) + 1;
      if (plain[cell] === PLAIN_SUMS_MAX) carry(cell);
    },
    addSum: (cell, sum) => {
      // First, so that it stays exact whatever a block has.
      if ((plain[cell] ?? 0) + sum.plain >= PLAIN_SUMS_MAX) carry(cell);
      whole[cell] = (whole[cell] ?? 0) + sum.whole;
      high[cell] = (high[cell] ?? 0) + sum.high;
      low[cell] = (low[cell] ?? 0) + sum.low;
      plain[cell] = (plain[cell] ?? 0) + sum.plain;
    },
    plainOf: (cell) =>
      exact.has(cell)
        ? undefined
        : {
            whole: whole[cell] ?? 0,
            high: high[cell] ?? 0,
            low: low[cell] ?? 0,
            plain: plain[cell] ?? 0,
          },
    of: sumOf,
  };
}
