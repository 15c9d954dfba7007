import { TileJsonSchema, TileQuerySchema } from '@locmetrics/contract';
import { encodeTileJson } from '@locmetrics/core/encoding/tile-json';
import { encodeTileCells, encodeTilePoints } from '@locmetrics/core/encoding/vector-tile';
import { aggregateName } from '@locmetrics/core/requests/aggregate-name';
import { Type } from 'typebox';
import { describeTiles } from '../../../service/tiles/describe-tiles.ts';
import {
  checkTile,
  pinTile,
  type ReadTileResult,
  readTile,
} from '../../../service/tiles/read-tile.ts';
import { readTileRequest, readTilesRequest } from '../request/read-tile-request.ts';
import { stateOf } from '../request/request-state.ts';
import { addressOfTiles } from './address-of-tiles.ts';
import { DATASET_ADDRESS, TILE_ADDRESS } from './addresses.ts';
import { conditionalRoute, type Route } from './route.ts';

export const TILE_MEDIA_TYPE = 'application/vnd.mapbox-vector-tile';

/** Map tiles of a dataset. */
export const tileRoutes: readonly Route[] = [
  conditionalRoute(
    {
      operationId: 'readTile',
      at: 'GET /v3/catalog/:dataReferenceName/tiles/:z/:x/:y.mvt',
      access: 'catalog',
      summary: 'Get a map tile of a dataset',
      description:
        'Returns a Mapbox Vector Tile 2.1. A tile with up to 2,000 records has them as points in the layer `records`, with the key and the requested fields. A tile with more has the cells of a 64 x 64 grid in the layer `cells`, with `count` and the aggregates. The parameter `cells` changes this. A tile without records has the status 204.',
      answer: Type.String({ format: 'binary' }),
      mediaType: TILE_MEDIA_TYPE,
      isEmptyToo: 'The tile has no records.',
      refusals: [404, 504],
      params: TILE_ADDRESS,
      querystring: TileQuerySchema,
    },
    {
      read: ({ params, query, request }) => readTileRequest(query, params, stateOf(request)),
      pin: pinTile,
      check: checkTile,
      run: readTile,
      rowsOf,
      encode: encodeTile,
    },
  ),
  conditionalRoute(
    {
      operationId: 'describeTiles',
      at: 'GET /v3/catalog/:dataReferenceName/tiles.json',
      access: 'catalog',
      summary: 'Describe the map tiles of a dataset',
      description:
        'Returns TileJSON 3.0.0, which gives a map the URL, zoom levels, bounds and layers of the tiles. The URL has the parameters of this request.',
      answer: TileJsonSchema,
      refusals: [404, 504],
      params: DATASET_ADDRESS,
      querystring: TileQuerySchema,
    },
    {
      read: ({ params, query, request }) => {
        const asked = readTilesRequest(query, params, stateOf(request));
        const path = `/v3/catalog/${encodeURIComponent(asked.dataReferenceName)}`;
        return { ...asked, address: addressOfTiles(request, path) };
      },
      pin: (service, { address, ...asked }, call) => {
        const pinned = pinTile(service, asked, call);
        return { ...pinned, answerParts: [...pinned.answerParts, address] };
      },
      check: checkTile,
      run: describeTiles,
      encode: (described, { address }) => encodeTileJson({ ...described, address }),
    },
  ),
];

function rowsOf({ tile }: ReadTileResult): number {
  return tile.kind === 'points' ? tile.rows.length : tile.cells.length;
}

function encodeTile(result: ReadTileResult): Buffer {
  const { plan, tile, request } = result;
  if (rowsOf(result) === 0) return Buffer.alloc(0);
  const names = plan.fields.map(({ name }) => name);
  return tile.kind === 'points'
    ? encodeTilePoints(request.tile, { names, rows: tile.rows })
    : encodeTileCells(plan.aggregates.map(aggregateName), tile.cells);
}
