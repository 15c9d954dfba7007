import type { DataReference } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { type RecordLayer, recordLayerOf } from '../../data/area-queries.ts';
import { catalogMetricsQuery } from '../../data/find-queries.ts';
import { layerShapesQuery } from '../../data/layer-shapes.ts';
import { useSession } from '../../session/session-context.tsx';

/** The layer with the outlines of the places of records; undefined while it is read, null if there is none. */
export function useRecordLayer(
  reference: Pick<DataReference, 'name' | 'fields'> | undefined,
): RecordLayer | null | undefined {
  const session = useSession();
  const mayRead = session.caller.scopes.includes('metrics');
  const catalogs = useQuery({
    ...catalogMetricsQuery(session),
    enabled: mayRead && reference !== undefined,
  });
  const metrics = catalogs.data?.flatMap((catalog) => catalog.metrics);
  const layer =
    reference === undefined || metrics === undefined
      ? undefined
      : recordLayerOf(reference, metrics);
  const shapes = useQuery({
    ...layerShapesQuery(session, layer ?? { catalogId: '', layerId: '' }),
    enabled: layer !== undefined,
  });
  if (!mayRead || catalogs.error !== null || shapes.error !== null) return null;
  if (metrics === undefined) return undefined;
  if (layer === undefined) return null;
  if (shapes.data === undefined) return undefined;
  return shapes.data.kind === 'outlines' ? layer : null;
}
