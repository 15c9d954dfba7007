import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import type { LayerId } from './metric-queries.ts';

/** The shapes of a layer on a map: outlines are read as tiles, and points all at once. */
export type LayerShapes =
  | {
      readonly kind: 'outlines';
      /** West, south, east, north. Absent: the caller sees none. */
      readonly bounds: readonly number[] | undefined;
      readonly maxZoom: number;
    }
  | {
      readonly kind: 'points';
      readonly points: readonly LayerPoint[];
      /** More than are read. */
      readonly isCut: boolean;
    };

export type LayerPoint = {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
};

/** More points than this are not drawn. */
export const POINTS_MAX = 20_000;
const PAGE_SIZE = 5_000;
const OUTLINES_TRIED = 3;

/** The shapes of the features of a layer: outlines if it has any, or else points. */
export function layerShapesQuery(
  { client }: Pick<Session, 'client'>,
  { catalogId, layerId }: LayerId,
) {
  return queryOptions({
    queryKey: ['layer-shapes', catalogId, layerId],
    queryFn: async ({ signal }): Promise<LayerShapes> => {
      // No description says whether there are outlines, and a refused request is an error in the console of the browser.
      const first = { catalogId, layerId, pageSize: OUTLINES_TRIED };
      const { featuresList: tried } = await client.searchLayerFeatures(first, { signal });
      if (tried.some(({ polygon }) => polygon !== '')) {
        const layer = { catalogId, layerId };
        const { bounds, maxzoom } = await client.describeLayerTiles(layer, { signal });
        return { kind: 'outlines', bounds, maxZoom: maxzoom };
      }
      const points: LayerPoint[] = [];
      const rows = client.features(
        {
          catalogId,
          layerId,
          pageSize: PAGE_SIZE,
          skipPolygon: true,
        },
        { signal },
      );
      for await (const { featuresList, totalSize } of rows.pages()) {
        for (const { featureId: id, geo } of featuresList) {
          const point = readPoint(geo);
          if (point !== undefined) points.push({ id, ...point });
        }
        if (points.length >= POINTS_MAX)
          return { kind: 'points', points, isCut: totalSize > points.length };
      }
      return { kind: 'points', points, isCut: false };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function readPoint(geo: string): Omit<LayerPoint, 'id'> | undefined {
  if (geo === '') return undefined;
  // The service writes a point of GeoJSON.
  const { coordinates } = JSON.parse(geo) as { readonly coordinates: readonly number[] };
  const [longitude, latitude] = coordinates;
  return longitude === undefined || latitude === undefined ? undefined : { longitude, latitude };
}
