import {
  DimensionValuesQuerySchema,
  SearchDimensionValuesResponseSchema,
} from '@locmetrics/contract';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import { encodeDimensionValues } from '../../../encoding/discovery-json.ts';
import { searchDimensionValues } from '../../../service/search-dimension-values.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readDimensionValues } from '../request/read-discovery-request.ts';
import { DIMENSION_ADDRESS } from './addresses.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'searchDimensionValues',
  {
    summary: 'Search the values of a dimension',
    description: 'Those of the metrics of the catalog, with their names, page by page.',
    tag: 'metrics',
    answer: SearchDimensionValuesResponseSchema,
    refusals: [404, 504],
  },
  { params: DIMENSION_ADDRESS, querystring: DimensionValuesQuerySchema },
);

export function routeSearchDimensionValues(app: HttpApp, { service, callOf }: RouteContext): void {
  app.get(
    '/v1/catalogs/:catalogId/dimensions/:dimensionId/values',
    { schema, config: { access: 'metrics' } },
    async (request, reply) => {
      const call = callOf(request);
      checkBillingContext(call.caller, request.query.billingContext);
      const asked = readDimensionValues(request.query, request.params);
      const result = await searchDimensionValues(service, asked, call);
      const rows = result.values.length;
      const nextPageToken = result.nextPageToken(rows);
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: asked },
        rows,
        encode: () => encodeDimensionValues({ ...result, nextPageToken }),
      });
    },
  );
}
