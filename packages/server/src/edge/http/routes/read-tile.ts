import { TileQuerySchema } from '@locmetrics/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { aggregateName } from '../../../domain/aggregate-name.ts';
import { encodeTileCells, encodeTilePoints } from '../../../encoding/vector-tile.ts';
import { checkTile, pinTile, type ReadTileResult, readTile } from '../../../service/read-tile.ts';
import { encodeAnswer, recordAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readTileRequest } from '../request/read-tile-request.ts';
import type { RouteContext } from './route-context.ts';

const MEDIA_TYPE = 'application/vnd.mapbox-vector-tile';

const schema = describedRoute(
  'readTile',
  {
    summary: 'A map tile of the records of a dataset',
    description:
      'A Mapbox Vector Tile 2.1. Up to 2,000 records of the tile are points in the layer `records`, with the key and the asked fields. More are cells of a grid of 64 x 64 in the layer `cells`, with `count` and the aggregates. A tile without records has the status 204.',
    tag: 'catalog',
    answer: Type.String({ format: 'binary' }),
    mediaType: MEDIA_TYPE,
    isConditional: true,
    isEmptyToo: 'The tile has no records.',
    refusals: [404, 504],
  },
  {
    params: Type.Object({
      dataReferenceName: Type.String({
        description: 'Name of the dataset, `<product>.<dataset>`.',
        examples: ['ml_visitation.places'],
      }),
      z: Type.String({ description: 'The zoom, from 0 to 16.', examples: ['4'] }),
      x: Type.String({ description: 'The column from the west, from 0.', examples: ['2'] }),
      y: Type.String({ description: 'The row from the north, from 0.', examples: ['6'] }),
    }),
    querystring: TileQuerySchema,
  },
);

export function routeReadTile(app: HttpApp, context: RouteContext): void {
  const { service, callOf, answerUnlessHeld } = context;
  app.get(
    '/v3/catalog/:dataReferenceName/tiles/:z/:x/:y.mvt',
    { schema, config: { access: 'catalog' } },
    async (request, reply) => {
      const asked = readTileRequest(request.query, request.params);
      const call = callOf(request);
      const pinned = pinTile(service, asked, call);
      return answerUnlessHeld(
        { request, reply },
        {
          parts: pinned.answerParts,
          check: () => checkTile(pinned),
          whenHeld: () =>
            recordAnswer(request, {
              operation: schema.operationId,
              request: asked,
              rows: 0,
              bytes: 0,
            }),
          make: async () => encode(await readTile(service, pinned, call), request, reply),
        },
      );
    },
  );
}

async function encode(
  { request: asked, plan, tile }: ReadTileResult,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const size = tile.kind === 'points' ? tile.rows.length : tile.cells.length;
  if (size === 0) reply.code(204);
  return encodeAnswer(request, reply, {
    answered: { operation: schema.operationId, request: asked },
    mediaType: MEDIA_TYPE,
    rows: size,
    encode: () => {
      if (size === 0) return Buffer.alloc(0);
      const names = plan.fields.map(({ name }) => name);
      const aggregates = plan.aggregates.map(aggregateName);
      return tile.kind === 'points'
        ? encodeTilePoints(asked.tile, { names, rows: tile.rows })
        : encodeTileCells(aggregates, tile.cells);
    },
  });
}
