import type {
  GetLayerStatsRequest,
  ListRecordsRequest,
  ListRecordsStatisticsRequest,
  MetricAggregatesRequest,
  MetricValuesRequest,
} from '@locmetrics/client';

/**
 * A call of the service that gives what is on the screen. With a `pageSize` it is a page of that size; without one it
 * is all rows.
 */
export type Call =
  | { readonly operation: 'listRecords'; readonly request: ListRecordsRequest }
  | { readonly operation: 'listRecordsStatistics'; readonly request: ListRecordsStatisticsRequest }
  | { readonly operation: 'getLayerStats'; readonly request: GetLayerStatsRequest }
  | { readonly operation: 'searchMetricValues'; readonly request: MetricValuesRequest }
  | { readonly operation: 'searchMetricAggregates'; readonly request: AggregatesRequest };

/** With groups and aggregates as objects, as they are in a body and over gRPC. */
export type AggregatesRequest = Extract<
  MetricAggregatesRequest,
  { aggregates: readonly unknown[] }
>;

/** The text of a call in a language, the variables that it needs, and remarks about it. */
export type CallContext = {
  /** The address of the service over HTTP. */
  readonly url: string;
  readonly organisationId: string;
  /** Undefined: the text reads the token from the variable LOCMETRICS_TOKEN. */
  readonly token: string | undefined;
};

/** A call in a language, as a person would paste it. */
export type CallText = {
  readonly text: string;
  /** The variables of the environment that the text reads. */
  readonly variables: readonly Variable[];
  /** Remarks about this text for its reader, as sentences. */
  readonly notes: readonly string[];
};

export type Variable = 'LOCMETRICS_TOKEN' | 'LOCMETRICS_GRPC_ADDRESS' | 'LOCMETRICS_CA_FILE';
