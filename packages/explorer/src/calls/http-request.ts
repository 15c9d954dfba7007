import type { Call } from './call.ts';
import { pageRequest } from './page-request.ts';

/** The path and the body of a POST that reads a page of a call, and the member of the answer that has the rows. */
export type HttpRequest = {
  readonly path: string;
  readonly body: object;
  readonly rows: string;
};

/** Metrics are asked for by POST, because the address of a GET cannot express every filter. */
export function httpRequest(call: Call, billingContext: string): HttpRequest {
  const { operation, request } = pageRequest(call);
  switch (operation) {
    case 'listRecords':
      return { path: '/v3/catalog/listRecords', body: request, rows: 'records' };
    case 'listRecordsStatistics':
      return {
        path: '/v3alpha/catalog/listRecordsStatistics',
        body: request,
        rows: 'statistics',
      };
    case 'getLayerStats':
      return { path: '/v3alpha/catalog/getLayerStats', body: request, rows: 'stats' };
    case 'searchMetricValues': {
      const { catalogId, metricId, ...rest } = request;
      const path = `${metricPath(catalogId, metricId)}/values:search`;
      return { path, body: { billingContext, ...rest }, rows: 'valuesList' };
    }
    case 'searchMetricAggregates': {
      const { catalogId, metricId, ...rest } = request;
      const path = `${metricPath(catalogId, metricId)}/aggregates`;
      return { path, body: { billingContext, ...rest }, rows: 'rowsList' };
    }
  }
}

function metricPath(catalogId: string, metricId: string): string {
  return `/v1/catalogs/${encodeURIComponent(catalogId)}/metrics/${encodeURIComponent(metricId)}`;
}
