import type { OutlineRing } from '@locmetrics/core/domain/outline';
import { TILE_EXTENT } from '@locmetrics/core/geometry/tile';
import { feature } from 'topojson-client';
import { topology } from 'topojson-server';
import { presimplify, simplify } from 'topojson-simplify';
import { WORLD_BITS } from '../row-file.ts';

/** Polygons in units of the world, each an outer ring and its holes. */
export type ProjectedOutline = readonly (readonly (readonly Position[])[])[];
export type Position = readonly [number, number];

/** So many units of a tile, half a pixel of a map, are not seen. */
const UNSEEN_UNITS = 4;

/** Of as many positions or more nearly all stay, so deeper zooms get the outlines as they are. */
const NEARLY_ALL = 0.9;
const DEEPEST_ZOOM = 14;

export type SimplifiedOutlines = {
  /** The first zoom at which nearly all positions are seen. */
  readonly wholeFrom: number;
  /** The outlines at a zoom, or with all positions, in units of a world of so many bits; without rings that are not seen. */
  readonly at: (zoom: number | 'all', bits: number) => readonly (readonly OutlineRing[])[];
};

/**
 * Simplifies outlines together: a border that two of them share is the same in both at every zoom. It is Visvalingam's
 * algorithm, over the arcs of a topology.
 */
export function simplifyOutlines(outlines: readonly ProjectedOutline[]): SimplifiedOutlines {
  const geometries = outlines.map((polygons) => ({
    type: 'MultiPolygon' as const,
    coordinates: polygons.map((rings) => rings.map((ring) => ring.map(([x, y]) => [x, y]))),
  }));
  const collection = { type: 'GeometryCollection' as const, geometries };
  // Geometries have no properties, which could be null.
  const arcs = topology({ outlines: collection }) as Parameters<typeof presimplify>[0];
  const weighted = presimplify(arcs);
  const weightAt = (zoom: number): number =>
    ((UNSEEN_UNITS * 2 ** (WORLD_BITS - zoom)) / TILE_EXTENT) ** 2;
  const countFrom = (weight: number): number =>
    weighted.arcs.reduce(
      (sum, arc) => sum + arc.filter((position) => (position[2] ?? Infinity) >= weight).length,
      0,
    );
  const all = countFrom(0);
  let wholeFrom = 0;
  while (wholeFrom < DEEPEST_ZOOM && countFrom(weightAt(wholeFrom)) < all * NEARLY_ALL) {
    wholeFrom += 1;
  }
  return {
    wholeFrom,
    at: (zoom, bits) => {
      const simplified = simplify(weighted, zoom === 'all' ? 0 : weightAt(zoom));
      const drawn = simplified.objects['outlines'];
      if (drawn?.type !== 'GeometryCollection') throw new Error('A topology lost its object.');
      const unit = 2 ** (WORLD_BITS - bits);
      return drawn.geometries.map((geometry) => {
        // A geometry without positions has no type.
        if (geometry.type !== 'MultiPolygon') return [];
        const { coordinates } = feature(simplified, geometry).geometry;
        return coordinates.flatMap((rings) => toRings(rings, unit));
      });
    },
  };
}

/** An outer ring and its holes in whole units; none if the outer one has no area in them. */
function toRings(
  rings: readonly (readonly (readonly number[])[])[],
  unit: number,
): readonly OutlineRing[] {
  const found: OutlineRing[] = [];
  for (const [index, ring] of rings.entries()) {
    const isHole = index > 0;
    const points = wholePoints(ring, unit);
    const area = areaOf(points);
    if (Math.abs(area) < 1) {
      if (isHole) continue;
      return [];
    }
    found.push({ isHole, points: fromWest(area > 0 === isHole ? reversed(points) : points) });
  }
  return found;
}

/** The positions without repeated ones. */
function wholePoints(ring: readonly (readonly number[])[], unit: number): Int32Array {
  const points: number[] = [];
  for (const [x = 0, y = 0] of ring) {
    const [wholeX, wholeY] = [Math.round(x / unit), Math.round(y / unit)];
    if (wholeX !== points.at(-2) || wholeY !== points.at(-1)) points.push(wholeX, wholeY);
  }
  while (points.length > 2 && points[0] === points.at(-2) && points[1] === points.at(-1)) {
    points.length -= 2;
  }
  return Int32Array.from(points);
}

/** Positive if the ring is clockwise on a map, whose y grows to the south. */
function areaOf(points: Int32Array): number {
  let sum = 0;
  let [beforeX, beforeY] = [points.at(-2) ?? 0, points.at(-1) ?? 0];
  for (let index = 0; index < points.length; index += 2) {
    const [x = 0, y = 0] = [points[index], points[index + 1]];
    sum += beforeX * y - x * beforeY;
    [beforeX, beforeY] = [x, y];
  }
  return sum / 2;
}

function reversed(points: Int32Array): Int32Array {
  return points.map((_, index) => points[points.length - 2 - index + 2 * (index % 2)] ?? 0);
}

/** From its westernmost position. A topology starts a ring where it meets a neighbour, which a caller may not see. */
function fromWest(points: Int32Array): Int32Array {
  let first = 0;
  for (let index = 2; index < points.length; index += 2) {
    const [x = 0, y = 0] = [points[index], points[index + 1]];
    const [firstX = 0, firstY = 0] = [points[first], points[first + 1]];
    if (x < firstX || (x === firstX && y < firstY)) first = index;
  }
  return points.map((_, index) => points[(first + index) % points.length] ?? 0);
}
