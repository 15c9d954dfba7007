import {
  MetricValuesQuerySchema,
  SearchMetricValuesRequestSchema,
  SearchMetricValuesResponseSchema,
} from '@locmetrics/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { encodeMetricValuesPage } from '../../../encoding/metric-values-json.ts';
import {
  prepareMetricValues,
  type SearchMetricValuesResult,
  searchMetricValues,
} from '../../../service/search-metric-values.ts';
import { encodeAnswer, recordAnswer } from '../encode-answer.ts';
import type { HttpApp, RouteContext } from '../http-app.ts';
import { readMetricBody, readMetricQuery } from '../read-metric-request.ts';
import { problemAnswers } from './catalog-route.ts';

/** The same whichever way it is asked for. */
const OPERATION = 'searchMetricValues';

const address = Type.Object({
  catalogId: Type.String({ description: 'The catalog.', examples: ['nps'] }),
  metricId: Type.String({ description: 'The metric.', examples: ['foot_traffic_monthly'] }),
});

const common = {
  tags: ['metrics'],
  params: address,
  response: problemAnswers(SearchMetricValuesResponseSchema),
} as const;

const getSchema = {
  ...common,
  operationId: OPERATION,
  summary: 'The values of a metric',
  description:
    'By feature and start of the period, page by page. Every parameter is accepted in snake_case and in lowerCamelCase; an unknown one is an error.',
  querystring: MetricValuesQuerySchema,
};

const postSchema = {
  ...common,
  operationId: 'searchMetricValuesByBody',
  summary: 'The values of a metric, by filters too long for an address',
  description:
    'Every field is accepted in snake_case and in lowerCamelCase; an unknown field is an error.',
  body: SearchMetricValuesRequestSchema,
};

export function routeSearchMetricValues(app: HttpApp, context: RouteContext): void {
  const { service, callOf, answerUnlessHeld } = context;
  const encode = (
    result: SearchMetricValuesResult,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> => {
    const sentRows = result.values.length;
    const nextPageToken = result.nextPageToken(sentRows);
    return encodeAnswer(request, reply, {
      answered: { operation: OPERATION, request: result.metric },
      rows: sentRows,
      encode: () => encodeMetricValuesPage({ ...result, nextPageToken }),
    });
  };
  const path = '/v1/catalogs/:catalogId/metrics/:metricId/values';
  app.get(path, { schema: getSchema }, async (request, reply) => {
    const asked = readMetricQuery(request.query, request.params);
    const { fingerprint, check, read } = prepareMetricValues(service, asked, callOf(request));
    return answerUnlessHeld(
      { request, reply },
      {
        fingerprint: fingerprint(),
        whenHeld: async () => {
          check();
          await recordAnswer(request, { operation: OPERATION, request: asked, rows: 0, bytes: 0 });
        },
        make: async () => encode(await read(), request, reply),
      },
    );
  });
  // Two colons stand for one that begins no parameter.
  app.post(`${path}::search`, { schema: postSchema }, async (request, reply) => {
    const asked = readMetricBody(request.body, request.params);
    return encode(await searchMetricValues(service, asked, callOf(request)), request, reply);
  });
}
