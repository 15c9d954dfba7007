import type { Feature } from '@locmetrics/core/domain/feature';
import type { AddressComponentFilter, Metric } from '@locmetrics/core/domain/metric';
import type { AppliedFilters, MetricValues } from '@locmetrics/core/domain/metric-value';
import type { LayerVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { appliedFilters } from '@locmetrics/core/plan/applied-filters';
import { type MergedMetricRequest, mergeMetricRequest } from '@locmetrics/core/plan/merge-filters';
import { metricTemplate } from '@locmetrics/core/plan/metric-template';
import {
  type MetricSelection,
  planMetricValues,
  selectMetricValues,
} from '@locmetrics/core/plan/plan-metric-values';
import { writeRecordPosition } from '@locmetrics/core/plan/positions';
import type { SearchMetricValuesRequest } from '@locmetrics/core/requests/metric-request';
import type { PageToken } from '@locmetrics/core/requests/page-token';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { Catalog } from '@locmetrics/data-directory/versions/open-catalog';
import { inSpan } from '../../observe/request-scope.ts';
import { countRecords } from '../count-records.ts';
import { findMetric } from '../find-in-catalog.ts';
import { findMetricAsOf, findPinned } from '../find-version.ts';
import {
  finishPage,
  knownTotal,
  type PageEnd,
  type PageStart,
  startPage,
  takeSlot,
} from '../page-steps.ts';
import { readFeatures } from '../read-features.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { toMetricValues } from './to-metric-values.ts';

export type SearchMetricValuesResult = PageEnd & {
  readonly metric: Metric;
  readonly values: MetricValues;
  readonly appliedFilters: AppliedFilters;
  readonly version: string;
};

/** A page of the values of a metric, with their features. */
export async function searchMetricValues(
  context: ServiceContext,
  request: SearchMetricValuesRequest,
  call: Call,
): Promise<SearchMetricValuesResult> {
  const page = pinMetricValues(context, request, call);
  return readMetricValues(context, page, call);
}

/** A page before its queries. An edge may find that the caller already has the answer. */
export type MetricValuesPage = {
  readonly start: PageStart;
  readonly selection: MetricSelection;
  /** Values that change whenever the answer does. */
  readonly answerParts: readonly unknown[];
};

export function pinMetricValues(
  context: ServiceContext,
  sent: SearchMetricValuesRequest,
  call: Call,
): MetricValuesPage {
  // Refused: no billing context, a limit of the total that is not a number of values.
  checkValuesRequest(sent);
  const request = mergeMetricRequest(sent);
  // Refused: a foreign billing context, a page token of another request.
  const start = startPage(context, call, { ...sent, parts: () => requestParts(request) });
  // The caller's part of the catalog. Refused: an unknown catalog, metric or version.
  const version = pinMetric(context.catalogFor(call.caller), request, start.token);
  return {
    start,
    selection: selectMetricValues(request, version),
    // The answer repeats the filters in the order in which they were sent.
    answerParts: [version.version, call.caller.rights.fingerprint, sent],
  };
}

/** Refuses an invalid request as `readMetricValues` does, without its queries. */
export function checkMetricValues({ start: { token }, selection }: MetricValuesPage): void {
  // Only the engine knows whether the version is whole, and `isWhole` never causes a refusal.
  planMetricValues(selection, { token, isWhole: false });
}

export async function readMetricValues(
  context: ServiceContext,
  { start, selection }: MetricValuesPage,
  call: Call,
): Promise<SearchMetricValuesResult> {
  const { engine, extents } = context;
  const { request, version, shown } = selection;
  const { token } = start;
  // Refused: a full queue, a missed deadline.
  const slot = await takeSlot(context, call, start);
  try {
    const { signal } = slot;
    const extent = extents.soon(version);
    const { isWhole = false } = (extent instanceof Promise ? await extent : extent) ?? {};
    // Refused: a filter outside the grant, an unknown name, a wrong value, a page size.
    const plan = inSpan('plan', () => planMetricValues(selection, { token, isWhole }));
    // Refused: too many queries at once.
    const [found, named] = request.countOnly
      ? []
      : await Promise.all([engine.run(plan, signal), readNamedFeatures(engine, selection, signal)]);
    const page = found ?? NO_RECORDS;
    const values = await toMetricValues(engine, { version: shown, found: page, named }, signal);
    const totalSize = isCounted(request)
      ? (knownTotal(start, found, page.size) ?? (await countRecords(engine, plan, signal)))
      : 0;
    const end = finishPage(start, {
      version: version.version,
      found,
      rowCount: page.size,
      totalSize,
      writePosition: writeRecordPosition,
    });
    return {
      ...end,
      totalSize: limitTotal(end.totalSize, request),
      metric: version.metric,
      values,
      appliedFilters: appliedFilters(selection),
      version: version.version,
    };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

const NO_RECORDS = { size: 0, rows: [] } as const;

export function checkValuesRequest({
  billingContext,
  trackTotalHits,
}: SearchMetricValuesRequest): void {
  expectBillingContext(billingContext);
  if (typeof trackTotalHits === 'boolean') return;
  if (Number.isInteger(trackTotalHits) && trackTotalHits >= 0) return;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    '/trackTotalHitsInteger',
    `trackTotalHitsInteger ${trackTotalHits} is not a whole number of 0 or more.`,
    'Send the maximum number of values to count.',
  );
}

/** Values and aggregates of a metric need a billing context. */
export function expectBillingContext(billingContext: string): void {
  if (billingContext !== '') return;
  throw ServiceError.atPointer(
    'BILLING_CONTEXT_MISSING',
    '/billingContext',
    'The billingContext is missing.',
    'Send the id of the organisation that the token was issued to.',
  );
}

/** Everything that decides which values a request selects, sorted, because each edge has its own order. */
function requestParts(request: MergedMetricRequest): readonly unknown[] {
  return [
    'searchMetricValues',
    request.trackTotalHits,
    ...filterParts(request),
    request.invertSortOrder,
    request.bestEffortQueryWhenNotAllowed,
    request.countOnly,
  ];
}

/** Everything that decides which values pass the filters. */
export function filterParts(request: MergedMetricRequest): readonly unknown[] {
  const { observationPeriodFilter: period } = request;
  return [
    request.catalogId,
    request.metricId,
    [...new Set(request.featureFilter)].sort(),
    [period.start ?? '', period.end ?? ''],
    componentParts(request.addressComponentFilter.merged),
    request.dimensionFilter.merged
      .map(({ dimensionId, values }) => [dimensionId, values.toSorted()])
      .sort(),
    [...new Set(request.relatedFeatureFilter)].sort(),
    componentParts(request.relatedAddressComponentFilter.merged),
    request.valueFilter.map(({ valueName, operator, numericValue }) => [
      valueName,
      operator,
      String(numericValue),
    ]),
    request.asOf,
  ];
}

/** A query string repeats a component for each value: the same values in any order are the same filter. */
function componentParts(filters: readonly AddressComponentFilter[]): readonly unknown[] {
  return filters.map(({ component, values }) => [component, values.toSorted()]).sort();
}

/** The version of the page token, else of `asOf`, else the current one. */
export function pinMetric(
  catalog: Catalog,
  request: Pick<SearchMetricValuesRequest, 'catalogId' | 'metricId' | 'asOf'>,
  token: PageToken | undefined,
): MetricVersion {
  return token === undefined && request.asOf !== ''
    ? findMetricAsOf(catalog, request.asOf, (snapshot) => findMetric(snapshot, request))
    : findPinned(catalog, token, (snapshot) => findMetric(snapshot, request));
}

/** Up to this many features are queried in parallel with the values. */
const NAMED_FEATURES_MAX = 100;

/** The features that the request names, if they are few. */
async function readNamedFeatures(
  engine: Engine,
  selection: MetricSelection,
  signal: StopSignal,
): Promise<ReadonlyMap<string, Feature> | undefined> {
  const { request, shown } = selection;
  return namesFewFeatures(selection)
    ? readFeatures(engine, shown.layer, new Set(request.featureFilter), signal)
    : undefined;
}

function namesFewFeatures({ request: { featureFilter }, version }: MetricSelection): boolean {
  return (
    featureFilter.length > 0 &&
    featureFilter.length <= NAMED_FEATURES_MAX &&
    !metricTemplate(version).isOwn
  );
}

/** The layers whose features are queried by the ids of the values, after these. */
export function layersReadByValues(selection: MetricSelection): readonly LayerVersion[] {
  const { request, version } = selection;
  if (request.countOnly) return [];
  const { layer, relatedLayer } = version;
  const isRead = metricTemplate(version).isOwn || namesFewFeatures(selection);
  return [...(isRead ? [] : [layer]), ...(relatedLayer === undefined ? [] : [relatedLayer])];
}

function isCounted({ countOnly, trackTotalHits }: MergedMetricRequest): boolean {
  return countOnly || trackTotalHits !== false;
}

function limitTotal(totalSize: number, { countOnly, trackTotalHits }: MergedMetricRequest): number {
  return countOnly || typeof trackTotalHits === 'boolean'
    ? totalSize
    : Math.min(totalSize, trackTotalHits);
}
