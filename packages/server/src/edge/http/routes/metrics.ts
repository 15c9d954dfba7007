import {
  GetMetricQuerySchema,
  GetMetricResponseSchema,
  ListCatalogsResponseSchema,
  ListMetricsQuerySchema,
  ListMetricsResponseSchema,
  MetricValuesQuerySchema,
  OwnerQuerySchema,
  SearchMetricReportResponseSchema,
  SearchMetricValuesRequestSchema,
  SearchMetricValuesResponseSchema,
} from '@locmetrics/contract';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import {
  encodeCatalogs,
  encodeMetric,
  encodeMetricReport,
  encodeMetrics,
} from '../../../encoding/discovery-json.ts';
import { encodeMetricValuesPage } from '../../../encoding/metric-values-json.ts';
import { getMetric, getMetricReport, listMetrics } from '../../../service/describe-metrics.ts';
import { listCatalogs } from '../../../service/list-catalogs.ts';
import {
  checkMetricValues,
  pinMetricValues,
  readMetricValues,
  type SearchMetricValuesResult,
  searchMetricValues,
} from '../../../service/search-metric-values.ts';
import { readListMetrics } from '../request/read-discovery-request.ts';
import { readMetricBody, readMetricQuery } from '../request/read-metric-request.ts';
import { CATALOG_ADDRESS, METRIC_ADDRESS } from './addresses.ts';
import { conditionalRoute, meteredRoute, type Route } from './route.ts';
import type { RouteContext } from './route-context.ts';

const ofValues = {
  access: 'metrics',
  answer: SearchMetricValuesResponseSchema,
  refusals: [404, 504],
  params: METRIC_ADDRESS,
} as const;

/** Catalogs, their metrics, and the values of these. */
export const metricRoutes: readonly Route[] = [
  meteredRoute(
    {
      operationId: 'listCatalogs',
      at: 'GET /v1/catalogs',
      access: 'metrics',
      summary: 'List the catalogs',
      description: 'Those with a metric that you may see.',
      answer: ListCatalogsResponseSchema,
      refusals: [],
      querystring: OwnerQuerySchema,
    },
    async ({ service }, { query, call }) => {
      checkBillingContext(call.caller, query.billingContext);
      return { asked: query, encode: () => encodeCatalogs(listCatalogs(service, call)) };
    },
  ),
  meteredRoute(
    {
      operationId: 'listMetrics',
      at: 'GET /v1/catalogs/:catalogId/metrics',
      access: 'metrics',
      summary: 'List the metrics of a catalog',
      description:
        'With their layers, measures, dimensions and days, in the order of their ids, page by page.',
      answer: ListMetricsResponseSchema,
      refusals: [404, 504],
      params: CATALOG_ADDRESS,
      querystring: ListMetricsQuerySchema,
    },
    async ({ service }, { params, query, call }) => {
      const asked = readListMetrics(query, params.catalogId);
      const { metrics, nextPageToken } = await listMetrics(service, asked, call);
      const page = { metrics, nextPageToken: nextPageToken(metrics.length) };
      return { asked, encode: () => encodeMetrics(page) };
    },
  ),
  meteredRoute(
    {
      operationId: 'getMetric',
      at: 'GET /v1/catalogs/:catalogId/metrics/:metricId',
      access: 'metrics',
      summary: 'Describe one metric',
      description:
        'Its layer with the components, its measures, dimensions, days and number of values.',
      answer: GetMetricResponseSchema,
      refusals: [404, 504],
      params: METRIC_ADDRESS,
      querystring: GetMetricQuerySchema,
    },
    async ({ service }, { params, query, call }) => {
      const { billingContext = '', ...skipped } = query;
      const asked = { ...params, billingContext };
      const described = await getMetric(service, asked, call);
      const leftOut = {
        layers: skipped.skipLayers,
        dimensions: skipped.skipDimensions,
        observationPeriod: skipped.skipObservationPeriod,
        lens: skipped.skipLens,
      };
      return { asked, encode: () => encodeMetric(described, leftOut) };
    },
  ),
  meteredRoute(
    {
      operationId: 'searchMetricReport',
      at: 'GET /v1/catalogs/:catalogId/metrics/:metricId/report',
      access: 'metrics',
      summary: 'The days of the values of a metric',
      description: 'Of the values that you may see, with the filters that always apply to them.',
      answer: SearchMetricReportResponseSchema,
      refusals: [404, 504],
      params: METRIC_ADDRESS,
      querystring: OwnerQuerySchema,
    },
    async ({ service }, { params, query: { billingContext = '' }, call }) => {
      const asked = { ...params, billingContext };
      const report = await getMetricReport(service, asked, call);
      return { asked, encode: () => encodeMetricReport(report) };
    },
  ),
  conditionalRoute(
    {
      ...ofValues,
      operationId: 'searchMetricValues',
      at: 'GET /v1/catalogs/:catalogId/metrics/:metricId/values',
      summary: 'The values of a metric',
      description: 'Sorted by feature and by start of the period, page by page.',
      querystring: MetricValuesQuerySchema,
    },
    (context, { params, query, call }) => {
      const asked = readMetricQuery(query, params);
      const page = pinMetricValues(context.service, asked, call);
      return {
        asked,
        parts: page.answerParts,
        check: () => checkMetricValues(page),
        make: async () =>
          answerValues(context, await readMetricValues(context.service, page, call)),
      };
    },
  ),
  meteredRoute(
    {
      ...ofValues,
      operationId: 'searchMetricValuesByBody',
      operation: 'searchMetricValues',
      at: 'POST /v1/catalogs/:catalogId/metrics/:metricId/values::search',
      summary: 'The values of a metric, by filters too long for an address',
      body: SearchMetricValuesRequestSchema,
    },
    async (context, { params, body, call }) => {
      const asked = readMetricBody(body, params);
      const result = await searchMetricValues(context.service, asked, call);
      return { asked, ...answerValues(context, result) };
    },
  ),
];

function answerValues({ service }: RouteContext, result: SearchMetricValuesResult) {
  const rows = result.values.size;
  const page = { ...result, nextPageToken: result.nextPageToken(rows) };
  const encode = () => encodeMetricValuesPage(page);
  return { rows, encode: () => service.answers.holdRows(rows, encode) };
}
