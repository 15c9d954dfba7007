import type { ListRecordsRequest, MetricValuesRequest } from '@locmetrics/client';

/** A call of the service that gives what is on the screen. */
export type Call =
  | { readonly operation: 'listRecords'; readonly request: ListRecordsRequest }
  | { readonly operation: 'searchMetricValues'; readonly request: MetricValuesRequest };
