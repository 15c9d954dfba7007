import type { Predicate } from '@locmetrics/core/domain/predicate';
import { type BoundingBox, crossesAntimeridian } from '@locmetrics/core/geometry/bounding-box';
import { type BoxPlace, placeOfBox } from '@locmetrics/core/geometry/box-in-ring';
import type { RowFile } from './open-row-file.ts';

/** Blocks of points, by what the boxes around them tell of their points. */
export type BlockPlaces = {
  /** All points match the conditions on the place. */
  readonly inside: readonly number[];
  /** Each point has to be compared. */
  readonly atEdges: readonly number[];
  /** The conditions that are not on the place. */
  readonly others: readonly Predicate[];
};

/** Divides blocks. Those of which no point matches a condition on the place are left out. */
export function placeBlocks(
  conditions: readonly Predicate[],
  blocks: readonly number[],
  file: Pick<RowFile, 'boxes'>,
): BlockPlaces {
  const edges = file.boxes();
  const places = conditions.filter(isOnPlace);
  const [inside, atEdges]: [number[], number[]] = [[], []];
  for (const block of blocks) {
    const found = places.map((one) => placeOfBlock(one, edges, block * 4));
    if (found.every((place) => place === 'inside')) inside.push(block);
    else if (!found.includes('outside')) atEdges.push(block);
  }
  return { inside, atEdges, others: conditions.filter((one) => !isOnPlace(one)) };
}

type OnPlace = Extract<Predicate, { readonly kind: 'box' | 'polygon' }>;

export function isOnPlace(condition: Predicate): condition is OnPlace {
  return condition.kind === 'box' || condition.kind === 'polygon';
}

/** The result of a condition for the points of a block; the edges of the block begin at an index. */
export function placeOfBlock(condition: OnPlace, edges: Float64Array, at: number): BoxPlace {
  if (condition.kind === 'box') return contains(condition.box, edges, at) ? 'inside' : 'both';
  const [minLng = 0, minLat = 0, maxLng = 0, maxLat = 0] = edges.subarray(at, at + 4);
  return placeOfBox({ minLng, minLat, maxLng, maxLat }, condition.ring);
}

/** Whether all points of a block, whose edges begin at an index, are in a box. */
function contains(box: BoundingBox, edges: Float64Array, at: number): boolean {
  const [minLng, maxLng] = [edges[at] ?? 0, edges[at + 2] ?? 0];
  if ((edges[at + 1] ?? 0) < box.minLat || (edges[at + 3] ?? 0) > box.maxLat) return false;
  return crossesAntimeridian(box)
    ? minLng >= box.minLng || maxLng <= box.maxLng
    : minLng >= box.minLng && maxLng <= box.maxLng;
}
