import type { Predicate } from '@locmetrics/core/domain/predicate';
import { columnOf, rowOf, TILE_CELLS } from '@locmetrics/core/geometry/tile';
import type { TilePlan } from '@locmetrics/core/plan/read-plan';
import type { RowFacts } from '../row-file.ts';
import { isOnPlace, placeOfBlock } from './block-places.ts';
import { conditionsOf, isCovered, refersToFeatures } from './entry-filter.ts';
import type { RowFile } from './open-row-file.ts';
import { blocksOfBox } from './read-box.ts';

/** How the row store finds the records of a tile: by the blocks of points that can lie in it. */
export type TileAccess = {
  readonly kind: 'tile';
  /** Blocks that lie in one cell of the tile, if all of their points count. Their sums are read once. */
  readonly counted: readonly CountedBlock[];
  /** Other blocks whose points all lie in the tile, and in the boxes of the conditions. */
  readonly inside: readonly number[];
  /** Blocks that have points of the tile, and may have others. */
  readonly atEdges: readonly number[];
  /** The number of points in the tile is at least this. */
  readonly least: number;
  /** The conditions on the place of a point. */
  readonly places: readonly Predicate[];
  /** The other conditions that blocks have the values for. */
  readonly covered: readonly Predicate[];
  /** The conditions that only the records have the values for. */
  readonly others: readonly Predicate[];
  /** Whether blocks have the values of all aggregates. */
  readonly hasAggregates: boolean;
};

export type CountedBlock = {
  readonly block: number;
  /** The number of the cell: its row times the number of columns, plus its column. */
  readonly cell: number;
  readonly count: number;
};

/** Undefined if the file has no points, or a condition is on another dataset or a withheld coordinate. */
export function tileAccessOf(
  plan: TilePlan,
  file: Pick<RowFile, 'facts' | 'boxes'>,
): TileAccess | undefined {
  const { version, aggregates, limit } = plan;
  const { facts } = file;
  const conditions = conditionsOf(version, plan.predicates);
  if (conditions.some(refersToFeatures)) return undefined;
  const isInBlocks = (one: Predicate): boolean => isCovered(version, [one], facts);
  const isPlace = (one: Predicate): boolean =>
    one.kind === 'box' ||
    one.kind === 'polygon' ||
    (one.kind === 'compare' && placeBound(one, plan) !== undefined);
  const places = conditions.filter(isPlace);
  if (!places.every(isInBlocks)) return undefined;
  const blocks = blocksOfBox(conditions, file);
  if (blocks === undefined) return undefined;
  const rest = conditions.filter((one) => !places.includes(one));
  const covered = rest.filter(isInBlocks);
  const others = rest.filter((one) => !covered.includes(one));
  const edges = file.boxes();
  const bounds = places.map((one) => boundsOf(one, plan));
  const isInside = (block: number): boolean => bounds.every((has) => has(edges, block * 4));
  const inside: number[] = [];
  const atEdges: number[] = [];
  for (const block of blocks) (isInside(block) ? inside : atEdges).push(block);
  const isPlain = rest.length === 0;
  const least = isPlain ? inside.reduce((sum, block) => sum + pointsIn(block, facts), 0) : 0;
  const suppressed = version.narrowing?.suppressed ?? [];
  const access = {
    kind: 'tile',
    atEdges,
    least,
    places,
    covered,
    others,
    hasAggregates: aggregates.every(
      ({ field: { name } }) =>
        facts.covered.includes(name) && suppressed.every((field) => field.name !== name),
    ),
  } as const;
  // A point is returned with its record, which only its block tells.
  if (least <= limit || !access.hasAggregates) return { ...access, counted: [], inside };
  const counted: CountedBlock[] = [];
  const several: number[] = [];
  const cellAt = (lng: number, lat: number): number =>
    rowOf(plan.grid, lat) * TILE_CELLS + columnOf(plan.grid, lng);
  for (const block of inside) {
    const [west = 0, south = 0, east = 0, north = 0] = edges.subarray(block * 4, block * 4 + 4);
    const cell = cellAt(west, south);
    if (cell !== cellAt(east, north)) several.push(block);
    else counted.push({ block, cell, count: pointsIn(block, facts) });
  }
  return { ...access, counted, inside: several };
}

/** Only the last block can have fewer points than the others. */
function pointsIn(block: number, { points = 0, sizes }: RowFacts): number {
  return Math.min(sizes.points, points - block * sizes.points);
}

/** The side of a point on which a comparison of its longitude or latitude sets a bound. */
function placeBound(
  { field, operator, value }: Extract<Predicate, { readonly kind: 'compare' }>,
  { latitude, longitude }: TilePlan,
):
  | { readonly isLatitude: boolean; readonly operator: '<' | '>'; readonly value: number }
  | undefined {
  if (typeof value !== 'number' || (operator !== '<' && operator !== '>')) return undefined;
  if (field.name === latitude.name) return { isLatitude: true, operator, value };
  return field.name === longitude.name ? { isLatitude: false, operator, value } : undefined;
}

/** Tells whether a condition on the place is true for all points of a block, whose edges begin at an index. */
function boundsOf(
  condition: Predicate,
  plan: TilePlan,
): (edges: Float64Array, at: number) => boolean {
  if (isOnPlace(condition)) {
    return (edges, at) => placeOfBlock(condition, edges, at) === 'inside';
  }
  const bound = condition.kind === 'compare' ? placeBound(condition, plan) : undefined;
  if (bound === undefined) return () => false;
  const { isLatitude, operator, value } = bound;
  const first = isLatitude ? 1 : 0;
  return (edges, at) =>
    operator === '<' ? (edges[at + first + 2] ?? 0) < value : (edges[at + first] ?? 0) > value;
}
