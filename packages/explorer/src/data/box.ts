/** West, south, east and north in degrees; a west greater than the east crosses the antimeridian. */
export type Box = readonly [number, number, number, number];

/**
 * The box between two corners of a map, whose longitudes may lie beyond 180 degrees: a map shows the world again
 * there. Five digits are about one metre.
 */
export function boxOfCorners({
  west,
  south,
  east,
  north,
}: {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}): Box {
  const [low, high] = [round(clamp(south, 90)), round(clamp(north, 90))];
  // A map as wide as the world has edges of a few millionths of a degree less or more.
  if (east - west >= 359.99) return [-180, low, 180, high];
  return [round(wrap(west)), low, round(wrap(east)), high];
}

/** The box with an east that is never less than the west, for drawing. */
export function unwrapBox([west, south, east, north]: Box): Box {
  return [west, south, east < west ? east + 360 : east, north];
}

/** Into -180 to 180. An edge at 180 stays there, so that a box up to it does not become one of the whole world. */
function wrap(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

function clamp(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value));
}

function round(value: number): number {
  return Number(value.toFixed(5));
}
