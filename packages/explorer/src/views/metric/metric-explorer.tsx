import type { Metric, ValueSpec } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { placeSearchQuery, placesQuery } from '../../data/metric-queries.ts';
import { MAX_PLACES, type MetricView } from '../../data/metric-view.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { FilterControls } from './filter-controls.tsx';
import styles from './metric.module.css';
import { MetricValues } from './metric-values.tsx';
import { PeriodChooser } from './period-chooser.tsx';
import { PlaceControls } from './place-controls.tsx';
import { RelatedPlaces } from './related-places.tsx';
import { toPlaces } from './to-time-chart.ts';
import { ViewControls } from './view-controls.tsx';

/** The map is large, and loaded only if somebody opens it. */
const PlaceMap = lazy(async () => ({ default: (await import('./place-map.tsx')).PlaceMap }));

/** So many places are shown until the reader has chosen some. */
const SUGGESTED_PLACES = 3;

/** Places, filters and period of a metric, and its values for them. */
export function MetricExplorer({
  metric,
  measure,
  view,
  onChange,
}: {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly view: MetricView;
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const session = useSession();
  const { catalogId, layerId } = metric;
  const { features, components } = view;
  const isSuggested = features === undefined;
  const suggested = useQuery({
    ...placeSearchQuery(session, { catalogId, layerId, text: '', components }),
    enabled: isSuggested,
  });
  const chosen = useQuery({
    ...placesQuery(session, { catalogId, layerId, ids: features ?? [] }),
    enabled: !isSuggested,
    // The names that are known already, so that the chart stays while others are read.
    placeholderData: (before) => before ?? suggested.data,
  });
  const { data, error, refetch } = isSuggested ? suggested : chosen;
  const places = useMemo(() => {
    if (data === undefined) return undefined;
    const suggestion = data.slice(0, SUGGESTED_PLACES).map(({ featureId }) => featureId);
    return toPlaces(features ?? suggestion, data);
  }, [data, features]);

  const [isMapShown, setMapShown] = useState(false);
  const ids = places?.map(({ id }) => id) ?? [];
  const add = (id: string): void => {
    const before = isSuggested ? [] : ids;
    if (!before.includes(id)) onChange({ features: [...before, id].slice(0, MAX_PLACES) });
  };
  const remove = (id: string): void => {
    const rest = ids.filter((one) => one !== id);
    onChange({
      features: rest.length === 0 ? undefined : rest,
      ...(view.place === id ? { place: undefined } : {}),
    });
  };
  return (
    <>
      <section className={styles.controls} aria-label="What is shown">
        <PlaceControls
          label="Add a place"
          listLabel="Places of the chart"
          catalogId={catalogId}
          layerId={layerId}
          layer={metric.layer}
          components={components}
          places={places ?? []}
          isSuggested={isSuggested}
          hasColours
          onAdd={add}
          onRemove={remove}
        />
        <Button
          size="small"
          className={styles.mapToggle ?? ''}
          aria-expanded={isMapShown}
          onPress={() => setMapShown(!isMapShown)}
        >
          {isMapShown ? 'Close the map' : 'Choose places on the map'}
        </Button>
        {isMapShown && (
          <Suspense fallback={<Loading what="the map" />}>
            <PlaceMap
              catalogId={catalogId}
              layerId={layerId}
              components={components}
              chosen={ids}
              onAdd={add}
              onRemove={remove}
            />
          </Suspense>
        )}
        {metric.relatedLayerId !== '' && (
          <RelatedPlaces metric={metric} view={view} onChange={onChange} />
        )}
        <div className={styles.row}>
          <FilterControls metric={metric} view={view} onChange={onChange} />
          <ViewControls
            metric={metric}
            measure={measure}
            view={view}
            places={places ?? []}
            onChange={onChange}
          />
        </div>
        <PeriodChooser metric={metric} view={view} onChange={onChange} />
      </section>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {places === undefined && error === null && <Loading what="the places" />}
      {places?.length === 0 && (
        <Notice kind="info" title="No place matches the filters.">
          Remove a filter, or choose other values for it.
        </Notice>
      )}
      {places !== undefined && places.length > 0 && (
        <MetricValues
          metric={metric}
          measure={measure}
          view={view}
          places={places}
          onChange={onChange}
        />
      )}
    </>
  );
}
