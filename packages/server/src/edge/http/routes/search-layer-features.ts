import {
  LayerFeaturesQuerySchema,
  SearchLayerFeaturesRequestSchema,
  SearchLayerFeaturesResponseSchema,
} from '@locmetrics/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SearchLayerFeaturesRequest } from '../../../domain/metric-request.ts';
import { encodeLayerFeatures } from '../../../encoding/discovery-json.ts';
import { searchLayerFeatures } from '../../../service/search-layer-features.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readFeaturesBody, readFeaturesQuery } from '../request/read-discovery-request.ts';
import { LAYER_ADDRESS } from './addresses.ts';
import type { RouteContext } from './route-context.ts';

/** The same operation for GET and POST. */
const OPERATION = 'searchLayerFeatures';

const common = {
  tag: 'metrics',
  answer: SearchLayerFeaturesResponseSchema,
  refusals: [404, 504],
} as const;

const getSchema = describedRoute(
  OPERATION,
  {
    ...common,
    summary: 'Search the features of a layer',
    description:
      'Chosen by ids, components, a bounding box and existence; with a query the best matches come first. Page by page.',
  },
  { params: LAYER_ADDRESS, querystring: LayerFeaturesQuerySchema },
);

const postSchema = describedRoute(
  'searchLayerFeaturesByBody',
  { ...common, summary: 'Search the features of a layer, by filters too long for an address' },
  { params: LAYER_ADDRESS, body: SearchLayerFeaturesRequestSchema },
);

export function routeSearchLayerFeatures(app: HttpApp, context: RouteContext): void {
  const path = '/v1/catalogs/:catalogId/layers/:layerId/features';
  const config = { access: 'metrics' } as const;
  app.get(path, { schema: getSchema, config }, (request, reply) =>
    answer(context, readFeaturesQuery(request.query, request.params), { request, reply }),
  );
  // Two colons mean a literal colon in the path of a route.
  app.post(`${path}::search`, { schema: postSchema, config }, (request, reply) =>
    answer(context, readFeaturesBody(request.body, request.params), { request, reply }),
  );
}

async function answer(
  { service, callOf }: RouteContext,
  asked: SearchLayerFeaturesRequest,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Buffer> {
  const result = await searchLayerFeatures(service, asked, callOf(request));
  const rows = result.features.length;
  const nextPageToken = result.nextPageToken(rows);
  return encodeAnswer(request, reply, {
    answered: { operation: OPERATION, request: asked },
    rows,
    encode: () => encodeLayerFeatures({ ...result, nextPageToken }),
  });
}
