import { GetLayerResponseSchema, OwnerQuerySchema } from '@locmetrics/contract';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import { encodeLayer } from '../../../encoding/discovery-json.ts';
import { getLayer } from '../../../service/get-layer.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { LAYER_ADDRESS } from './addresses.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'getLayer',
  {
    summary: 'Describe one layer',
    description: 'Its components, in the order in which its features have them.',
    tag: 'metrics',
    answer: GetLayerResponseSchema,
    refusals: [404],
  },
  { params: LAYER_ADDRESS, querystring: OwnerQuerySchema },
);

export function routeGetLayer(app: HttpApp, { service, callOf }: RouteContext): void {
  app.get(
    '/v1/catalogs/:catalogId/layers/:layerId',
    { schema, config: { access: 'metrics' } },
    async (request, reply) => {
      const { params } = request;
      const call = callOf(request);
      checkBillingContext(call.caller, request.query.billingContext);
      const layer = getLayer(service, params, call);
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: params },
        encode: () => encodeLayer(params.catalogId, layer),
      });
    },
  );
}
