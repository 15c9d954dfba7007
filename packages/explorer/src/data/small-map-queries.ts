import { VectorTile } from '@mapbox/vector-tile';
import { queryOptions } from '@tanstack/react-query';
import { PbfReader } from 'pbf';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import landUrl from 'world-atlas/land-110m.json?url';
import type { Session } from '../session/session.ts';
import { fetchTile, tileAddress, tilesAddress } from './tiles.ts';

/** The points of a dataset in few dots, on a plane in which the world is 1 wide (Web Mercator). */
export type SmallMapDots = {
  /** West, north, width and height of what is drawn. */
  readonly view: readonly [number, number, number, number];
  readonly dots: readonly Dot[];
};

export type Dot = { readonly x: number; readonly y: number; readonly count: number };

const ZOOM_MAX = 12;
/** Space around the outermost points, and the least width: about 1 km. */
const PADDING = 0.06;
const WIDTH_MIN = 0.00003;

/** Up to four tiles with cells: as many rows as dots. Undefined: no record is on the map. */
export function smallMapQuery(session: Session, dataset: string, version: string) {
  return queryOptions({
    queryKey: ['small-map', dataset, version],
    queryFn: async ({ signal }): Promise<SmallMapDots | undefined> => {
      const { bounds } = await session.client.describeTiles(
        { dataReferenceName: dataset },
        { signal },
      );
      if (bounds === undefined) return undefined;
      const box = boxOf(bounds);
      const zoom = Math.min(ZOOM_MAX, Math.floor(-Math.log2(Math.max(box.width, box.height))));
      const address = tilesAddress({ dataset, fields: [], colour: undefined, session });
      const count = 2 ** zoom;
      const [firstX, lastX] = [box.west, box.west + box.width].map((x) => Math.floor(x * count));
      const [firstY, lastY] = [box.north, box.north + box.height].map((y) => Math.floor(y * count));
      const tiles = [];
      for (let x = firstX ?? 0; x <= (lastX ?? 0); x += 1) {
        for (let y = firstY ?? 0; y <= Math.min(count - 1, lastY ?? 0); y += 1) {
          tiles.push(readDots({ x, y, zoom }));
        }
      }
      const dots = (await Promise.all(tiles)).flat();
      return { view: viewOf(box), dots };

      async function readDots({ x, y, zoom: z }: { x: number; y: number; zoom: number }) {
        const url = tileAddress(address, z, { address, cellsUntilZoom: ZOOM_MAX })
          .replace('{z}', String(z))
          // East of 180 degrees the world begins again.
          .replace('{x}', String(x % count))
          .replace('{y}', String(y));
        const bytes = await fetchTile(url, session, signal);
        return dotsIn(bytes).map((dot) => ({
          x: (x + dot.x) / count,
          y: (y + dot.y) / count,
          count: dot.count,
        }));
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The land of the world as an SVG path on the same plane (Natural Earth, public domain). */
export function landQuery() {
  return queryOptions({
    queryKey: ['land'],
    queryFn: async ({ signal }): Promise<string> => {
      const topology: Topology<{ land: GeometryCollection }> = await (
        await fetch(landUrl, { signal })
      ).json();
      const land = feature(topology, topology.objects.land);
      const rings = land.features.flatMap(({ geometry }) =>
        geometry.type === 'MultiPolygon'
          ? geometry.coordinates.flat()
          : geometry.type === 'Polygon'
            ? geometry.coordinates
            : [],
      );
      return rings
        .filter((ring) => ring.some(([, latitude = 0]) => latitude > ANTARCTICA_SOUTH))
        .map((ring) => {
          let previous = ring[0]?.[0] ?? 0;
          const points = ring.map(([longitude = 0, latitude = 0]) => {
            // A ring goes on beyond 180 degrees instead of back around the world.
            previous += ((longitude - previous + 540) % 360) - 180;
            return [toX(previous), toY(latitude)].map((one) => one.toFixed(5)).join(' ');
          });
          return `M${points.join('L')}Z`;
        })
        .join('');
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Land south of this latitude surrounds the pole, which a flat map does not have. */
const ANTARCTICA_SOUTH = -60;

/** The dots of a tile, within 0 to 1: its points, and the centres of its cells. */
function dotsIn(bytes: ArrayBuffer): readonly Dot[] {
  if (bytes.byteLength === 0) return [];
  const { layers } = new VectorTile(new PbfReader(bytes));
  return Object.values(layers).flatMap((layer) =>
    Array.from({ length: layer.length }, (_, index) => {
      const dot = layer.feature(index);
      const [west = 0, north = 0, east = 0, south = 0] = dot.bbox();
      const { count } = dot.properties;
      return {
        x: (west + east) / 2 / layer.extent,
        y: (north + south) / 2 / layer.extent,
        count: typeof count === 'number' ? count : 1,
      };
    }),
  );
}

type PlaneBox = {
  readonly west: number;
  readonly north: number;
  readonly width: number;
  readonly height: number;
};

/** West of the east, even across the antimeridian. */
function boxOf(bounds: readonly number[]): PlaneBox {
  const [west = -180, south = -85, east = 180, north = 85] = bounds;
  const [left, right] = [toX(west), toX(east < west ? east + 360 : east)];
  const [top, bottom] = [toY(north), toY(south)];
  return { west: left, north: top, width: right - left, height: bottom - top };
}

/** Twice as wide as high, with the box in its middle. */
function viewOf({ west, north, width, height }: PlaneBox): SmallMapDots['view'] {
  const wide = Math.max(width * (1 + 2 * PADDING), height * (2 + 4 * PADDING), WIDTH_MIN);
  return [west + width / 2 - wide / 2, north + height / 2 - wide / 4, wide, wide / 2];
}

function toX(longitude: number): number {
  return (longitude + 180) / 360;
}

/** The plane ends at 85.05 degrees. */
function toY(latitude: number): number {
  const sine = Math.sin((Math.min(85.05, Math.max(-85.05, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}
