import { setTimeout } from 'node:timers/promises';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { fetchOnce } from '../ask-once.ts';
import type { DatasetReader } from '../dataset/dataset-reader.ts';
import { areaOf, ringsOf } from '../dataset/write-counties.ts';
import type { Target } from '../driver/load-order.ts';
import { drawIndex } from '../seeded-random.ts';
import { tileOf, tilePath } from './tiles.ts';
import type { Answer, Facts, HttpRequest, RequestWorkload, Shape } from './workload.ts';

/** A county, and a position of its outline. */
export type County = {
  readonly county: string;
  readonly name: string;
  readonly people: number;
  readonly position: readonly [longitude: number, latitude: number];
};

/** W13: tiles of one zoom with the outlines and values of counties, each tile with a random county. */
export const COUNTY_TILES: readonly RequestWorkload[] = [3, 5, 7].map((z) => ({
  id: `W13z${z}`,
  title: `tiles of counties, zoom ${z}`,
  protocol: 'http',
  shapes: new Map<string, Shape>([
    [
      'ours',
      shape('ours', z, ({ x, y }) =>
        tilePath(
          `/v1/catalogs/bench/layers/counties/tiles/${z}/${x}/${y}.mvt?metric=county_people&period=2023-01-01/2023-12-31`,
        ),
      ),
    ],
    [
      'postgis',
      shape('postgis', z, ({ x, y }) => tilePath(`/rpc/county_tile?z=${z}&x=${x}&y=${y}`)),
    ],
  ]),
}));

type Tile = ReturnType<typeof tileOf>;

function shape(system: Shape['system'], z: number, toRequest: (tile: Tile) => HttpRequest): Shape {
  return {
    system,
    ask: (random, { counties = [] }) => {
      const drawn = counties[drawIndex(random, counties.length)];
      if (drawn === undefined) throw new Error('There are no counties.');
      const { county, name, people, position } = drawn;
      return {
        request: toRequest(tileOf(z, position)),
        read: (answer) => readCounty(answer, county),
        expect: async () => ({ county, name, value: people }),
      };
    },
  };
}

/**
 * The drawn county, if the tile has its outline. The others depend on how a system simplifies and cuts outlines near the
 * edges of a tile.
 */
function readCounty({ body }: Answer, county: string): Facts {
  if (!(body instanceof Uint8Array)) throw new Error('The answer is no tile.');
  const layer = new VectorTile(new PbfReader(body)).layers['features'];
  for (let index = 0; index < (layer?.length ?? 0); index += 1) {
    const found = layer?.feature(index);
    if (found?.properties['id'] !== county || found.loadGeometry().length === 0) continue;
    return { county, name: found.properties['name'], value: found.properties['value'] };
  }
  return {};
}

/** Waits until all workers have checked their row file: until then, they refuse tiles of a layer. */
export async function untilCountyTiles(target: Target): Promise<void> {
  const request = tilePath('/v1/catalogs/bench/layers/counties/tiles/0/0/0.mvt');
  let answered = 0;
  for (let asked = 0; answered < ANSWERED_MIN; asked += 1) {
    if (asked === ASKED_MAX) throw new Error('The service refuses tiles of counties.');
    const { status } = await fetchOnce(target, {
      ...request,
      headers: { ...request.headers, connection: 'close' },
    });
    answered = status === NOT_READY ? 0 : answered + 1;
    if (answered === 0) await setTimeout(100);
  }
}

const ANSWERED_MIN = 20;
const ASKED_MAX = 3000;
const NOT_READY = 503;

/** Cities of less than about three pixels of zoom 3 are left out, because simplified outlines there may have no area. */
export async function findCounties(dataset: DatasetReader): Promise<readonly County[]> {
  const rows = await dataset.rows(
    'SELECT county, name, people::INTEGER, longitude, latitude, outline FROM counties ORDER BY county',
  );
  return rows.flatMap(([county, name, people, longitude, latitude, outline]) => {
    const [ring = []] = ringsOf(JSON.parse(String(outline)));
    if (Math.abs(areaOf(ring)) < AREA_MIN) return [];
    return {
      county: String(county),
      name: String(name),
      people: Number(people),
      position: [Number(longitude), Number(latitude)] as const,
    };
  });
}

/** Twice an area in square degrees. */
const AREA_MIN = 0.05;
