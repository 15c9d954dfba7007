import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { DatasetReader } from '../dataset/dataset-reader.ts';
import { drawIndex } from '../seeded-random.ts';
import type { Answer, Facts, HttpRequest, RequestWorkload, Shape } from './workload.ts';

/** The fields of a point besides its key, and the sum of a cell. */
const FIELDS = 'location_name,floor_area';
const SUM = 'sum:floor_area';
/** More places of a tile are cells. */
export const TILE_POINTS_MAX = 2000;
export const TILE_CELLS = 64;

/** W9: tiles of one zoom, each with a random place. */
export const TILES: readonly RequestWorkload[] = [0, 3, 6, 9, 12, 15].map((z) => ({
  id: `W9z${z}`,
  title: `map tiles of zoom ${z}`,
  protocol: 'http',
  shapes: new Map<string, Shape>([
    [
      'ours',
      shape('ours', z, ({ x, y }) =>
        tilePath(
          `/v3/catalog/bench.places/tiles/${z}/${x}/${y}.mvt?fields=${FIELDS}&aggregate=${SUM}`,
        ),
      ),
    ],
    ['postgis', shape('postgis', z, ({ x, y }) => tilePath(`/rpc/tile?z=${z}&x=${x}&y=${y}`))],
  ]),
}));

type Tile = { readonly z: number; readonly x: number; readonly y: number };

export function tilePath(path: string): HttpRequest {
  const headers = { accept: 'application/vnd.mapbox-vector-tile' };
  return { protocol: 'http', method: 'GET', path, headers };
}

function shape(system: Shape['system'], z: number, toRequest: (tile: Tile) => HttpRequest): Shape {
  return {
    system,
    ask: (random, { tilePlaces = [] }) => {
      const place = tilePlaces[drawIndex(random, tilePlaces.length)];
      if (place === undefined) throw new Error('There are no places to draw tiles around.');
      const tile = tileOf(z, place);
      return {
        request: toRequest(tile),
        read: readTile,
        expect: (dataset) => expectTile(dataset, tile),
      };
    },
  };
}

export function tileOf(z: number, [longitude, latitude]: readonly [number, number]): Tile {
  const south = 0.5 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI);
  return {
    z,
    x: Math.floor(((longitude + 180) / 360) * 2 ** z),
    y: Math.floor(south * 2 ** z),
  };
}

/** The layer, the number of its features, and the places and floor areas in them. */
function readTile({ body }: Answer): Facts {
  if (!(body instanceof Uint8Array)) throw new Error('The answer is no tile.');
  const [[name, layer] = []] = Object.entries(new VectorTile(new PbfReader(body)).layers);
  if (layer === undefined) throw new Error('The tile is empty.');
  let places = 0;
  let floorArea = 0;
  for (let index = 0; index < layer.length; index += 1) {
    const { properties } = layer.feature(index);
    places += name === 'cells' ? Number(properties['count']) : 1;
    floorArea += Number(properties[name === 'cells' ? SUM : 'floor_area'] ?? 0);
  }
  return { layer: name, features: layer.length, places, floorArea };
}

/** The same from the files. Where a place is in a tile is computed from degrees. */
async function expectTile(dataset: DatasetReader, { z, x, y }: Tile): Promise<Facts> {
  const column = `(longitude + 180) / 360 * ${2 ** z} - ${x}`;
  const row = `(0.5 - ln(tan(radians(latitude) / 2 + pi() / 4)) / (2 * pi())) * ${2 ** z} - ${y}`;
  const [[places, cells, floorArea] = []] = await dataset.rows(`
    SELECT count(*)::INTEGER,
      count(DISTINCT (floor(c * ${TILE_CELLS}), floor(r * ${TILE_CELLS})))::INTEGER,
      sum(floor_area)::DOUBLE
    FROM (SELECT ${column} AS c, ${row} AS r, floor_area FROM places)
    WHERE c >= 0 AND c < 1 AND r >= 0 AND r < 1`);
  const isCells = Number(places) > TILE_POINTS_MAX;
  const features = isCells ? cells : places;
  return { layer: isCells ? 'cells' : 'records', features, places, floorArea };
}

/** Some places, in the order of a hash. */
export async function findTilePlaces(
  dataset: DatasetReader,
): Promise<readonly (readonly [number, number])[]> {
  const rows = await dataset.rows(
    `SELECT longitude, latitude FROM places ORDER BY hash(location_id), location_id LIMIT 5000`,
  );
  return rows.map(([longitude, latitude]) => [Number(longitude), Number(latitude)]);
}
