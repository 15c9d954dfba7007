import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ComboBox } from '../../ui/combo-box.tsx';
import { loadNamedPlaces, type NamedPlace, searchPlaces } from './named-places.ts';

/** Finds a country, a state or a city, and shows it on the map. Nothing is sent. */
export function FindPlace({ onPlace }: { readonly onPlace: (place: NamedPlace) => void }) {
  const [text, setText] = useState('');
  const { data, error } = useQuery({
    queryKey: ['named-places'],
    queryFn: loadNamedPlaces,
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = searchPlaces(data ?? [], text);
  const items = found.map(({ name, note }, index) => ({
    // Two cities can have one name: the text of an item tells them apart.
    text: found.findIndex((one) => one.name === name) === index ? name : `${name}, ${note}`,
    note,
  }));
  return (
    <ComboBox
      label="Go to a place"
      items={items}
      input={text}
      onInput={setText}
      onChoose={(chosen) => {
        const place = found[items.findIndex((item) => item.text === chosen)];
        setText(chosen);
        if (place !== undefined) onPlace(place);
      }}
      empty={emptyText(text, data === undefined, error)}
      opensOnFocus={false}
      isFree
    />
  );
}

function emptyText(text: string, isReading: boolean, error: Error | null): string {
  if (error !== null) return error.message;
  if (text === '') return 'Countries, states and large cities.';
  return isReading ? 'Reading the names…' : 'No country, state or large city has this name.';
}
