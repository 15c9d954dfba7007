import type { FeatureCollection, Point } from 'geojson';
import { foldText } from '../../format/words.ts';
import { loadCountries, loadStates } from './boundaries.ts';
import { loadPlaces } from './places.ts';

/** A place that the map can go to. */
export type NamedPlace = {
  readonly name: string;
  /** What tells it from others with its name. */
  readonly note: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
};

let read: Promise<readonly NamedPlace[]> | undefined;

/** Countries, states and cities by their names, large ones first. They are read once, from the files of the map. */
export function loadNamedPlaces(): Promise<readonly NamedPlace[]> {
  read ??= readNamedPlaces().catch((error: unknown) => {
    read = undefined;
    throw error;
  });
  return read;
}

/** The places whose names begin with a text, then those that contain it. */
export function searchPlaces(places: readonly NamedPlace[], text: string): readonly NamedPlace[] {
  const wanted = foldText(text);
  if (wanted === '') return [];
  const named = places.map((place) => ({ place, name: foldText(place.name) }));
  const first = named.filter(({ name }) => name.startsWith(wanted));
  const others = named.filter(({ name }) => name.indexOf(wanted) > 0);
  return [...first, ...others].slice(0, OFFERED).map(({ place }) => place);
}

const OFFERED = 12;

async function readNamedPlaces(): Promise<readonly NamedPlace[]> {
  const [countries, states, places] = await Promise.all([
    loadCountries(),
    loadStates(),
    loadPlaces(),
  ]);
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return [
    ...areas(countries.names, 'Country'),
    ...areas(states.names, 'State'),
    ...places.map(({ kind, name, longitude, latitude, population, within }) => {
      const [country = '', state] = within.split('-');
      return {
        name,
        note:
          kind === 'state' ? 'State' : (state ?? (country === '' ? '' : (names.of(country) ?? ''))),
        longitude,
        latitude,
        zoom: kind === 'state' ? 5 : population > 1000 ? 8.5 : 9.5,
      };
    }),
  ];
}

function areas({ features }: FeatureCollection<Point>, note: string): readonly NamedPlace[] {
  return features
    .map(({ geometry: { coordinates }, properties }) => {
      const [longitude = 0, latitude = 0] = coordinates;
      const area = Number(properties?.['area'] ?? 1);
      // A square of this area is about as wide as the map.
      const zoom = Math.min(9, Math.max(2, Math.log2(360 / Math.sqrt(area)) - 0.5));
      return { name: String(properties?.['name'] ?? ''), note, longitude, latitude, zoom, area };
    })
    .sort((one, other) => other.area - one.area);
}
