import { memoize } from '../runtime/memoize.ts';
import { extentOf, FULL_TURN, type Ring, type Vertex } from './ring.ts';

/**
 * The edges of a ring by bands of equal height, so that a point is compared only with the edges in its band. An edge is
 * in each band that it touches.
 */
export type RingBands = {
  /** The least longitude of the ring. A longitude is moved by full turns to be from here up to a full turn more. */
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
  /** The height of a band. Band number `n` begins at `minY + n * height`. */
  readonly height: number;
  readonly bands: readonly (readonly BandEdge[])[];
};

/** An edge upwards, or to the east if it is horizontal. */
export type BandEdge = { readonly from: Vertex; readonly to: Vertex };

/** More bands leave fewer edges to compare with a point, and take longer to prepare. */
const BANDS_MAX = 256;
/** The largest number of edges in all bands together, except that each edge is in one band at least. */
const ENTRIES_MAX = 4000;

/** The ring is prepared once for all plans and engines that compare it. */
export const ringBands = memoize((ring: Ring): RingBands => {
  const extent = extentOf(ring);
  const edges = [...edgesOf(ring), ...seamOf(ring)];
  const span = extent.maxY - extent.minY;
  let height = Math.floor(span / BANDS_MAX) + 1;
  const bandOf = (y: number): number => Math.floor((y - extent.minY) / height);
  const entries = (): number =>
    edges.reduce((sum, { from, to }) => sum + bandOf(to.y) - bandOf(from.y) + 1, 0);
  while (entries() > ENTRIES_MAX && height <= span) height *= 2;
  const bands: BandEdge[][] = Array.from({ length: bandOf(extent.maxY) + 1 }, () => []);
  for (const edge of edges) {
    for (let band = bandOf(edge.from.y); band <= bandOf(edge.to.y); band += 1) {
      bands[band]?.push(edge);
    }
  }
  return { ...extent, height, bands };
});

function edgesOf(ring: Ring): readonly BandEdge[] {
  return ring.map((vertex, index) => {
    const next = ring[(index + 1) % ring.length] ?? vertex;
    const isUpwards = vertex.y < next.y || (vertex.y === next.y && vertex.x <= next.x);
    return isUpwards ? { from: vertex, to: next } : { from: next, to: vertex };
  });
}

/**
 * A ring of a full turn has the same meridian as its west and as its east side. Points there are compared at the west
 * side, so what the ring has at the east side is added as upright edges. Points east of an upright edge do not cross it.
 */
function seamOf(ring: Ring): readonly BandEdge[] {
  const { minX, maxX } = extentOf(ring);
  if (maxX - minX !== FULL_TURN) return [];
  const atWest = ({ y }: Vertex): Vertex => ({ x: minX, y });
  return edgesOf(ring).flatMap(({ from, to }) => {
    if (from.x === maxX && to.x === maxX) return [{ from: atWest(from), to: atWest(to) }];
    return [from, to]
      .filter(({ x }) => x === maxX)
      .map((end) => ({ from: atWest(end), to: atWest(end) }));
  });
}
