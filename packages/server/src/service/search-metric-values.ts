import type { Feature } from '../domain/feature.ts';
import type { Field } from '../domain/field.ts';
import type { AddressComponentFilter, Metric } from '../domain/metric.ts';
import type { SearchMetricValuesRequest } from '../domain/metric-request.ts';
import type { AppliedFilters, MetricValue } from '../domain/metric-value.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type Value, valueText } from '../domain/value.ts';
import type { MetricVersion } from '../domain/version.ts';
import { inSpan } from '../observe/request-scope.ts';
import { appliedFilters } from '../plan/applied-filters.ts';
import { mergeFilters } from '../plan/plan-feature-filters.ts';
import { isOwnLayer } from '../plan/plan-layer.ts';
import { mergeDimensionFilters } from '../plan/plan-metric-filters.ts';
import { planMetricValues } from '../plan/plan-metric-values.ts';
import { requestFingerprint } from '../plan/plan-page.ts';
import { writeRecordPosition } from '../plan/positions.ts';
import type { RecordsPlan } from '../plan/read-plan.ts';
import { columnReader, featureReader } from './feature-reader.ts';
import { findMetric } from './find-in-catalog.ts';
import { findAsOf, findPinned } from './find-pinned.ts';
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
  request: SearchMetricValuesRequest,
  call: Call,
): PreparedMetricValues {
  checkRequest(request);
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
  return {
    fingerprint: () => {
      const { pinned, binding } = page;
      const { pageSize, pageToken } = request;
      // The answer repeats the filters in the order in which they were sent.
      const filters = appliedFilters(request, pinned);
      return requestFingerprint([binding, pinned.version, pageSize, pageToken, filters]);
    },
    check: () => {
      const { pinned, token } = page;
      // Only the engine knows whether the version is whole, and `isWhole` never causes a refusal.
      planMetricValues(request, pinned, { token, isWhole: false });
    },
    read: () => page.read((start, signal) => readValues(context, request, start, signal)),
  };
}

async function readValues(
  context: ServiceContext,
  request: SearchMetricValuesRequest,
  { pinned, token, nextPageToken }: PageStart<MetricVersion>,
  signal: AbortSignal,
): Promise<SearchMetricValuesResult> {
  const { engine, extents } = context;
  const { isWhole } = await extents.read(pinned, signal);
  const plan = inSpan('plan', () => planMetricValues(request, pinned, { token, isWhole }));
  const { metric, version } = pinned;
  const answer = { metric, appliedFilters: appliedFilters(request, pinned), version };
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
  const values = await toMetricValues(context, { version: pinned, plan, rows, named }, signal);
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
function requestParts(request: SearchMetricValuesRequest): readonly unknown[] {
  const { observationPeriodFilter: period } = request;
  return [
    'searchMetricValues',
    request.catalogId,
    request.metricId,
    request.trackTotalHits,
    [...new Set(request.featureFilter)].sort(),
    [period.start ?? '', period.end ?? ''],
    filterParts(mergeFilters(request.addressComponentFilter)),
    mergeDimensionFilters(request.dimensionFilter)
      .map(({ dimensionId, values }) => [dimensionId, values.toSorted()])
      .sort(),
    [...new Set(request.relatedFeatureFilter)].sort(),
    filterParts(mergeFilters(request.relatedAddressComponentFilter)),
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
  { featureFilter }: SearchMetricValuesRequest,
  version: MetricVersion,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Feature> | undefined> {
  const isUseful =
    featureFilter.length > 0 && featureFilter.length <= NAMED_FEATURES_MAX && !isOwnLayer(version);
  return isUseful ? readFeatures(engine, version.layer, new Set(featureFilter), signal) : undefined;
}

type ValueRows = {
  readonly version: MetricVersion;
  readonly plan: RecordsPlan;
  readonly rows: readonly (readonly Value[])[];
  readonly named: ReadonlyMap<string, Feature> | undefined;
};

async function toMetricValues(
  { engine }: ServiceContext,
  { version, plan, rows, named }: ValueRows,
  signal: AbortSignal,
): Promise<readonly MetricValue[]> {
  const { metric, layer, relatedLayer } = version;
  const { fields } = plan;
  const idOf = columnReader(fields, metric.featureId);
  const relatedIdOf = columnReader(fields, metric.related?.featureId);
  const idsIn = (read: (row: readonly Value[]) => Value) =>
    new Set(rows.map((row) => valueText(read(row))));
  const ownFeature = isOwnLayer(version) ? featureReader(layer, fields) : undefined;
  const [features, relatedFeatures] = await Promise.all([
    named ?? readFeatures(engine, layer, ownFeature ? new Set() : idsIn(idOf), signal),
    relatedLayer === undefined
      ? new Map<string, Feature>()
      : readFeatures(engine, relatedLayer, idsIn(relatedIdOf), signal),
  ]);
  const toValue = valueReader(metric, fields);
  return rows.map((row) => {
    const feature = ownFeature?.(row) ?? expectFeature(features, valueText(idOf(row)));
    return relatedLayer === undefined
      ? { ...toValue(row), feature }
      : {
          ...toValue(row),
          feature,
          relatedFeature: expectFeature(relatedFeatures, valueText(relatedIdOf(row))),
        };
  });
}

/** The plan leaves out values without a feature, so each value has one. */
function expectFeature(features: ReadonlyMap<string, Feature>, id: string): Feature {
  const feature = features.get(id);
  if (feature === undefined) throw new Error('A value was read that has no feature.');
  return feature;
}

/** Converts rows with the values of `fields` to metric values without their features. */
function valueReader(
  metric: Metric,
  fields: readonly Field[],
): (row: readonly Value[]) => Omit<MetricValue, 'feature' | 'relatedFeature'> {
  const { period, measures, dimensions, flags } = metric;
  const [start, end] = [period.start, period.end].map((day) => {
    if ('day' in day) return () => day.day;
    const read = columnReader(fields, day.field);
    return (row: readonly Value[]) => valueText(read(row));
  });
  const measureReaders = measures.map(({ field }) => columnReader(fields, field));
  const dimensionReaders = dimensions.map(({ dimensionId, fields: names }) => ({
    dimensionId,
    value: columnReader(fields, names.value),
    displayName: columnReader(fields, names.displayName ?? names.value),
  }));
  const flagReaders = flags.map(({ flag, field }) => ({
    flag,
    isSet: columnReader(fields, field),
  }));
  return (row) => ({
    period: { start: start?.(row) ?? '', end: end?.(row) ?? '' },
    measures: measureReaders.map((read) => read(row)),
    dimensions: dimensionReaders.map(({ dimensionId, value, displayName }) => ({
      dimensionId,
      value: valueText(value(row)),
      // Clients show only the name, so a value without a name is used as its own name.
      displayName: valueText(displayName(row) ?? value(row)),
    })),
    flags: flagReaders.filter(({ isSet }) => isSet(row) === true).map(({ flag }) => flag),
  });
}
