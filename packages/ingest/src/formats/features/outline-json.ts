import type { ToDegrees } from './coordinate-system.ts';
import { type FileGeometry, type Outline, type Position, WrongGeometry } from './outline.ts';

type Ring = readonly Position[];

/** The outline of a geometry of a file as GeoJSON in degrees; for another geometry its type, or why it has none. */
export function outlineJson(geometry: FileGeometry, { convert, isDegrees }: ToDegrees): string {
  if (geometry === undefined) return 'null';
  const { type } = geometry;
  try {
    const outline = geometry.outline();
    if (outline.kind !== 'area') return JSON.stringify({ type });
    const toRing = (ring: Ring) => ring.map((at) => (isDegrees ? at : rounded(convert(at))));
    const polygons = polygonsOf(outline).map((rings) => wound(rings.map(toRing)));
    if (!polygons.flat(2).every((position) => position.every(Number.isFinite))) {
      throw new WrongGeometry('has a position outside its coordinate system');
    }
    return JSON.stringify(
      polygons.length === 1
        ? { type: 'Polygon', coordinates: polygons[0] }
        : { type: 'MultiPolygon', coordinates: polygons },
    );
  } catch (error) {
    if (!(error instanceof WrongGeometry)) throw error;
    return JSON.stringify(/polygon$/i.test(type) ? { type, problem: error.message } : { type });
  }
}

/** A conversion is right to a few digits less than a float has. */
function rounded([longitude, latitude]: Position): Position {
  return [Math.round(longitude * 1e9) / 1e9, Math.round(latitude * 1e9) / 1e9];
}

function polygonsOf({ parts, ringCounts }: Outline): readonly (readonly Ring[])[] {
  if (ringCounts === undefined) return groupRings(parts);
  let start = 0;
  return ringCounts.map((count) => {
    start += count;
    return parts.slice(start - count, start);
  });
}

/** As GeoJSON demands: outer rings are counterclockwise, and holes clockwise. */
function wound(rings: readonly Ring[]): readonly Ring[] {
  return rings.map((ring, index) =>
    signedArea(ring) > 0 === (index === 0) ? ring : ring.toReversed(),
  );
}

/** In a shapefile outer rings are clockwise, and holes are somewhere after them. */
function groupRings(rings: readonly Ring[]): readonly (readonly Ring[])[] {
  const isHole = (ring: Ring) => signedArea(ring) > 0;
  const polygons = rings
    .filter((ring) => !isHole(ring))
    .map((outer) => ({ outer, box: boxOf(outer), holes: [] as Ring[] }));
  const alone: Ring[] = [];
  for (const hole of rings.filter(isHole)) {
    const [inside] = hole;
    const around = polygons.find(
      ({ outer, box }) => inside !== undefined && isInBox(inside, box) && hasInside(outer, hole),
    );
    if (around === undefined) alone.push(hole);
    else around.holes.push(hole);
  }
  return [
    ...polygons.map(({ outer, holes }) => [outer, ...holes]),
    // Some writers do not keep to the order, so a hole in nothing is an area.
    ...alone.map((ring) => [ring]),
  ];
}

function signedArea(ring: Ring): number {
  return eachEdge(ring).reduce((sum, [[x1, y1], [x2, y2]]) => sum + (x2 - x1) * (y1 + y2), 0) / -2;
}

function eachEdge(ring: Ring): readonly (readonly [Position, Position])[] {
  return ring.slice(1).map((to, index) => [ring[index] ?? to, to]);
}

function boxOf(ring: Ring): { readonly least: Position; readonly most: Position } {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    [west, south] = [Math.min(west, x), Math.min(south, y)];
    [east, north] = [Math.max(east, x), Math.max(north, y)];
  }
  return { least: [west, south], most: [east, north] };
}

function isInBox([x, y]: Position, { least, most }: ReturnType<typeof boxOf>): boolean {
  return x >= least[0] && x <= most[0] && y >= least[1] && y <= most[1];
}

/** Whether a hole is inside a ring, by its corners that are not on the ring. */
function hasInside(outer: Ring, hole: Ring): boolean {
  const corners = new Set(outer.map(String));
  const free = hole.find((corner) => !corners.has(String(corner)));
  return free === undefined || contains(outer, free);
}

function contains(ring: Ring, [x, y]: Position): boolean {
  return eachEdge(ring).reduce(
    (isInside, [[x1, y1], [x2, y2]]) =>
      y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1) ? !isInside : isInside,
    false,
  );
}
