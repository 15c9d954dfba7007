import type { Call } from './call.ts';
import { extentOf, PAGE_MAX_ROWS } from './extent.ts';
import {
  type PlainAggregatesRequest,
  type PlainMetricRequest,
  type PlainRecordsRequest,
  plainAggregatesRequest,
  plainMetricRequest,
  plainRecordsRequest,
  withoutDefaults,
} from './plain-request.ts';

/** A plain request for one page. */
export type PageRequest =
  | { readonly operation: 'listRecords'; readonly request: PlainRecordsRequest }
  | { readonly operation: 'searchMetricValues'; readonly request: PlainMetricRequest }
  | { readonly operation: 'searchMetricAggregates'; readonly request: PlainAggregatesRequest }
  | Extract<Call, { operation: 'listRecordsStatistics' | 'getLayerStats' }>;

/** The request of a call that reads one page. Of all rows that is the largest page. */
export function pageRequest(call: Call): PageRequest {
  const { operation, request } = call;
  const size = extentOf(call) === 'all' ? { pageSize: PAGE_MAX_ROWS } : {};
  switch (operation) {
    case 'listRecords':
      return { operation, request: { ...plainRecordsRequest(request), ...size } };
    case 'searchMetricValues':
      return { operation, request: { ...plainMetricRequest(request), ...size } };
    case 'searchMetricAggregates':
      return { operation, request: { ...plainAggregatesRequest(request), ...size } };
    case 'listRecordsStatistics':
      return { operation, request: withoutDefaults(request) };
    case 'getLayerStats':
      return { operation, request: withoutDefaults(request) };
  }
}
