import type { SearchDimensionValuesRequest } from '../domain/metric-request.ts';
import type { DimensionValue } from '../domain/metric-value.ts';
import { unknownName } from '../domain/unknown-name.ts';
import { inSpan } from '../observe/request-scope.ts';
import { withDefaults } from '../plan/plan-metric-values.ts';
import { type DimensionSource, planDimensionValues } from '../plan/plan-named-values.ts';
import type { CatalogSnapshot } from '../versions/open-catalog.ts';
import { catalogVersion, metricsOf } from './find-in-catalog.ts';
import { findPinned } from './find-pinned.ts';
import { readNamedValues } from './read-named-values.ts';
import type { NextPageToken, PageRequest } from './read-page.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type SearchDimensionValuesResult = {
  readonly values: readonly DimensionValue[];
  readonly totalSize: number;
  readonly nextPageToken: NextPageToken;
};

type PinnedSources = { readonly sources: readonly DimensionSource[]; readonly version: string };

/** A page of the values of a dimension, with their names. */
export async function searchDimensionValues(
  context: ServiceContext,
  request: SearchDimensionValuesRequest,
  call: Call,
): Promise<SearchDimensionValuesResult> {
  const { catalogId, dimensionId, query } = request;
  const page: PageRequest<PinnedSources> = {
    billingContext: '',
    pageSize: request.pageSize,
    pageToken: request.pageToken,
    parts: ['searchDimensionValues', catalogId, dimensionId, query],
    pin: (token) =>
      findPinned(context.catalogFor(call.caller), token, (snapshot) =>
        findSources(snapshot, request),
      ),
  };
  const found = await readNamedValues(context, call, page, async (pinned, token, signal) => {
    const sources = await Promise.all(
      pinned.sources.map(async ({ metric, dimension }): Promise<DimensionSource> => {
        const left = withDefaults(metric);
        // The default filters usually exclude nothing; the cached extent of the version says so.
        const isWhole = left === metric || (await context.extents.read(metric, signal)).isWhole;
        return { metric: isWhole ? metric : left, dimension };
      }),
    );
    return inSpan('plan', () => planDimensionValues(request, sources, token));
  });
  return {
    ...found,
    // Clients show only the name, so a value without a name is used as its own name.
    values: found.values.map(({ value, displayName }) => ({
      dimensionId,
      value,
      displayName: displayName ?? value,
    })),
  };
}

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
