type Position = readonly [number, number];

/**
 * Of an outline that crosses the antimeridian without being cut there, an edge jumps from one side of the map to the
 * other. It is drawn in one piece, beyond 180 degrees. An edge of 360 degrees runs along a pole and is no jump.
 */
export function withoutJumps(
  parts: readonly (readonly Position[])[],
): readonly (readonly Position[])[] {
  if (!parts.some(hasJump)) return parts;
  const shifted = parts.map(toEast);
  if (!shifted.some(hasJump)) return shifted;
  return parts.map((part) => (hasJump(part) ? toEast(part) : part));
}

function hasJump(part: readonly Position[]): boolean {
  return part.some(([x], index) => {
    const before = part[index - 1]?.[0] ?? x;
    const width = Math.abs(x - before);
    return width > 180 && width < WHOLE_WIDTH;
  });
}

/** Nearly 360 degrees: writers round positions. */
const WHOLE_WIDTH = 359.999;

function toEast(part: readonly Position[]): readonly Position[] {
  return part.map(([x, y]) => [x < 0 ? x + 360 : x, y]);
}
