import type { SearchMetricAggregatesRequest } from '@locmetrics/core/requests/metric-aggregates';
import type {
  ListMetricsRequest,
  SearchAddressComponentValuesRequest,
  SearchDimensionValuesRequest,
  SearchLayerFeaturesRequest,
  SearchMetricValuesRequest,
} from '@locmetrics/core/requests/metric-request';
import {
  type SearchLayerFeaturesResult,
  searchLayerFeatures,
} from '@locmetrics/server/service/features/search-layer-features';
import {
  type SearchAddressComponentValuesResult,
  type SearchDimensionValuesResult,
  searchAddressComponentValues,
  searchDimensionValues,
} from '@locmetrics/server/service/features/search-named-values';
import { findMetric } from '@locmetrics/server/service/find-in-catalog';
import {
  getMetric,
  getMetricReport,
  type ListMetricsResult,
  listMetrics,
  type MetricDescription,
  type MetricReport,
} from '@locmetrics/server/service/metrics/describe-metrics';
import {
  type SearchMetricAggregatesResult,
  searchMetricAggregates,
} from '@locmetrics/server/service/metrics/search-metric-aggregates';
import {
  type SearchMetricValuesResult,
  searchMetricValues,
} from '@locmetrics/server/service/metrics/search-metric-values';
import type { ServiceContext } from '@locmetrics/server/service/service-context';
import { type CallQuestion, toCall } from '../engines/test-call.ts';
import { readPages } from '../read-pages.ts';
import { CATALOG_ID } from './define-metric.ts';
import { type MetricValue, metricValuesIn } from './metric-value.ts';

/** The operations of the metric query interface. A question has only the members that matter. */
export type MetricOperations = {
  readonly searchMetricValues: (question?: MetricQuestion) => Promise<MetricAnswer>;
  readonly metricValuePages: (question?: MetricQuestion) => Promise<readonly MetricAnswer[]>;
  readonly searchMetricAggregates: (question?: AggregatesQuestion) => Promise<AggregatesAnswer>;
  readonly aggregatePages: (question?: AggregatesQuestion) => Promise<readonly AggregatesAnswer[]>;
  readonly searchLayerFeatures: (question?: FeaturesQuestion) => Promise<FeaturesAnswer>;
  readonly featurePages: (question?: FeaturesQuestion) => Promise<readonly FeaturesAnswer[]>;
  readonly searchAddressComponentValues: (
    question: ComponentValuesQuestion,
  ) => Promise<ComponentValuesAnswer>;
  readonly componentValuePages: (
    question: ComponentValuesQuestion,
  ) => Promise<readonly ComponentValuesAnswer[]>;
  readonly searchDimensionValues: (
    question: DimensionValuesQuestion,
  ) => Promise<DimensionValuesAnswer>;
  readonly dimensionValuePages: (
    question: DimensionValuesQuestion,
  ) => Promise<readonly DimensionValuesAnswer[]>;
  readonly listMetrics: (question?: ListMetricsQuestion) => Promise<ListMetricsAnswer>;
  readonly getMetric: (question?: OneMetricQuestion) => Promise<MetricDescription>;
  readonly getMetricReport: (question?: OneMetricQuestion) => Promise<MetricReport>;
};

/** The default is the metric that was published first. */
export type MetricQuestion = Partial<SearchMetricValuesRequest> & PageQuestion;
export type AggregatesQuestion = Partial<SearchMetricAggregatesRequest> & PageQuestion;
/** The default is the layer of that metric. */
export type FeaturesQuestion = Partial<SearchLayerFeaturesRequest> & PageQuestion;
export type ComponentValuesQuestion = Partial<SearchAddressComponentValuesRequest> & PageQuestion;
export type DimensionValuesQuestion = Partial<SearchDimensionValuesRequest> & PageQuestion;
export type ListMetricsQuestion = Partial<ListMetricsRequest> & CallQuestion;
export type OneMetricQuestion = CallQuestion & {
  readonly metricId?: string;
  readonly catalogId?: string;
  readonly billingContext?: string;
};

type PageQuestion = CallQuestion & {
  /** The maximum number of rows sent of each page, as if an edge could send no more. */
  readonly sentRowsMax?: number;
};

/** A result with the sent rows, and the token of the page after them. */
type Answer<Result> = Omit<Result, 'nextPageToken'> & { readonly nextPageToken: string };
export type MetricAnswer = Answer<Omit<SearchMetricValuesResult, 'values'>> & {
  readonly values: readonly MetricValue[];
};
export type AggregatesAnswer = Answer<SearchMetricAggregatesResult>;
export type FeaturesAnswer = Answer<SearchLayerFeaturesResult>;
export type ComponentValuesAnswer = Answer<SearchAddressComponentValuesResult>;
export type DimensionValuesAnswer = Answer<SearchDimensionValuesResult>;
export type ListMetricsAnswer = Answer<ListMetricsResult>;

/** The operations over a context, with the default metric and layer of questions. */
export function askMetrics(
  context: ServiceContext,
  about: { readonly metricId: string; readonly layerId: string },
): MetricOperations {
  const ask = async (question: MetricQuestion = {}): Promise<MetricAnswer> => {
    const call = toCall(question);
    const request = toValuesRequest(question, about.metricId, call.caller.organisationId);
    const { values, nextPageToken, ...result } = await searchMetricValues(context, request, call);
    const version = findMetric(context.catalogFor(call.caller).snapshot(), request);
    const { metric } = result;
    const all = metricValuesIn(values, { ...version, metric });
    const sent = all.slice(0, question.sentRowsMax);
    return { ...result, values: sent, nextPageToken: nextPageToken(sent.length) };
  };
  const aggregates = async (question: AggregatesQuestion = {}): Promise<AggregatesAnswer> => {
    const call = toCall(question);
    const request = toAggregatesRequest(question, about.metricId, call.caller.organisationId);
    const found = await searchMetricAggregates(context, request, call);
    const sent = found.rows.slice(0, question.sentRowsMax);
    return { ...found, rows: sent, nextPageToken: found.nextPageToken(sent.length) };
  };
  const features = async (question: FeaturesQuestion = {}): Promise<FeaturesAnswer> => {
    const request = toFeaturesRequest(question, about.layerId);
    const found = await searchLayerFeatures(context, request, toCall(question));
    const sent = found.features.slice(0, question.sentRowsMax);
    return {
      ...found,
      features: sent,
      queryScores: found.queryScores.slice(0, question.sentRowsMax),
      nextPageToken: found.nextPageToken(sent.length),
    };
  };
  const components = async (question: ComponentValuesQuestion): Promise<ComponentValuesAnswer> => {
    const request = toComponentValuesRequest(question);
    const found = await searchAddressComponentValues(context, request, toCall(question));
    const sent = found.values.slice(0, question.sentRowsMax);
    return { ...found, values: sent, nextPageToken: found.nextPageToken(sent.length) };
  };
  const dimensions = async (question: DimensionValuesQuestion): Promise<DimensionValuesAnswer> => {
    const request = toDimensionValuesRequest(question);
    const found = await searchDimensionValues(context, request, toCall(question));
    const sent = found.values.slice(0, question.sentRowsMax);
    return { ...found, values: sent, nextPageToken: found.nextPageToken(sent.length) };
  };
  const toMetricRequest = ({ metricId, catalogId, billingContext }: OneMetricQuestion) => ({
    catalogId: catalogId ?? CATALOG_ID,
    metricId: metricId ?? about.metricId,
    billingContext: billingContext ?? '',
  });
  return {
    searchMetricValues: ask,
    metricValuePages: (question = {}) => readPages(question, ask),
    searchMetricAggregates: aggregates,
    aggregatePages: (question = {}) => readPages(question, aggregates),
    searchLayerFeatures: features,
    featurePages: (question = {}) => readPages(question, features),
    searchAddressComponentValues: components,
    componentValuePages: (question) => readPages(question, components),
    searchDimensionValues: dimensions,
    dimensionValuePages: (question) => readPages(question, dimensions),
    listMetrics: async (question = {}) => {
      const found = await listMetrics(context, toListRequest(question), toCall(question));
      return { ...found, nextPageToken: found.nextPageToken(found.metrics.length) };
    },
    getMetric: (question = {}) => getMetric(context, toMetricRequest(question), toCall(question)),
    getMetricReport: (question = {}) =>
      getMetricReport(context, toMetricRequest(question), toCall(question)),
  };
}

const PAGE = { pageSize: 0, pageToken: '' };

/** The request of a question about values. */
export function toValuesRequest(
  { caller: _caller, signal: _signal, sentRowsMax: _sent, ...given }: MetricQuestion,
  metricId: string,
  organisationId: string,
): SearchMetricValuesRequest {
  return {
    ...PAGE,
    catalogId: CATALOG_ID,
    metricId,
    billingContext: organisationId,
    trackTotalHits: true,
    featureFilter: [],
    observationPeriodFilter: {},
    addressComponentFilter: [],
    dimensionFilter: [],
    relatedFeatureFilter: [],
    relatedAddressComponentFilter: [],
    valueFilter: [],
    invertSortOrder: false,
    bestEffortQueryWhenNotAllowed: false,
    asOf: '',
    countOnly: false,
    addressComponentWhitelist: [],
    skipGeo: false,
    ...given,
  };
}

function toAggregatesRequest(
  { caller: _caller, signal: _signal, sentRowsMax: _sent, ...given }: AggregatesQuestion,
  metricId: string,
  organisationId: string,
): SearchMetricAggregatesRequest {
  return {
    ...PAGE,
    catalogId: CATALOG_ID,
    metricId,
    billingContext: organisationId,
    featureFilter: [],
    observationPeriodFilter: {},
    addressComponentFilter: [],
    dimensionFilter: [],
    relatedFeatureFilter: [],
    relatedAddressComponentFilter: [],
    valueFilter: [],
    asOf: '',
    groupBy: [],
    aggregates: [],
    compare: undefined,
    rankBy: '',
    orderBy: [],
    ...given,
  };
}

function toFeaturesRequest(
  { caller: _caller, signal: _signal, sentRowsMax: _sent, ...given }: FeaturesQuestion,
  layerId: string,
): SearchLayerFeaturesRequest {
  return {
    ...PAGE,
    catalogId: CATALOG_ID,
    layerId,
    billingContext: '',
    featureFilter: [],
    addressComponentFilter: [],
    query: '',
    existedInDateRange: {},
    addressComponentWhitelist: [],
    skipPolygon: false,
    ...given,
  };
}

function toComponentValuesRequest({
  caller: _caller,
  signal: _signal,
  sentRowsMax: _sent,
  ...given
}: ComponentValuesQuestion): SearchAddressComponentValuesRequest {
  const absent = { component: '', query: '', valueIds: [], freeFormTarget: '' };
  return { ...PAGE, ...absent, catalogId: CATALOG_ID, ...given };
}

function toDimensionValuesRequest({
  caller: _caller,
  signal: _signal,
  sentRowsMax: _sent,
  ...given
}: DimensionValuesQuestion): SearchDimensionValuesRequest {
  return { ...PAGE, catalogId: CATALOG_ID, dimensionId: '', query: '', ...given };
}

function toListRequest({
  caller: _caller,
  signal: _signal,
  ...given
}: ListMetricsQuestion): ListMetricsRequest {
  const absent = { billingContext: '', layerFilter: [], availabilityFilter: [] };
  return { ...PAGE, ...absent, catalogId: CATALOG_ID, ...given };
}
