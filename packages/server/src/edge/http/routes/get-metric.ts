import { GetMetricQuerySchema, GetMetricResponseSchema } from '@locmetrics/contract';
import { encodeMetric } from '../../../encoding/discovery-json.ts';
import { getMetric } from '../../../service/get-metric.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { METRIC_ADDRESS } from './addresses.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'getMetric',
  {
    summary: 'Describe one metric',
    description:
      'Its layer with the components, its measures, dimensions, days and number of values.',
    tag: 'metrics',
    answer: GetMetricResponseSchema,
    refusals: [404, 504],
  },
  { params: METRIC_ADDRESS, querystring: GetMetricQuerySchema },
);

export function routeGetMetric(app: HttpApp, { service, callOf }: RouteContext): void {
  app.get(
    '/v1/catalogs/:catalogId/metrics/:metricId',
    { schema, config: { access: 'metrics' } },
    async (request, reply) => {
      const { billingContext = '', ...skipped } = request.query;
      const asked = { ...request.params, billingContext };
      const described = await getMetric(service, asked, callOf(request));
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: asked },
        encode: () =>
          encodeMetric(described, {
            layers: skipped.skipLayers,
            dimensions: skipped.skipDimensions,
            observationPeriod: skipped.skipObservationPeriod,
            lens: skipped.skipLens,
          }),
      });
    },
  );
}
