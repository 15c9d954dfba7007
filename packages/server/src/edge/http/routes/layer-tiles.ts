import { LayerTileQuerySchema, TileJsonSchema } from '@locmetrics/contract';
import { encodeLayerTileJson } from '@locmetrics/core/encoding/tile-json';
import { encodeTileOutlines } from '@locmetrics/core/encoding/tile-outlines';
import { Type } from 'typebox';
import { describeLayerTiles } from '../../../service/tiles/describe-layer-tiles.ts';
import { checkLayerTile, pinLayerTile } from '../../../service/tiles/pin-layer-tile.ts';
import { type ReadLayerTileResult, readLayerTile } from '../../../service/tiles/read-layer-tile.ts';
import { readLayerTileRequest, readLayerTilesRequest } from '../request/read-tile-request.ts';
import { addressOfTiles } from './address-of-tiles.ts';
import { LAYER_ADDRESS, LAYER_TILE_ADDRESS } from './addresses.ts';
import { conditionalRoute, type Route } from './route.ts';
import { TILE_MEDIA_TYPE } from './tiles.ts';

/** Map tiles of the outlines of a layer. */
export const layerTileRoutes: readonly Route[] = [
  conditionalRoute(
    {
      operationId: 'readLayerTile',
      at: 'GET /v1/catalogs/:catalogId/layers/:layerId/tiles/:z/:x/:y.mvt',
      access: 'metrics',
      summary: 'Get a map tile of a layer',
      description:
        'Returns a Mapbox Vector Tile 2.1 with the outlines of the features in the layer `features`, simplified for the zoom. Each has its `id`, its `name` and, if a metric is named, its `value`. A tile has at most 10,000 features, the largest ones. A tile without features has the status 204.',
      answer: Type.String({ format: 'binary' }),
      mediaType: TILE_MEDIA_TYPE,
      isEmptyToo: 'The tile has no features.',
      refusals: [404, 504],
      params: LAYER_TILE_ADDRESS,
      querystring: LayerTileQuerySchema,
    },
    {
      read: ({ params, query }) => readLayerTileRequest(query, params),
      pin: pinLayerTile,
      check: checkLayerTile,
      run: readLayerTile,
      rowsOf: ({ features }) => features.length,
      encode: encodeTile,
    },
  ),
  conditionalRoute(
    {
      operationId: 'describeLayerTiles',
      at: 'GET /v1/catalogs/:catalogId/layers/:layerId/tiles.json',
      access: 'metrics',
      summary: 'Describe the map tiles of a layer',
      description:
        'Returns TileJSON 3.0.0, which gives a map the URL, zoom levels, bounds and attribution of the tiles. The URL has the parameters of this request.',
      answer: TileJsonSchema,
      refusals: [404, 504],
      params: LAYER_ADDRESS,
      querystring: LayerTileQuerySchema,
    },
    {
      read: ({ params, query, request }) => {
        const asked = readLayerTilesRequest(query, params);
        const [catalog, layer] = [params.catalogId, params.layerId].map(encodeURIComponent);
        const path = `/v1/catalogs/${catalog}/layers/${layer}`;
        return { ...asked, address: addressOfTiles(request, path) };
      },
      pin: (service, { address, ...asked }, call) => {
        const pinned = pinLayerTile(service, asked, call);
        return { ...pinned, answerParts: [...pinned.answerParts, address] };
      },
      check: checkLayerTile,
      run: describeLayerTiles,
      encode: (described, { address }) => encodeLayerTileJson({ ...described, address }),
    },
  ),
];

function encodeTile({ features, hasValues }: ReadLayerTileResult): Buffer {
  if (features.length === 0) return Buffer.alloc(0);
  return encodeTileOutlines(['id', 'name', ...(hasValues ? ['value'] : [])], features);
}
