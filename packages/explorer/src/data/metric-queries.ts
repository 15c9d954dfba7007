import {
  type AddressComponentFilter,
  type AddressComponentValue,
  type AppliedFilters,
  type Catalog,
  type DimensionValue,
  type GetMetricResponse,
  type MapFeature,
  type Metric,
  type MetricValue,
  type MetricValuesRequest,
  TooManyRowsError,
} from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

type Reader = Pick<Session, 'client'>;

/** More values than this are not drawn: the reader chooses fewer places or a shorter period. */
const MAX_VALUES = 20_000;
const VALUES_PAGE_SIZE = 5_000;
const OFFERED_PLACES = 20;
const MAX_METRICS = 2_000;
const OFFERED_VALUES = 50;
const MAX_DIMENSION_VALUES = 500;

/** The catalogs that the caller may see. */
export function catalogsQuery({ client }: Reader) {
  return queryOptions({
    queryKey: ['catalogs'],
    queryFn: ({ signal }): Promise<readonly Catalog[]> => client.listCatalogs({ signal }),
  });
}

/** The metrics of a catalog. */
export function metricsQuery({ client }: Reader, catalogId: string) {
  return queryOptions({
    queryKey: ['metrics', catalogId],
    queryFn: ({ signal }): Promise<readonly Metric[]> =>
      client.metrics({ catalogId }, { signal }).all({ maxRows: MAX_METRICS }),
  });
}

/** A metric with its layer and its dimensions. */
export function metricQuery({ client }: Reader, catalogId: string, metricId: string) {
  return queryOptions({
    queryKey: ['metric', catalogId, metricId],
    queryFn: ({ signal }): Promise<GetMetricResponse> =>
      client.getMetric({ catalogId, metricId }, { signal }),
  });
}

export type LayerId = { readonly catalogId: string; readonly layerId: string };

/** The places whose names or ids match a text, the best first; without a text the first ones. */
export function placeSearchQuery(
  { client }: Reader,
  {
    catalogId,
    layerId,
    text,
    components = [],
  }: LayerId & {
    readonly text: string;
    readonly components?: readonly AddressComponentFilter[] | undefined;
  },
) {
  return queryOptions({
    queryKey: ['place-search', catalogId, layerId, text, components],
    queryFn: async ({ signal }): Promise<readonly MapFeature[]> => {
      const request = {
        catalogId,
        layerId,
        pageSize: OFFERED_PLACES,
        ...(text === '' ? {} : { query: text }),
        ...(components.length === 0 ? {} : { addressComponentFilter: components }),
      };
      const { featuresList, queryScoresList } = await client.searchLayerFeatures(request, {
        signal,
      });
      // The service ranks the places and leaves none out; those that do not match at all have the score 0.
      return featuresList.filter((_, index) => (queryScoresList[index] ?? 1) > 0);
    },
  });
}

/** Places by their ids. An id that the service does not know has none. */
export function placesQuery(
  { client }: Reader,
  { catalogId, layerId, ids }: LayerId & { readonly ids: readonly string[] },
) {
  return queryOptions({
    queryKey: ['places', catalogId, layerId, ids],
    queryFn: ({ signal }): Promise<readonly MapFeature[]> =>
      client
        .features({ catalogId, layerId, featureFilter: ids }, { signal })
        .all({ maxRows: ids.length }),
  });
}

/** Values of an address component that contain a text. */
export function componentValuesQuery(
  { client }: Reader,
  {
    catalogId,
    component,
    text,
  }: { readonly catalogId: string; readonly component: string; readonly text: string },
) {
  return queryOptions({
    queryKey: ['component-values', catalogId, component, text],
    queryFn: async ({ signal }): Promise<readonly AddressComponentValue[]> => {
      const query = text === '' ? {} : { query: text };
      const request = { catalogId, component, pageSize: OFFERED_VALUES, ...query };
      return (await client.searchAddressComponentValues(request, { signal }))
        .addressComponentValuesList;
    },
  });
}

/** Values of address components by their ids, for their names. */
export function componentNamesQuery(
  { client }: Reader,
  catalogId: string,
  filters: readonly AddressComponentFilter[],
) {
  return queryOptions({
    queryKey: ['component-names', catalogId, filters],
    queryFn: async ({ signal }): Promise<readonly AddressComponentValue[]> => {
      const lists = await Promise.all(
        filters.map(({ component, values }) =>
          client
            .componentValues({ catalogId, component, valueIds: [...values] }, { signal })
            .all({ maxRows: Math.max(1, values.length) }),
        ),
      );
      return lists.flat();
    },
  });
}

/** The values of a dimension. */
export function dimensionValuesQuery({ client }: Reader, catalogId: string, dimensionId: string) {
  return queryOptions({
    queryKey: ['dimension-values', catalogId, dimensionId],
    queryFn: ({ signal }): Promise<readonly DimensionValue[]> =>
      client
        .dimensionValues({ catalogId, dimensionId }, { signal })
        .all({ maxRows: MAX_DIMENSION_VALUES }),
  });
}

export type ReadValues = {
  readonly values: readonly MetricValue[];
  readonly applied: AppliedFilters | undefined;
  /** The data version that they come from. */
  readonly version: string;
};

/** All values of a request, with the filters that the service applied. */
export function metricValuesQuery({ client }: Reader, request: MetricValuesRequest) {
  return queryOptions({
    queryKey: ['metric-values', request],
    queryFn: async ({ signal }): Promise<ReadValues> => {
      const values: MetricValue[] = [];
      let applied: AppliedFilters | undefined;
      let version = '';
      const rows = client.metricValues({ ...request, pageSize: VALUES_PAGE_SIZE }, { signal });
      for await (const page of rows.pages()) {
        if (page.totalSize > MAX_VALUES) throw new TooManyRowsError(MAX_VALUES, page.totalSize);
        values.push(...page.valuesList);
        applied = page.appliedFilters;
        version = page.version;
      }
      return { values, applied, version };
    },
  });
}
