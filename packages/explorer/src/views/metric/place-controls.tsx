import type { AddressComponentFilter, Layer, MapFeature } from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { placeSearchQuery } from '../../data/metric-queries.ts';
import { MAX_PLACES } from '../../data/metric-view.ts';
import { useSession } from '../../session/session-context.tsx';
import { ChipList } from '../../ui/chip-list.tsx';
import { SearchPicker } from '../../ui/search-picker.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import styles from './metric.module.css';
import type { Place } from './to-time-chart.ts';

/** Chosen places, and a search for more. */
export function PlaceControls({
  label,
  listLabel,
  catalogId,
  layerId,
  layer,
  components,
  places,
  onAdd,
  onRemove,
}: {
  readonly label: string;
  /** The name of the list of those that are chosen. */
  readonly listLabel: string;
  readonly catalogId: string;
  readonly layerId: string;
  readonly layer: Layer | undefined;
  /** Only places with these values are found. */
  readonly components?: readonly AddressComponentFilter[] | undefined;
  readonly places: readonly Place[];
  readonly onAdd: (id: string) => void;
  readonly onRemove: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const delayed = useDelayed(text.trim());
  const { data, isFetching } = useQuery({
    ...placeSearchQuery(useSession(), { catalogId, layerId, text: delayed, components }),
    placeholderData: keepPreviousData,
  });
  const areas = areasOf(layer);
  const shown = new Set(places.map(({ id }) => id));
  const items = (data ?? [])
    .filter(({ featureId }) => !shown.has(featureId))
    .map((place) => toItem(place, areas));
  const isFull = places.length >= MAX_PLACES;
  return (
    <div className={styles.places}>
      <div className={styles.search}>
        <SearchPicker
          label={label}
          placeholder={`Search ${layer?.displayName || layerId}`}
          items={isFull ? [] : items}
          isSearching={isFetching || delayed !== text.trim()}
          empty={isFull ? `There are up to ${MAX_PLACES} places: remove one.` : 'No place matches.'}
          onText={setText}
          onPick={onAdd}
        />
      </div>
      <div className={styles.chosen}>
        <ChipList
          label={listLabel}
          chips={places.map(({ id, name }) => ({
            id,
            text: name,
            title: id,
            removeLabel: `Remove ${name}`,
          }))}
          onRemove={({ id }) => onRemove(id)}
        />
      </div>
    </div>
  );
}

/** Equal names are distinguished by their ids and by the areas that they belong to. */
function toItem(
  { featureId, name, addressComponentsList }: MapFeature,
  areas: ReadonlySet<string>,
) {
  const within = addressComponentsList
    .filter(({ component, displayName }) => areas.has(component) && displayName !== name)
    .map(({ displayName }) => displayName);
  const parts = [featureId, ...new Set(within)].filter((text) => text !== '' && text !== name);
  return { id: featureId, label: name || featureId, detail: parts.slice(0, 3).join(' · ') };
}

function areasOf(layer: Layer | undefined): ReadonlySet<string> {
  const components = layer?.addressComponentsList ?? [];
  return new Set(components.filter(({ kind }) => kind === 'MAP').map(({ component }) => component));
}
