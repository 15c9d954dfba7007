import { ListAddressComponentsResponseSchema, OwnerQuerySchema } from '@locmetrics/contract';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import { encodeAddressComponents } from '../../../encoding/discovery-json.ts';
import { listAddressComponents } from '../../../service/list-address-components.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'listAddressComponents',
  {
    summary: 'List the address components',
    description: 'Of all catalogs, each once in a catalog.',
    tag: 'metrics',
    answer: ListAddressComponentsResponseSchema,
    refusals: [],
  },
  { querystring: OwnerQuerySchema },
);

export function routeListAddressComponents(app: HttpApp, { service, callOf }: RouteContext): void {
  app.get(
    '/v1/addressComponents',
    { schema, config: { access: 'metrics' } },
    async (request, reply) => {
      const call = callOf(request);
      checkBillingContext(call.caller, request.query.billingContext);
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: request.query },
        encode: () => encodeAddressComponents(listAddressComponents(service, call)),
      });
    },
  );
}
