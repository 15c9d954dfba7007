import type { FeatureCollection, Point } from 'geojson';
import placesUrl from '../../../basemap/places.json?url';
import { fetchPart } from './boundaries.ts';

/** A name on the map: a city, or a state of a country that has no shapes of its own here. */
export type Place = {
  readonly kind: 'city' | 'state';
  readonly name: string;
  readonly longitude: number;
  readonly latitude: number;
  /** In thousands; 0 for a state. */
  readonly population: number;
  /** The country of a city, with the state of an American one: US-OR. */
  readonly within: string;
};

let read: Promise<readonly Place[]> | undefined;

/** The names, the largest cities first. They are read once. */
export function loadPlaces(): Promise<readonly Place[]> {
  read ??= readPlaces().catch((error: unknown) => {
    read = undefined;
    throw error;
  });
  return read;
}

type PlacesFile = {
  readonly states: readonly (readonly [string, number, number])[];
  readonly cities: readonly (readonly [string, number, number, number, string])[];
};

async function readPlaces(): Promise<readonly Place[]> {
  const { states, cities }: PlacesFile = await (await fetchPart(placesUrl)).json();
  return [
    ...states.map(([name, longitude, latitude]) => ({
      kind: 'state' as const,
      name,
      longitude,
      latitude,
      population: 0,
      within: '',
    })),
    ...cities.map(([name, longitude, latitude, population, within]) => ({
      kind: 'city' as const,
      name,
      longitude,
      latitude,
      population,
      within,
    })),
  ];
}

/** The names as points to draw. */
export function placePoints(places: readonly Place[]): FeatureCollection<Point> {
  return {
    type: 'FeatureCollection',
    features: places.map(({ kind, name, longitude, latitude, population }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: { kind, name, population },
    })),
  };
}
