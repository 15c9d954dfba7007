import type { BoundaryFeature } from './boundary-features.ts';
import type { Refuse } from './refuse.ts';

/** Rings of positions, the outer one first, closed, as the library takes them. */
export type Polygon = number[][][];

/**
 * A polygon whose longitudes do not jump where it crosses the antimeridian: they go on beyond 180 degrees. A
 * polygon that is cut there, as GeoJSON demands, stays as it is.
 */
export function unwrapPolygon(
  rings: BoundaryFeature['polygons'][number],
  { place, refuse }: { readonly place: string; readonly refuse: Refuse },
): Polygon {
  const unwrapped = rings.map((ring) => unwrapRing(ring, { place, refuse }));
  const [outer = [], ...holes] = unwrapped;
  return [outer, ...holes.map((hole) => besideOuter(hole, outer))];
}

function unwrapRing(
  ring: readonly (readonly number[])[],
  { place, refuse }: { readonly place: string; readonly refuse: Refuse },
): number[][] {
  let turn = 0;
  let before: number | undefined;
  const unwrapped: number[][] = [];
  for (const [longitude = 0, latitude = 0] of ring) {
    if (!(Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90)) {
      throw refuse(
        `${place} has the position ${longitude}, ${latitude}, which is not a longitude and a latitude`,
        'Convert the file to WGS 84 (EPSG:4326), for example with ogr2ogr -t_srs EPSG:4326.',
      );
    }
    const jump = longitude - (before ?? longitude);
    // A jump of a whole turn is the edge of a map that ends at a pole.
    if (Math.abs(jump) > 180 && Math.abs(jump) < 360) turn -= 360 * Math.sign(jump);
    before = longitude;
    unwrapped.push([longitude + turn, latitude]);
  }
  if (turn !== 0) {
    throw refuse(
      `${place} goes around a pole`,
      'Cut it at 180 degrees, as GeoJSON demands (RFC 7946, 3.1.9).',
    );
  }
  const [first = [], last = []] = [unwrapped[0], unwrapped.at(-1)];
  return first[0] === last[0] && first[1] === last[1] ? unwrapped : [...unwrapped, first];
}

/** A hole whose longitudes are a whole turn away from those of the outer ring. */
function besideOuter(hole: number[][], outer: number[][]): number[][] {
  const longitudes = outer.map(([longitude = 0]) => longitude);
  const west = longitudes.reduce((left, right) => Math.min(left, right), 720);
  const east = longitudes.reduce((left, right) => Math.max(left, right), -720);
  const isBeside = (turn: number) =>
    hole.every(([longitude = 0]) => longitude + turn >= west && longitude + turn <= east);
  const turn = [0, 360, -360].find(isBeside) ?? 0;
  return hole.map(([longitude = 0, latitude = 0]) => [longitude + turn, latitude]);
}
