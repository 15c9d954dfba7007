import type { AddressComponentFilter, MapFeature } from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Box } from '../../data/box.ts';
import { placesWithinQuery } from '../../data/metric-queries.ts';
import { formatCount } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useScheme } from '../../ui/use-scheme.ts';
import { PALETTES, SERIES_COLOURS } from '../map/palette.ts';
import { type PlaceMap as OpenedMap, openPlaceMap, type PlacePoints } from './open-place-map.ts';
import styles from './place-map.module.css';

/** The places of a layer on a map: a click adds one to the chart, or takes it away. */
export function PlaceMap({
  catalogId,
  layerId,
  components,
  chosen,
  onAdd,
  onRemove,
}: {
  readonly catalogId: string;
  readonly layerId: string;
  readonly components: readonly AddressComponentFilter[] | undefined;
  /** The ids of the places of the chart, in the order of their colours. */
  readonly chosen: readonly string[];
  readonly onAdd: (id: string) => void;
  readonly onRemove: (id: string) => void;
}) {
  const scheme = useScheme();
  const [box, setBox] = useState<Box>();
  const [mapError, setMapError] = useState<unknown>();
  const { data, error, refetch } = useQuery({
    ...placesWithinQuery(useSession(), { catalogId, layerId, box, components }),
    placeholderData: keepPreviousData,
  });
  const points = useMemo(
    () => toPoints(data?.places ?? [], chosen, SERIES_COLOURS[scheme]),
    [data, chosen, scheme],
  );
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<OpenedMap>(undefined);
  const latest = useRef({ chosen, onAdd, onRemove, points });
  useEffect(() => {
    latest.current = { chosen, onAdd, onRemove, points };
  });
  useEffect(() => {
    if (container.current === null) return undefined;
    const opened = openPlaceMap({
      container: container.current,
      label:
        'Map of the places. Arrows move it, plus and minus zoom; the search above finds a place by its name.',
      palette: PALETTES[scheme],
      listener: {
        onPick: (id) => {
          const { chosen: before, onAdd: add, onRemove: remove } = latest.current;
          if (before.includes(id)) remove(id);
          else add(id);
        },
        onView: setBox,
        onError: setMapError,
      },
    });
    opened.showPlaces(latest.current.points);
    map.current = opened;
    return () => opened.close();
  }, [scheme]);
  useEffect(() => map.current?.showPlaces(points), [points]);
  const problem = error ?? mapError;
  return (
    <div className={styles.view}>
      {problem !== undefined && problem !== null && (
        <Problem error={problem} onRetry={() => void refetch()} />
      )}
      <section ref={container} aria-label="Map of the places" className={styles.map} />
      <p role="status" className={styles.summary}>
        {data === undefined ? 'Reading the places…' : summary(data.places.length, data.totalSize)}
      </p>
    </div>
  );
}

function summary(shown: number, total: number): string {
  if (total === 0) return 'No place in view.';
  const hint = 'Click a place to add it, and again to remove it.';
  if (shown < total) {
    return `${formatCount(shown)} of ${formatCount(total)} places in view are shown: zoom in for the others. ${hint}`;
  }
  return `${formatCount(total)} ${total === 1 ? 'place' : 'places'} in view. ${hint}`;
}

function toPoints(
  places: readonly MapFeature[],
  chosen: readonly string[],
  colours: readonly string[],
): PlacePoints {
  return {
    type: 'FeatureCollection',
    features: places.flatMap(({ featureId, geo }) => {
      if (geo === '') return [];
      const colour = colours[chosen.indexOf(featureId)] ?? null;
      return [
        { type: 'Feature', geometry: JSON.parse(geo), properties: { id: featureId, colour } },
      ];
    }),
  };
}
