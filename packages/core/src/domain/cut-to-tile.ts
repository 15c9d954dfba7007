import { TILE_BUFFER, TILE_EXTENT, type TileAddress } from '../geometry/tile.ts';
import type { Box, Outline, OutlineRing } from './outline.ts';

/**
 * The rings of an outline in the units of a tile, cut a little outside of its edges; none if nothing of it is in the
 * tile. Positions are rounded before they are cut, so that a border of two outlines stays the same in both.
 */
export function cutToTile(
  { outline, box, bits }: { readonly outline: Outline; readonly box: Box; readonly bits: number },
  { z, x, y }: TileAddress,
): readonly OutlineRing[] {
  const scale = TILE_EXTENT * 2 ** (z - bits);
  const [west, north] = [x * TILE_EXTENT, y * TILE_EXTENT];
  const isInside =
    box[0] * scale - west >= LEAST &&
    box[1] * scale - north >= LEAST &&
    box[2] * scale - west <= MOST &&
    box[3] * scale - north <= MOST;
  const rings: OutlineRing[] = [];
  let isOuterSeen = false;
  for (const { isHole, points } of outline.rings) {
    if (isHole && !isOuterSeen) continue;
    const placed = placePoints(points, { scale, west, north });
    const cut = isInside ? placed : cutRing(placed);
    const isSeen = isArea(cut);
    if (!isHole) isOuterSeen = isSeen;
    if (isSeen) rings.push({ isHole, points: cut });
  }
  return rings;
}

const LEAST = -TILE_BUFFER;
const MOST = TILE_EXTENT + TILE_BUFFER;

/** In whole units of the tile, without repeated positions. */
function placePoints(
  points: Int32Array,
  { scale, west, north }: { readonly scale: number; readonly west: number; readonly north: number },
): Int32Array {
  const placed = new Int32Array(points.length);
  let length = 0;
  for (let at = 0; at < points.length; at += 2) {
    const x = Math.round((points[at] ?? 0) * scale) - west;
    const y = Math.round((points[at + 1] ?? 0) * scale) - north;
    if (length > 0 && placed[length - 2] === x && placed[length - 1] === y) continue;
    placed[length] = x;
    placed[length + 1] = y;
    length += 2;
  }
  return withoutRepeatedEnd(placed.subarray(0, length));
}

function withoutRepeatedEnd(points: Int32Array): Int32Array {
  let { length } = points;
  while (length > 2 && points[0] === points[length - 2] && points[1] === points[length - 1]) {
    length -= 2;
  }
  return length === points.length ? points : points.subarray(0, length);
}

/** Cuts a ring at each edge in turn (Sutherland and Hodgman, 1974). */
function cutRing(points: Int32Array): Int32Array {
  let cut = points;
  for (const axis of [0, 1] as const) {
    let [least, most] = [Infinity, -Infinity];
    for (let at = axis; at < cut.length; at += 2) {
      least = Math.min(least, cut[at] ?? 0);
      most = Math.max(most, cut[at] ?? 0);
    }
    if (least > MOST || most < LEAST) return NO_POINTS;
    if (least < LEAST) cut = cutAt(cut, { axis, edge: LEAST, sign: 1 });
    if (most > MOST) cut = cutAt(cut, { axis, edge: MOST, sign: -1 });
  }
  return cut;
}

const NO_POINTS = new Int32Array();

/** The part of a ring on one side of an edge: the one where the axis grows, if the sign is positive. */
function cutAt(
  points: Int32Array,
  { axis, edge, sign }: { readonly axis: 0 | 1; readonly edge: number; readonly sign: 1 | -1 },
): Int32Array {
  const kept: number[] = [];
  const add = (x: number, y: number): void => {
    if (kept.at(-2) !== x || kept.at(-1) !== y) kept.push(x, y);
  };
  let before = points.length - 2;
  for (let at = 0; at < points.length; before = at, at += 2) {
    const [x = 0, y = 0] = [points[at], points[at + 1]];
    const [fromX = 0, fromY = 0] = [points[before], points[before + 1]];
    const [value, from] = axis === 0 ? [x, fromX] : [y, fromY];
    const isIn = (value - edge) * sign >= 0;
    if (isIn !== (from - edge) * sign >= 0) {
      const part = (edge - from) / (value - from);
      if (axis === 0) add(edge, Math.round(fromY + part * (y - fromY)));
      else add(Math.round(fromX + part * (x - fromX)), edge);
    }
    if (isIn) add(x, y);
  }
  return withoutRepeatedEnd(Int32Array.from(kept));
}

/** Readers take a ring without an area for a broken one. */
function isArea(points: Int32Array): boolean {
  if (points.length < 6) return false;
  let sum = 0;
  let before = points.length - 2;
  for (let at = 0; at < points.length; before = at, at += 2) {
    sum +=
      (points[before] ?? 0) * (points[at + 1] ?? 0) - (points[at] ?? 0) * (points[before + 1] ?? 0);
  }
  return sum !== 0;
}
