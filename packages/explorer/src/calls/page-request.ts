import type { Call } from './call.ts';
import { extentOf, PAGE_MAX_ROWS } from './extent.ts';
import {
  type PlainMetricRequest,
  type PlainRecordsRequest,
  plainMetricRequest,
  plainRecordsRequest,
} from './plain-request.ts';

/** A plain request for one page. */
export type PageRequest =
  | { readonly operation: 'listRecords'; readonly request: PlainRecordsRequest }
  | { readonly operation: 'searchMetricValues'; readonly request: PlainMetricRequest };

/** The request of a call that reads one page. Of all rows that is the largest page. */
export function pageRequest(call: Call): PageRequest {
  const { operation, request } = call;
  const size = extentOf(call) === 'all' ? { pageSize: PAGE_MAX_ROWS } : {};
  return operation === 'listRecords'
    ? { operation, request: { ...plainRecordsRequest(request), ...size } }
    : { operation, request: { ...plainMetricRequest(request), ...size } };
}
