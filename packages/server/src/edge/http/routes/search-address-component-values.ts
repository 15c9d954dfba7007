import {
  ComponentValuesQuerySchema,
  SearchAddressComponentValuesResponseSchema,
} from '@locmetrics/contract';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import { encodeComponentValues } from '../../../encoding/discovery-json.ts';
import { searchAddressComponentValues } from '../../../service/search-address-component-values.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readComponentValues } from '../request/read-discovery-request.ts';
import { COMPONENT_ADDRESS } from './addresses.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'searchAddressComponentValues',
  {
    summary: 'Search the values of an address component',
    description: 'With their names; the best matches of a query come first. Page by page.',
    tag: 'metrics',
    answer: SearchAddressComponentValuesResponseSchema,
    refusals: [404, 504],
  },
  { params: COMPONENT_ADDRESS, querystring: ComponentValuesQuerySchema },
);

export function routeSearchAddressComponentValues(
  app: HttpApp,
  { service, callOf }: RouteContext,
): void {
  app.get(
    '/v1/catalogs/:catalogId/addressComponents/:component/values',
    { schema, config: { access: 'metrics' } },
    async (request, reply) => {
      const call = callOf(request);
      checkBillingContext(call.caller, request.query.billingContext);
      const asked = readComponentValues(request.query, request.params);
      const result = await searchAddressComponentValues(service, asked, call);
      const rows = result.values.length;
      const nextPageToken = result.nextPageToken(rows);
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: asked },
        rows,
        encode: () => encodeComponentValues({ ...result, nextPageToken }),
      });
    },
  );
}
