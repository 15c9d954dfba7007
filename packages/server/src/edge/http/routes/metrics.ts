import {
  DownloadMetricRequestSchema,
  FileDownloadResponseSchema,
  GetMetricQuerySchema,
  GetMetricResponseSchema,
  ListCatalogsResponseSchema,
  ListMetricsQuerySchema,
  ListMetricsResponseSchema,
  MetricAggregatesQuerySchema,
  MetricValuesQuerySchema,
  OwnerQuerySchema,
  SearchMetricAggregatesRequestSchema,
  SearchMetricAggregatesResponseSchema,
  SearchMetricReportResponseSchema,
  SearchMetricValuesRequestSchema,
  SearchMetricValuesResponseSchema,
} from '@locmetrics/contract';
import { licencesOfMetric } from '@locmetrics/core/domain/metric-licences';
import {
  encodeCatalogs,
  encodeMetric,
  encodeMetricReport,
  encodeMetrics,
} from '@locmetrics/core/encoding/discovery-json';
import { encodeMetricAggregatesPage } from '@locmetrics/core/encoding/metric-aggregates-json';
import { encodeMetricValuesPage } from '@locmetrics/core/encoding/metric-values-json';
import { encodeFileDownload } from '@locmetrics/core/encoding/records-export';
import type { SearchMetricValuesRequest } from '@locmetrics/core/requests/metric-request';
import { checkBillingContext } from '../../../auth/billing-context.ts';
import { downloadMetric } from '../../../service/exports/download-metric.ts';
import { listCatalogs } from '../../../service/list-catalogs.ts';
import {
  getMetric,
  getMetricReport,
  listMetrics,
} from '../../../service/metrics/describe-metrics.ts';
import {
  type SearchMetricAggregatesResult,
  searchMetricAggregates,
} from '../../../service/metrics/search-metric-aggregates.ts';
import {
  checkMetricValues,
  type MetricValuesPage,
  pinMetricValues,
  readMetricValues,
  type SearchMetricValuesResult,
} from '../../../service/metrics/search-metric-values.ts';
import type { Call, ServiceContext } from '../../../service/service-context.ts';
import {
  metricValuesColumns,
  visitMetricValues,
} from '../../../service/streams/metric-values-table.ts';
import { preferredFormat } from '../request/preferred-format.ts';
import { readListMetrics } from '../request/read-discovery-request.ts';
import { readAggregatesBody, readAggregatesQuery } from '../request/read-metric-aggregates.ts';
import {
  readDownloadMetric,
  readMetricBody,
  readMetricQuery,
} from '../request/read-metric-request.ts';
import { stateOf } from '../request/request-state.ts';
import { CATALOG_ADDRESS, METRIC_ADDRESS } from './addresses.ts';
import { encodeCsvPage } from './csv-page.ts';
import { conditionalRoute, operationRoute, type Route } from './route.ts';

const ofValues = {
  access: 'metrics',
  answer: SearchMetricValuesResponseSchema,
  tables: 'unlisted',
  refusals: [404, 504],
  params: METRIC_ADDRESS,
} as const;

/** A page, and what its columns as a table follow from. */
type ValuesPage = SearchMetricValuesResult & Pick<MetricValuesPage, 'selection'>;
type AskedValues = SearchMetricValuesRequest & {
  readonly format: ReturnType<typeof preferredFormat>;
};

const encodeValues = {
  rowsOf: ({ values }: ValuesPage) => values.size,
  encode: (page: ValuesPage, { format, trackTotalHits }: AskedValues) => {
    if (format === 'json') return encodeMetricValuesPage(page);
    const { values, selection, totalSize, ...rest } = page;
    const fields = metricValuesColumns(selection.version, selection.shown);
    return encodeCsvPage({
      ...rest,
      fields,
      size: values.size,
      visit: visitMetricValues(fields, values),
      totalSize: trackTotalHits === false ? undefined : totalSize,
      licences: licencesOfMetric(selection.version),
    });
  },
};

async function readValuesPage(
  service: ServiceContext,
  page: MetricValuesPage,
  call: Call,
): Promise<ValuesPage> {
  const { selection } = page;
  return { ...(await readMetricValues(service, page, call)), selection };
}

const ofAggregates = {
  access: 'metrics',
  answer: SearchMetricAggregatesResponseSchema,
  refusals: [404, 504],
  params: METRIC_ADDRESS,
} as const;

const encodeAggregates = {
  rowsOf: ({ rows }: SearchMetricAggregatesResult) => rows.length,
  encode: encodeMetricAggregatesPage,
};

/** Catalogs, their metrics, and the values of these. */
export const metricRoutes: readonly Route[] = [
  operationRoute(
    {
      operationId: 'listCatalogs',
      at: 'GET /v1/catalogs',
      access: 'metrics',
      summary: 'List the catalogs',
      description: 'Returns the catalogs that have a metric you may see.',
      answer: ListCatalogsResponseSchema,
      refusals: [],
      querystring: OwnerQuerySchema,
    },
    {
      read: ({ query, call }) => {
        checkBillingContext(call.caller, query.billingContext);
        return query;
      },
      run: (service, _asked, call) => listCatalogs(service, call),
      encode: encodeCatalogs,
    },
  ),
  operationRoute(
    {
      operationId: 'listMetrics',
      at: 'GET /v1/catalogs/:catalogId/metrics',
      access: 'metrics',
      summary: 'List the metrics of a catalog',
      description:
        'Returns the metrics sorted by id, in pages, each with its layer, measures, dimensions, and first and last day.',
      answer: ListMetricsResponseSchema,
      refusals: [404, 504],
      params: CATALOG_ADDRESS,
      querystring: ListMetricsQuerySchema,
    },
    {
      read: ({ params, query }) => readListMetrics(query, params.catalogId),
      run: listMetrics,
      encode: encodeMetrics,
    },
  ),
  operationRoute(
    {
      operationId: 'getMetric',
      at: 'GET /v1/catalogs/:catalogId/metrics/:metricId',
      access: 'metrics',
      summary: 'Describe one metric',
      description:
        'Returns the layer of a metric with its components, and the measures, dimensions, first and last day, and number of values of the metric.',
      answer: GetMetricResponseSchema,
      refusals: [404, 504],
      params: METRIC_ADDRESS,
      querystring: GetMetricQuerySchema,
    },
    {
      read: ({ params, query }) => {
        const { billingContext = '', ...skipped } = query;
        return { ...params, billingContext, skipped };
      },
      run: getMetric,
      encode: (described, { skipped }) =>
        encodeMetric(described, {
          layers: skipped.skipLayers,
          dimensions: skipped.skipDimensions,
          observationPeriod: skipped.skipObservationPeriod,
          lens: skipped.skipLens,
        }),
    },
  ),
  operationRoute(
    {
      operationId: 'searchMetricReport',
      at: 'GET /v1/catalogs/:catalogId/metrics/:metricId/report',
      access: 'metrics',
      summary: 'Get the period that a metric covers',
      description:
        'Returns the first and last day of the values that you may see, and the filters that always apply to them.',
      answer: SearchMetricReportResponseSchema,
      refusals: [404, 504],
      params: METRIC_ADDRESS,
      querystring: OwnerQuerySchema,
    },
    {
      read: ({ params, query: { billingContext = '' } }) => ({ ...params, billingContext }),
      run: getMetricReport,
      encode: encodeMetricReport,
    },
  ),
  conditionalRoute(
    {
      ...ofValues,
      operationId: 'searchMetricValues',
      at: 'GET /v1/catalogs/:catalogId/metrics/:metricId/values',
      summary: 'Get the values of a metric',
      description:
        'Returns time series: values sorted by feature and by start of the period, in pages. With the header Accept: text/csv, a page is CSV, and its token is in Next-Page-Token.',
      querystring: MetricValuesQuerySchema,
    },
    {
      ...encodeValues,
      read: ({ params, query, request: { headers } }) => ({
        ...readMetricQuery(query, params),
        format: preferredFormat(headers),
      }),
      pin: pinMetricValues,
      check: checkMetricValues,
      run: readValuesPage,
    },
  ),
  operationRoute(
    {
      ...ofValues,
      operationId: 'searchMetricValuesByBody',
      operation: 'searchMetricValues',
      at: 'POST /v1/catalogs/:catalogId/metrics/:metricId/values::search',
      summary: 'Get the values of a metric, with filters in the body',
      body: SearchMetricValuesRequestSchema,
    },
    {
      ...encodeValues,
      read: ({ params, body, request: { headers } }) => ({
        ...readMetricBody(body, params),
        format: preferredFormat(headers),
      }),
      run: (service, asked, call) =>
        readValuesPage(service, pinMetricValues(service, asked, call), call),
    },
  ),
  operationRoute(
    {
      ...ofAggregates,
      operationId: 'searchMetricAggregates',
      at: 'GET /v1/catalogs/:catalogId/metrics/:metricId/aggregates',
      summary: 'Group, compare and rank the values of a metric',
      description:
        'Returns groups of values with their aggregates, in pages: by feature, component, dimension or period, compared with another period or with the mean of the groups, and ranked.',
      querystring: MetricAggregatesQuerySchema,
    },
    {
      ...encodeAggregates,
      read: ({ params, query, request }) => readAggregatesQuery(query, params, stateOf(request)),
      run: searchMetricAggregates,
    },
  ),
  operationRoute(
    {
      ...ofAggregates,
      operationId: 'searchMetricAggregatesByBody',
      operation: 'searchMetricAggregates',
      at: 'POST /v1/catalogs/:catalogId/metrics/:metricId/aggregates',
      summary: 'Group, compare and rank the values of a metric, with the request in the body',
      body: SearchMetricAggregatesRequestSchema,
    },
    {
      ...encodeAggregates,
      read: ({ params, body }) => readAggregatesBody(body, params),
      run: searchMetricAggregates,
    },
  ),
  operationRoute(
    {
      operationId: 'downloadMetric',
      at: 'POST /v1/catalogs/:catalogId/metrics/:metricId([^/]+)::download',
      access: 'metrics',
      summary: 'Export the values of a metric to files, and wait for them',
      description:
        'Creates an export of all values of the metric as CSV, and answers with links to its files once they are complete. If they take longer than a request may, the answer is DEADLINE_EXCEEDED with the id of the export, which goes on: prefer the stream values.csv for large results. An export whose caller leaves is deleted.',
      answer: FileDownloadResponseSchema,
      refusals: [404, 409, 504],
      params: METRIC_ADDRESS,
      body: DownloadMetricRequestSchema,
    },
    {
      read: ({ params, body }) => readDownloadMetric(body, params),
      run: downloadMetric,
      encode: encodeFileDownload,
    },
  ),
];
