import type { SearchDimensionValuesRequest } from '../domain/metric-request.ts';
import type { DimensionValue } from '../domain/metric-value.ts';
import type { StopSignal } from '../domain/stop.ts';
import { unknownName } from '../domain/unknown-name.ts';
import { inSpan } from '../observe/request-scope.ts';
import { withDefaults } from '../plan/plan-metric-values.ts';
import { type DimensionSource, planDimensionValues } from '../plan/plan-named-values.ts';
import type { CatalogSnapshot } from '../versions/open-catalog.ts';
import { catalogVersion, metricsOf } from './find-in-catalog.ts';
import { findPinned } from './find-pinned.ts';
import type { MetricExtents } from './metric-extent.ts';
import { type PageEnd, runPage, startPage } from './page-steps.ts';
import { readNamedValues } from './read-named-values.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type SearchDimensionValuesResult = PageEnd & { readonly values: readonly DimensionValue[] };

/** A page of the values of a dimension, with their names. */
export async function searchDimensionValues(
  context: ServiceContext,
  request: SearchDimensionValuesRequest,
  call: Call,
): Promise<SearchDimensionValuesResult> {
  const { engine, extents, catalogFor } = context;
  const { catalogId, dimensionId, query } = request;
  const parts = () => ['searchDimensionValues', catalogId, dimensionId, query];
  const start = startPage(context, call, { ...request, billingContext: '', parts });
  const { sources, version } = findPinned(catalogFor(call.caller), start.token, (snapshot) =>
    findSources(snapshot, request),
  );
  return runPage(context, call, start, async (signal) => {
    const left = await Promise.all(
      sources.map((source) => withoutExcluded(extents, source, signal)),
    );
    const plan = inSpan('plan', () => planDimensionValues(request, left, start.token));
    const found = await readNamedValues(engine, plan, { start, version }, signal);
    return {
      ...found,
      // Clients show only the name, so a value without a name is used as its own name.
      values: found.values.map(({ value, displayName }) => ({
        dimensionId,
        value,
        displayName: displayName ?? value,
      })),
    };
  });
}

/** A source without the records that the default filters of its metric exclude. */
async function withoutExcluded(
  extents: MetricExtents,
  { metric, dimension }: DimensionSource,
  signal: StopSignal,
): Promise<DimensionSource> {
  const left = withDefaults(metric);
  // The default filters usually exclude nothing; the cached extent of the version says so.
  const isWhole = left === metric || (await extents.read(metric, signal)).isWhole;
  return { metric: isWhole ? metric : left, dimension };
}

type PinnedSources = { readonly sources: readonly DimensionSource[]; readonly version: string };

function findSources(
  snapshot: CatalogSnapshot,
  { catalogId, dimensionId }: SearchDimensionValuesRequest,
): PinnedSources {
  const metrics = metricsOf(snapshot, catalogId);
  const sources = metrics.flatMap((metric): readonly DimensionSource[] => {
    const dimension = metric.metric.dimensions.find((known) => known.dimensionId === dimensionId);
    return dimension === undefined ? [] : [{ metric, dimension }];
  });
  if (sources.length > 0) {
    return { sources, version: catalogVersion(snapshot, catalogId) };
  }
  const known = metrics.flatMap(({ metric }) =>
    metric.dimensions.map((other) => other.dimensionId),
  );
  throw unknownName('UNKNOWN_DIMENSION', '/dimensionId', {
    noun: 'dimension',
    owner: `the catalog '${catalogId}'`,
    name: dimensionId,
    known: [...new Set(known)],
  });
}
