import type { Metric } from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { placesQuery } from '../../data/metric-queries.ts';
import type { MetricView } from '../../data/metric-view.ts';
import { useSession } from '../../session/session-context.tsx';
import { PlaceControls } from './place-controls.tsx';
import { toPlaces } from './to-time-chart.ts';

/** The other end of a metric between places, such as the homes of those who came: all, or those that are chosen. */
export function RelatedPlaces({
  metric: { catalogId, relatedLayerId: layerId, relatedLayer },
  view: { related },
  onChange,
}: {
  readonly metric: Metric;
  readonly view: MetricView;
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const ids = related ?? [];
  const { data } = useQuery({
    ...placesQuery(useSession(), { catalogId, layerId, ids }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  const remove = (id: string): void => {
    const rest = ids.filter((one) => one !== id);
    onChange({ related: rest.length === 0 ? undefined : rest });
  };
  return (
    <PlaceControls
      label="Only with these related places"
      listLabel="Related places"
      catalogId={catalogId}
      layerId={layerId}
      layer={relatedLayer}
      places={toPlaces(ids, data ?? [])}
      onAdd={(id) => onChange({ related: [...ids, id] })}
      onRemove={remove}
    />
  );
}
