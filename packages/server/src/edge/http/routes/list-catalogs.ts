import { ListCatalogsResponseSchema, OwnerQuerySchema } from '@locmetrics/contract';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import { encodeCatalogs } from '../../../encoding/discovery-json.ts';
import { listCatalogs } from '../../../service/list-catalogs.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'listCatalogs',
  {
    summary: 'List the catalogs',
    description: 'Those with a metric that you may see.',
    tag: 'metrics',
    answer: ListCatalogsResponseSchema,
    refusals: [],
  },
  { querystring: OwnerQuerySchema },
);

export function routeListCatalogs(app: HttpApp, { service, callOf }: RouteContext): void {
  app.get('/v1/catalogs', { schema, config: { access: 'metrics' } }, async (request, reply) => {
    const call = callOf(request);
    checkBillingContext(call.caller, request.query.billingContext);
    return encodeAnswer(request, reply, {
      answered: { operation: schema.operationId, request: request.query },
      encode: () => encodeCatalogs(listCatalogs(service, call)),
    });
  });
}
