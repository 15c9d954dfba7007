import { TileJsonSchema, TileQuerySchema } from '@locmetrics/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { encodeTileJson } from '../../../encoding/tile-json.ts';
import { describeTiles } from '../../../service/describe-tiles.ts';
import { checkTile, pinTile } from '../../../service/read-tile.ts';
import { encodeAnswer, recordAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readTilesRequest } from '../request/read-tile-request.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'describeTiles',
  {
    summary: 'Describe the map tiles of a dataset',
    description:
      'TileJSON 3.0.0, from which a map knows the address, the zooms, the bounds and the layers of the tiles. The address has the parameters of this request.',
    tag: 'catalog',
    answer: TileJsonSchema,
    isConditional: true,
    refusals: [404, 504],
  },
  {
    params: Type.Object({
      dataReferenceName: Type.String({
        description: 'Name of the dataset, `<product>.<dataset>`.',
        examples: ['ml_visitation.places'],
      }),
    }),
    querystring: TileQuerySchema,
  },
);

export function routeDescribeTiles(app: HttpApp, context: RouteContext): void {
  const { service, callOf, answerUnlessHeld } = context;
  app.get(
    '/v3/catalog/:dataReferenceName/tiles.json',
    { schema, config: { access: 'catalog' } },
    async (request, reply) => {
      const asked = readTilesRequest(request.query, request.params);
      const call = callOf(request);
      const pinned = pinTile(service, asked, call);
      const address = addressOfTiles(request, asked.dataReferenceName);
      const answered = { operation: schema.operationId, request: asked };
      return answerUnlessHeld(
        { request, reply },
        {
          parts: [...pinned.answerParts, address],
          check: () => checkTile(pinned),
          whenHeld: () => recordAnswer(request, { ...answered, rows: 0, bytes: 0 }),
          make: async () => {
            const described = await describeTiles(service, pinned, call);
            return encodeAnswer(request, reply, {
              answered,
              encode: () => encodeTileJson({ ...described, address }),
            });
          },
        },
      );
    },
  );
}

/** The address of the tiles at the host of the request, because a map does not resolve a relative one. */
function addressOfTiles(
  { protocol, host, url }: FastifyRequest,
  dataReferenceName: string,
): string {
  const path = `/v3/catalog/${encodeURIComponent(dataReferenceName)}/tiles/{z}/{x}/{y}.mvt`;
  const question = url.indexOf('?');
  // Encoded again, because a brace in a value must not read as a place of the tile.
  const query = question < 0 ? '' : new URLSearchParams(url.slice(question + 1)).toString();
  return `${protocol}://${host}${path}${query === '' ? '' : `?${query}`}`;
}
