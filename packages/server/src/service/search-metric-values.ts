import type { Feature } from '../domain/feature.ts';
import type { AddressComponentFilter, Metric } from '../domain/metric.ts';
import type { SearchMetricValuesRequest } from '../domain/metric-request.ts';
import type { AppliedFilters, MetricValue } from '../domain/metric-value.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { MetricVersion } from '../domain/version.ts';
import { inSpan } from '../observe/request-scope.ts';
import { type MergedMetricRequest, mergeMetricRequest } from '../plan/merge-filters.ts';
import { isOwnLayer } from '../plan/plan-layer.ts';
import {
  type MetricSelection,
  planMetricValues,
  selectMetricValues,
} from '../plan/plan-metric-values.ts';
import { requestFingerprint } from '../plan/plan-page.ts';
import { writeRecordPosition } from '../plan/positions.ts';
import type { RecordsPlan } from '../plan/read-plan.ts';
import { findMetric } from './find-in-catalog.ts';
import { findAsOf, findPinned } from './find-pinned.ts';
import { toMetricValues } from './metric-value-rows.ts';
import { readFeatures } from './read-features.ts';
import { type NextPageToken, NO_NEXT_PAGE, type PageStart, pinPage } from './read-page.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type SearchMetricValuesResult = {
  readonly metric: Metric;
  readonly values: readonly MetricValue[];
  readonly appliedFilters: AppliedFilters;
  readonly totalSize: number;
  /** How many rows all pages together cost; only for a request with `countOnly`. */
  readonly costRows?: number;
  readonly nextPageToken: NextPageToken;
  readonly version: string;
};

/** A page of the values of a metric, with their features. */
export async function searchMetricValues(
  context: ServiceContext,
  request: SearchMetricValuesRequest,
  call: Call,
): Promise<SearchMetricValuesResult> {
  return prepareMetricValues(context, request, call).read();
}

/** A page before its queries run, for an edge that can find that the caller already has the answer. */
export type PreparedMetricValues = {
  /** A text that changes whenever the answer does. */
  readonly fingerprint: () => string;
  /** Refuses an invalid request as `read` does, for an edge that does not call `read`. */
  readonly check: () => void;
  readonly read: () => Promise<SearchMetricValuesResult>;
};

export function prepareMetricValues(
  context: ServiceContext,
  sent: SearchMetricValuesRequest,
  call: Call,
): PreparedMetricValues {
  checkRequest(sent);
  const request = mergeMetricRequest(sent);
  const catalog = context.catalogFor(call.caller);
  const page = pinPage(context, call, {
    billingContext: request.billingContext,
    pageSize: request.pageSize,
    pageToken: request.pageToken,
    parts: requestParts(request),
    pin: (token: Parameters<typeof findPinned>[1]) =>
      token === undefined && request.asOf !== ''
        ? findAsOf(catalog, request.asOf, (snapshot) => findMetric(snapshot, request))
        : findPinned(catalog, token, (snapshot) => findMetric(snapshot, request)),
  });
  const selection = selectMetricValues(request, page.pinned);
  return {
    fingerprint: () => {
      const { pinned, binding } = page;
      const { pageSize, pageToken } = request;
      // The answer repeats the filters in the order in which they were sent.
      const { applied } = selection.filters;
      return requestFingerprint([binding, pinned.version, pageSize, pageToken, applied]);
    },
    check: () => {
      const { token } = page;
      // Only the engine knows whether the version is whole, and `isWhole` never causes a refusal.
      planMetricValues(selection, { token, isWhole: false });
    },
    read: () => page.read((start, signal) => readValues(context, selection, start, signal)),
  };
}

async function readValues(
  context: ServiceContext,
  selection: MetricSelection,
  { pinned, token, nextPageToken }: PageStart<MetricVersion>,
  signal: AbortSignal,
): Promise<SearchMetricValuesResult> {
  const { engine, extents } = context;
  const { request, filters } = selection;
  const { isWhole } = await extents.read(pinned, signal);
  const plan = inSpan('plan', () => planMetricValues(selection, { token, isWhole }));
  const { metric, version } = pinned;
  const answer = { metric, appliedFilters: filters.applied, version };
  const count = () => countValues(context, plan, signal);
  if (request.countOnly) {
    const totalSize = await count();
    const counted = { totalSize, costRows: totalSize };
    return { ...answer, values: [], ...counted, nextPageToken: NO_NEXT_PAGE };
  }
  const [{ rows, hasMore, positionAt }, named] = await Promise.all([
    engine.run(plan, signal),
    readNamedFeatures(context, request, pinned, signal),
  ]);
  const values = await toMetricValues(engine, { version: pinned, rows, named }, signal);
  const isCounted = request.trackTotalHits !== false;
  const counted = token?.totalSize ?? (hasMore && isCounted ? await count() : rows.length);
  return {
    ...answer,
    values,
    totalSize: limitTotal(counted, request.trackTotalHits),
    nextPageToken: nextPageToken({
      totalSize: isCounted ? counted : 0,
      rowCount: rows.length,
      hasMore,
      positionAt: (index) => writeRecordPosition(positionAt(index)),
    }),
  };
}

function checkRequest({ billingContext, trackTotalHits }: SearchMetricValuesRequest): void {
  if (billingContext === '') {
    throw ServiceError.atPointer(
      'BILLING_CONTEXT_MISSING',
      '/billingContext',
      'The billingContext is missing.',
      'Send the id of the organisation that the token was issued to.',
    );
  }
  if (typeof trackTotalHits === 'boolean') return;
  if (Number.isInteger(trackTotalHits) && trackTotalHits >= 0) return;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    '/trackTotalHitsInteger',
    `trackTotalHitsInteger ${trackTotalHits} is not a whole number from 0.`,
    'Send the number up to which values are counted.',
  );
}

/** Everything that decides which values a request selects, sorted, because each edge has its own order. */
function requestParts(request: MergedMetricRequest): readonly unknown[] {
  const { observationPeriodFilter: period } = request;
  return [
    'searchMetricValues',
    request.catalogId,
    request.metricId,
    request.trackTotalHits,
    [...new Set(request.featureFilter)].sort(),
    [period.start ?? '', period.end ?? ''],
    filterParts(request.addressComponentFilter.merged),
    request.dimensionFilter.merged
      .map(({ dimensionId, values }) => [dimensionId, values.toSorted()])
      .sort(),
    [...new Set(request.relatedFeatureFilter)].sort(),
    filterParts(request.relatedAddressComponentFilter.merged),
    request.valueFilter.map(({ valueName, operator, numericValue }) => [
      valueName,
      operator,
      String(numericValue),
    ]),
    request.invertSortOrder,
    request.bestEffortQueryWhenNotAllowed,
    request.asOf,
    request.countOnly,
  ];
}

/** A query string repeats a component for each value: the same values in any order are the same filter. */
function filterParts(filters: readonly AddressComponentFilter[]): readonly unknown[] {
  return filters.map(({ component, values }) => [component, values.toSorted()]).sort();
}

function limitTotal(counted: number, trackTotalHits: boolean | number): number {
  if (trackTotalHits === false) return 0;
  return trackTotalHits === true ? counted : Math.min(counted, trackTotalHits);
}

function countValues(
  { engine }: ServiceContext,
  { version, predicates }: RecordsPlan,
  signal: AbortSignal,
): Promise<number> | number {
  return predicates.length === 0 && version.rowCount !== undefined
    ? version.rowCount
    : engine.run({ kind: 'count', version, predicates }, signal);
}

/** Up to this many features are queried in parallel with the values. */
const NAMED_FEATURES_MAX = 100;

/** The features that the request names, if they are few. */
async function readNamedFeatures(
  { engine }: ServiceContext,
  { featureFilter }: MergedMetricRequest,
  version: MetricVersion,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Feature> | undefined> {
  const isUseful =
    featureFilter.length > 0 && featureFilter.length <= NAMED_FEATURES_MAX && !isOwnLayer(version);
  return isUseful ? readFeatures(engine, version.layer, new Set(featureFilter), signal) : undefined;
}
