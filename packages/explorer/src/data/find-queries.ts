import type { DataReference, MapFeature, Metric } from '@locmetrics/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import { catalogsQuery, metricsQuery } from './metric-queries.ts';

type Reader = Pick<Session, 'client'>;

export type CatalogMetrics = { readonly catalogId: string; readonly metrics: readonly Metric[] };

/** The catalogs that the caller may see, each with its metrics. */
export function catalogMetricsQuery(session: Reader) {
  return queryOptions({
    queryKey: ['catalog-metrics'],
    queryFn: async ({ client }): Promise<readonly CatalogMetrics[]> => {
      const catalogs = await client.fetchQuery(catalogsQuery(session));
      return Promise.all(
        catalogs.map(async ({ id }) => ({
          catalogId: id,
          metrics: await client.fetchQuery(metricsQuery(session, id)),
        })),
      );
    },
  });
}

/** A source of places for the search: the features of a layer, or the points of a dataset by their names. */
export type PlaceSource =
  | { readonly kind: 'layer'; readonly metric: Metric }
  | { readonly kind: 'dataset'; readonly dataset: DataReference; readonly field: string };

/** So many sources are searched at once: each place that is found is a row of usage. */
export const SOURCES_AT_ONCE = 12;
const PLACES_OF_SOURCE = 4;
/** The end of the name of a field that names a place. */
const NAMING = /(?:^|_)(?:name|title|label|namelsad)$/;

/**
 * The layers with their first metric, then the datasets that have points, a name and no layer of their own. Those of
 * the dataset in view come first.
 */
export function placeSources(
  {
    datasets,
    metrics,
  }: { readonly datasets: readonly DataReference[]; readonly metrics: readonly Metric[] },
  dataset: string | undefined,
): readonly PlaceSource[] {
  const layers = Map.groupBy(metrics, ({ catalogId, layerId }) => `${catalogId}/${layerId}`);
  const measured = new Set(metrics.map(({ featureDataReferenceName }) => featureDataReferenceName));
  const sources: readonly PlaceSource[] = [
    ...[...layers.values()].flatMap(([metric]): readonly PlaceSource[] =>
      metric === undefined ? [] : [{ kind: 'layer', metric }],
    ),
    ...datasets.flatMap((of): readonly PlaceSource[] => {
      const field = of.fields.find(
        ({ name, type }) => type === 'COLUMN_TYPE_STRING' && NAMING.test(name),
      );
      const isSearched =
        of.options.boundingBox.available && !measured.has(of.name) && field !== undefined;
      return isSearched ? [{ kind: 'dataset', dataset: of, field: field.name }] : [];
    }),
  ];
  const isInView = (source: PlaceSource): boolean =>
    dataset !== undefined &&
    (source.kind === 'layer'
      ? [source.metric.dataReferenceName, source.metric.featureDataReferenceName]
      : [source.dataset.name]
    ).includes(dataset);
  return [...sources.filter(isInView), ...sources.filter((one) => !isInView(one))];
}

/** A place, and what it is opened with. */
export type FoundPlace =
  | { readonly kind: 'feature'; readonly feature: MapFeature; readonly metric: Metric }
  | {
      readonly kind: 'name';
      readonly name: string;
      readonly dataset: DataReference;
      readonly field: string;
    };

/** The places whose names or ids match a text, the best of each source. A page is that of some sources, in their order. */
export function findPlacesQuery(
  { client }: Reader,
  { text, sources }: { readonly text: string; readonly sources: readonly PlaceSource[] },
) {
  return infiniteQueryOptions({
    queryKey: ['find-places', text, sources.map(nameOfSource)],
    initialPageParam: 0,
    queryFn: async ({ signal, pageParam }): Promise<readonly FoundPlace[]> => {
      const some = sources.slice(pageParam, pageParam + SOURCES_AT_ONCE);
      const found = await Promise.allSettled(some.map((source) => searchIn(source)));
      const failed = found.find(({ status }) => status === 'rejected');
      // One source that cannot be searched does not hide the places of the others.
      if (failed?.status === 'rejected' && found.every(({ status }) => status === 'rejected')) {
        throw failed.reason;
      }
      return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));

      async function searchIn(source: PlaceSource): Promise<readonly FoundPlace[]> {
        if (source.kind === 'layer') {
          const { metric } = source;
          const { catalogId, layerId } = metric;
          const request = { catalogId, layerId, query: text, pageSize: PLACES_OF_SOURCE };
          const { featuresList, queryScoresList } = await client.searchLayerFeatures(request, {
            signal,
          });
          // The service ranks the features and leaves none out; those that do not match have the score 0.
          return featuresList
            .filter((_, index) => (queryScoresList[index] ?? 1) > 0)
            .map((feature) => ({ kind: 'feature', feature, metric }));
        }
        const { dataset, field } = source;
        const request = { dataReferenceName: dataset.name, field, term: text };
        const { values } = await client.searchFieldValues(
          { ...request, pageSize: PLACES_OF_SOURCE },
          { signal },
        );
        return values.map((name) => ({ kind: 'name', name: String(name), dataset, field }));
      }
    },
    getNextPageParam: (_page: readonly FoundPlace[], _all: unknown, start: number) => {
      const next = start + SOURCES_AT_ONCE;
      return next < sources.length ? next : undefined;
    },
  });
}

function nameOfSource(source: PlaceSource): string {
  return source.kind === 'layer'
    ? `${source.metric.catalogId}/${source.metric.layerId}`
    : source.dataset.name;
}
