import { OwnerQuerySchema, SearchMetricReportResponseSchema } from '@locmetrics/contract';
import { encodeMetricReport } from '../../../encoding/discovery-json.ts';
import { getMetricReport } from '../../../service/get-metric-report.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { METRIC_ADDRESS } from './addresses.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'searchMetricReport',
  {
    summary: 'The days of the values of a metric',
    description: 'Of the values that you may see, with the filters that always apply to them.',
    tag: 'metrics',
    answer: SearchMetricReportResponseSchema,
    refusals: [404, 504],
  },
  { params: METRIC_ADDRESS, querystring: OwnerQuerySchema },
);

export function routeSearchMetricReport(app: HttpApp, { service, callOf }: RouteContext): void {
  app.get(
    '/v1/catalogs/:catalogId/metrics/:metricId/report',
    { schema, config: { access: 'metrics' } },
    async (request, reply) => {
      const { billingContext = '' } = request.query;
      const asked = { ...request.params, billingContext };
      const report = await getMetricReport(service, asked, callOf(request));
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: asked },
        encode: () => encodeMetricReport(report),
      });
    },
  );
}
