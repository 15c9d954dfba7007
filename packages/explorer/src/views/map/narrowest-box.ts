import type { Geometry, Position } from 'geojson';

/**
 * The narrowest box around shapes: west, south, east, north. It leaves out the widest gap between them, so it may cross the
 * antimeridian; its east is then beyond 180. Undefined without shapes.
 */
export function narrowestBox(
  shapes: readonly Geometry[],
): [number, number, number, number] | undefined {
  const spans = shapes.flatMap(spansOf).sort(([one], [other]) => one - other);
  const [first] = spans;
  if (first === undefined) return undefined;
  let [end, gap, west, east] = [first[1], 0, first[0], first[1]];
  for (const [from, to] of spans) {
    if (from - end > gap) [gap, west, east] = [from - end, from, end + 360];
    end = Math.max(end, to);
  }
  // The gap across the antimeridian.
  if (first[0] + 360 - end >= gap) [west, east] = [first[0], end];
  const latitudes = shapes.flatMap((shape) =>
    positionsOf(shape).map(([, latitude = 0]) => latitude),
  );
  const [south, north] = latitudes.reduce(
    ([low, high], latitude) => [Math.min(low, latitude), Math.max(high, latitude)],
    [85, -85],
  );
  return [west, Math.max(south, -85), east, Math.min(north, 85)];
}

/** The west and the east of each part of a shape. */
function spansOf(shape: Geometry): readonly (readonly [number, number])[] {
  return partsOf(shape).map((part) => {
    const longitudes = part.map(([longitude = 0]) => longitude);
    return [
      longitudes.reduce((low, longitude) => Math.min(low, longitude)),
      longitudes.reduce((high, longitude) => Math.max(high, longitude)),
    ];
  });
}

function positionsOf(shape: Geometry): readonly Position[] {
  return partsOf(shape).flat();
}

function partsOf(shape: Geometry): readonly (readonly Position[])[] {
  if (shape.type === 'Point') return [[shape.coordinates]];
  if (shape.type === 'Polygon') return shape.coordinates.slice(0, 1);
  if (shape.type === 'MultiPolygon') return shape.coordinates.map(([ring = []]) => ring);
  return [];
}
