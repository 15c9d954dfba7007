import {
  MetricValuesQuerySchema,
  SearchMetricValuesRequestSchema,
  SearchMetricValuesResponseSchema,
} from '@locmetrics/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodeMetricValuesPage } from '../../../encoding/metric-values-json.ts';
import {
  checkMetricValues,
  pinMetricValues,
  readMetricValues,
  type SearchMetricValuesResult,
  searchMetricValues,
} from '../../../service/search-metric-values.ts';
import type { ServiceContext } from '../../../service/service-context.ts';
import { encodeAnswer, recordAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readMetricBody, readMetricQuery } from '../request/read-metric-request.ts';
import { METRIC_ADDRESS } from './addresses.ts';
import type { RouteContext } from './route-context.ts';

/** The same operation for GET and POST. */
const OPERATION = 'searchMetricValues';

const common = {
  tag: 'metrics',
  answer: SearchMetricValuesResponseSchema,
  refusals: [404, 504],
} as const;

const getSchema = describedRoute(
  OPERATION,
  {
    ...common,
    summary: 'The values of a metric',
    description: 'Sorted by feature and by start of the period, page by page.',
    isConditional: true,
  },
  { params: METRIC_ADDRESS, querystring: MetricValuesQuerySchema },
);

const postSchema = describedRoute(
  'searchMetricValuesByBody',
  { ...common, summary: 'The values of a metric, by filters too long for an address' },
  { params: METRIC_ADDRESS, body: SearchMetricValuesRequestSchema },
);

export function routeSearchMetricValues(app: HttpApp, context: RouteContext): void {
  const { service, callOf, answerUnlessHeld } = context;
  const path = '/v1/catalogs/:catalogId/metrics/:metricId/values';
  app.get(path, { schema: getSchema, config: { access: 'metrics' } }, async (request, reply) => {
    const asked = readMetricQuery(request.query, request.params);
    const call = callOf(request);
    const page = pinMetricValues(service, asked, call);
    return answerUnlessHeld(
      { request, reply },
      {
        parts: page.answerParts,
        check: () => checkMetricValues(page),
        whenHeld: () =>
          recordAnswer(request, { operation: OPERATION, request: asked, rows: 0, bytes: 0 }),
        make: async () =>
          encode(service, await readMetricValues(service, page, call), request, reply),
      },
    );
  });
  // Two colons mean a literal colon in the path of a route.
  app.post(
    `${path}::search`,
    { schema: postSchema, config: { access: 'metrics' } },
    async (request, reply) => {
      const asked = readMetricBody(request.body, request.params);
      const result = await searchMetricValues(service, asked, callOf(request));
      return encode(service, result, request, reply);
    },
  );
}

function encode(
  { answers }: ServiceContext,
  result: SearchMetricValuesResult,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  const sentRows = result.values.size;
  const nextPageToken = result.nextPageToken(sentRows);
  return encodeAnswer(request, reply, {
    answered: { operation: OPERATION, request: result.metric },
    rows: sentRows,
    encode: () =>
      answers.holdRows(sentRows, () => encodeMetricValuesPage({ ...result, nextPageToken })),
  });
}
