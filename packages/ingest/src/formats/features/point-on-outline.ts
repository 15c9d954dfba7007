import { withoutJumps } from '@locmetrics/core/geometry/without-jumps';
import { type Outline, type Position, WrongGeometry } from './outline.ts';

/**
 * One point of a geometry: a point itself, the middle of the longest line, or a point inside an area. Undefined if it is
 * empty. Throws `WrongGeometry` if there is no such point. Only degrees have an antimeridian.
 */
export function pointOnOutline(
  { kind, parts }: Outline,
  { isDegrees }: { readonly isDegrees: boolean },
): Position | undefined {
  const filled = parts.filter(({ length }) => length > 0);
  const [first] = filled;
  if (first === undefined) return undefined;
  for (const [x, y] of filled.flat()) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      throw new WrongGeometry('has a coordinate that is not a finite number');
    }
  }
  const unbroken = isDegrees ? withoutJumps(filled) : filled;
  switch (kind) {
    case 'points':
      if (filled.flat().length > 1)
        throw new WrongGeometry('is a geometry that cannot be represented by one point');
      return first[0];
    case 'lines':
      return onMap(middleOf(longestOf(unbroken)), isDegrees);
    case 'area':
      for (const ring of filled) checkRing(ring);
      return onMap(insideOf(unbroken), isDegrees);
  }
}

function checkRing(ring: readonly Position[]): void {
  if (ring.length < 4) throw new WrongGeometry('has a ring of fewer than four positions');
  const [start, end] = [ring[0], ring.at(-1)];
  if (start?.[0] !== end?.[0] || start?.[1] !== end?.[1]) {
    throw new WrongGeometry('has a ring whose last position is not its first');
  }
}

/**
 * A point inside an area: the middle of the widest piece of a line from west to east, halfway up its largest ring. So it
 * is inside for every shape, and its cost is that of reading the outline once, however narrow the shape is.
 */
function insideOf(rings: readonly (readonly Position[])[]): Position {
  const height = scanHeight(rings);
  const crossings: number[] = [];
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index += 1) {
      const [[x1, y1], [x2, y2]] = [ring[index - 1] ?? ORIGIN, ring[index] ?? ORIGIN];
      if (y1 > height !== y2 > height) {
        crossings.push(x1 + ((height - y1) / (y2 - y1)) * (x2 - x1));
      }
    }
  }
  crossings.sort((left, right) => left - right);
  let widest = 0;
  let x = Number.NaN;
  for (let index = 1; index < crossings.length; index += 2) {
    const [west = 0, east = 0] = [crossings[index - 1], crossings[index]];
    if (east - west > widest) {
      widest = east - west;
      x = west + widest / 2;
    }
  }
  if (widest === 0) throw new WrongGeometry('is an area of size zero');
  return [x, height];
}

const ORIGIN: Position = [0, 0];

/** A height halfway up the largest ring, at which no ring has a corner. */
function scanHeight(rings: readonly (readonly Position[])[]): number {
  let largest: readonly Position[] = [];
  let largestArea = -1;
  for (const ring of rings) {
    const area = areaOf(ring);
    if (area > largestArea) {
      largestArea = area;
      largest = ring;
    }
  }
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [, y] of largest) {
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  const middle = low + (high - low) / 2;
  for (const ring of rings) {
    for (const [, y] of ring) {
      if (y <= middle) low = Math.max(low, y);
      else high = Math.min(high, y);
    }
  }
  return low + (high - low) / 2;
}

function areaOf(ring: readonly Position[]): number {
  let sum = 0;
  const [originX, originY] = ring[0] ?? ORIGIN;
  for (let index = 1; index < ring.length; index += 1) {
    const [[x1, y1], [x2, y2]] = [ring[index - 1] ?? ORIGIN, ring[index] ?? ORIGIN];
    sum += (x1 - originX) * (y2 - originY) - (x2 - originX) * (y1 - originY);
  }
  return Math.abs(sum / 2);
}

function longestOf(lines: readonly (readonly Position[])[]): readonly Position[] {
  const lengths = lines.map(lengthOf);
  return lines[lengths.indexOf(Math.max(...lengths))] ?? [];
}

function lengthOf(line: readonly Position[]): number {
  return line.reduce(
    (sum, position, index) => sum + distance(line[index - 1] ?? position, position),
    0,
  );
}

function middleOf(line: readonly Position[]): Position {
  let rest = lengthOf(line) / 2;
  for (let index = 1; index < line.length; index += 1) {
    const [from, to] = [line[index - 1] ?? ORIGIN, line[index] ?? ORIGIN];
    const length = distance(from, to);
    if (length > 0 && rest <= length) {
      const part = rest / length;
      return [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])];
    }
    rest -= length;
  }
  return line[0] ?? ORIGIN;
}

function distance(from: Position, to: Position): number {
  return Math.hypot(to[0] - from[0], to[1] - from[1]);
}

/** Longitudes from 180 to 360 degrees are those from -180 to 0. */
function onMap([x, y]: Position, isDegrees: boolean): Position {
  if (!isDegrees) return [x, y];
  if (x > 180 && x <= 360) return [x - 360, y];
  return x < -180 && x >= -360 ? [x + 360, y] : [x, y];
}
