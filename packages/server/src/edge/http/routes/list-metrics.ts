import { ListMetricsQuerySchema, ListMetricsResponseSchema } from '@locmetrics/contract';
import { encodeMetrics } from '../../../encoding/discovery-json.ts';
import { listMetrics } from '../../../service/list-metrics.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readListMetrics } from '../request/read-discovery-request.ts';
import { CATALOG_ADDRESS } from './addresses.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'listMetrics',
  {
    summary: 'List the metrics of a catalog',
    description:
      'With their layers, measures, dimensions and days, in the order of their ids, page by page.',
    tag: 'metrics',
    answer: ListMetricsResponseSchema,
    refusals: [404, 504],
  },
  { params: CATALOG_ADDRESS, querystring: ListMetricsQuerySchema },
);

export function routeListMetrics(app: HttpApp, { service, callOf }: RouteContext): void {
  app.get(
    '/v1/catalogs/:catalogId/metrics',
    { schema, config: { access: 'metrics' } },
    async (request, reply) => {
      const asked = readListMetrics(request.query, request.params.catalogId);
      const { metrics, nextPageToken } = await listMetrics(service, asked, callOf(request));
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: asked },
        encode: () => encodeMetrics({ metrics, nextPageToken: nextPageToken(metrics.length) }),
      });
    },
  );
}
