import type { Metric } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

/** A feature of a layer that is the place of a record, and the metrics that measure it. */
export type PlaceSeries = {
  readonly catalogId: string;
  readonly featureId: string;
  readonly metrics: readonly Metric[];
};

/**
 * The metrics that measure the place of a record. No answer of the service names the dataset of a layer, so a feature is
 * taken for the place if it has the id of the record and its point.
 */
export function seriesOfPlaceQuery(
  { client }: Pick<Session, 'client'>,
  { id, longitude, latitude, toleranceDegrees }: Place,
) {
  return queryOptions({
    queryKey: ['series-of-place', id, longitude, latitude],
    queryFn: async ({ signal }): Promise<readonly PlaceSeries[]> => {
      const catalogs = await client.listCatalogs({ signal });
      const found = await Promise.all(catalogs.map(({ id: catalogId }) => inCatalog(catalogId)));
      return found.flat();

      async function inCatalog(catalogId: string): Promise<readonly PlaceSeries[]> {
        const metrics = await client.metrics({ catalogId }, { signal }).all();
        const ofLayers = [...Map.groupBy(metrics, ({ layerId }) => layerId)];
        const places = ofLayers.map(async ([layerId, ofLayer]) => {
          const { featuresList } = await client.searchLayerFeatures(
            { catalogId, layerId, featureFilter: [id], pageSize: 1 },
            { signal },
          );
          const [feature] = featuresList;
          const isPlace = feature !== undefined && isAt(feature.point);
          return isPlace ? [{ catalogId, featureId: feature.featureId, metrics: ofLayer }] : [];
        });
        return (await Promise.all(places)).flat();
      }
    },
  });

  function isAt(point: string): boolean {
    const at = readPoint(point);
    return (
      at !== undefined &&
      Math.abs(at[0] - longitude) <= toleranceDegrees &&
      Math.abs(at[1] - latitude) <= toleranceDegrees
    );
  }
}

/** The id of a record, and its point as a tile of the map has it: rounded. */
export type Place = {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly toleranceDegrees: number;
};

/** The coordinates of a point of GeoJSON. */
function readPoint(text: string): readonly [number, number] | undefined {
  if (text === '') return undefined;
  const { coordinates }: { readonly coordinates?: unknown } = JSON.parse(text);
  if (!Array.isArray(coordinates)) return undefined;
  const [longitude, latitude]: readonly unknown[] = coordinates;
  return typeof longitude === 'number' && typeof latitude === 'number'
    ? [longitude, latitude]
    : undefined;
}

/** The values of a metric at a place, in their order; null where a value is absent. */
export function seriesQuery(
  { client }: Pick<Session, 'client'>,
  { metric, featureId }: { readonly metric: Metric; readonly featureId: string },
) {
  return queryOptions({
    queryKey: ['series', metric.catalogId, metric.id, featureId],
    queryFn: async ({ signal }): Promise<readonly (number | null)[]> => {
      const { valuesList } = await client.searchMetricValues(
        {
          catalogId: metric.catalogId,
          metricId: metric.id,
          featureFilter: [featureId],
          pageSize: SERIES_VALUES_MAX,
          invertSortOrder: true,
        },
        { signal },
      );
      const kind = metric.spec.valueKind === 'COUNT' ? 'count' : 'number';
      return valuesList.map(({ value }) => value[kind]).reverse();
    },
  });
}

/** The last of them are enough for a small picture: ten years of months. */
const SERIES_VALUES_MAX = 120;
