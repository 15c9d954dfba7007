import { type Ring, sideOf, type Vertex } from '../geometry/ring.ts';

/**
 * The numbers of two edges of a ring that share a point, except where one follows the other; undefined if there are none.
 * An edge has the number of its first vertex.
 */
export function findContact(ring: Ring): readonly [number, number] | undefined {
  const count = ring.length;
  const edges = ring.map((from, number) => {
    const to = ring[(number + 1) % count] ?? from;
    return {
      number,
      from,
      to,
      minX: Math.min(from.x, to.x),
      maxX: Math.max(from.x, to.x),
      minY: Math.min(from.y, to.y),
      maxY: Math.max(from.y, to.y),
    };
  });
  const sorted = edges.toSorted((left, right) => left.minY - right.minY);
  for (const [place, edge] of sorted.entries()) {
    for (let next = place + 1; next < count; next += 1) {
      const other = sorted[next];
      // The others begin further north.
      if (other === undefined || other.minY > edge.maxY) break;
      if (other.minX > edge.maxX || other.maxX < edge.minX) continue;
      const [first, second] = edge.number < other.number ? [edge, other] : [other, edge];
      if (haveContact(first, second, count)) return [first.number, second.number];
    }
  }
  return undefined;
}

type Edge = { readonly number: number; readonly from: Vertex; readonly to: Vertex };

/** Two edges whose boxes have a common point, the first one with the smaller number. */
function haveContact(first: Edge, second: Edge, count: number): boolean {
  if (second.number === first.number + 1) return foldsBack(first.from, first.to, second.to);
  if (first.number === 0 && second.number === count - 1) {
    return foldsBack(second.from, second.to, first.to);
  }
  const [a, b, c, d] = [first.from, first.to, second.from, second.to];
  const [sideC, sideD] = [Math.sign(sideOf(a, b, c)), Math.sign(sideOf(a, b, d))];
  const [sideA, sideB] = [Math.sign(sideOf(c, d, a)), Math.sign(sideOf(c, d, b))];
  // On one line: their boxes have a common point, so they have one too.
  if (sideC === 0 && sideD === 0) return true;
  return sideC * sideD <= 0 && sideA * sideB <= 0;
}

/** Whether an edge lies on the one before it. */
function foldsBack(from: Vertex, corner: Vertex, to: Vertex): boolean {
  if (sideOf(from, corner, to) !== 0) return false;
  const along = (corner.x - from.x) * (to.x - corner.x) + (corner.y - from.y) * (to.y - corner.y);
  return along < 0;
}
