import type { GeoJSON } from 'geojson';
import { GeoJSONSource, type MapLibreMap } from 'maplibre-gl';
import { COUNTIES_FROM_ZOOM, SOURCES } from './base-layers.ts';
import { loadCounties, loadCountries, loadStates, loadWaters } from './boundaries.ts';
import { loadPlaces, placePoints } from './places.ts';

/** Loads the parts of the map below the data once each; counties only for zooms that show them. Nothing where another style is below the data. */
export function createBoundaryLoader(
  map: MapLibreMap,
  isShown: boolean,
  onError: (error: unknown) => void,
) {
  const begun = new Set<string>();
  const once = (name: string, load: () => Promise<void>): void => {
    if (!isShown || begun.has(name)) return;
    begun.add(name);
    load().catch((error: unknown) => {
      begun.delete(name);
      onError(error);
    });
  };
  const loadCountyBorders = (): void =>
    once('counties', async () => {
      setShapes(map, SOURCES.countyBorders, (await loadCounties()).borders);
    });
  return {
    load() {
      once('countries', async () => {
        const { land, borders, names } = await loadCountries();
        setShapes(map, SOURCES.countries, land);
        setShapes(map, SOURCES.countryBorders, borders);
        setShapes(map, SOURCES.countryNames, names);
      });
      once('waters', async () => {
        const { lakes, borders } = await loadWaters();
        setShapes(map, SOURCES.lakes, lakes);
        setShapes(map, SOURCES.otherStateBorders, borders);
      });
      once('places', async () => {
        setShapes(map, SOURCES.places, placePoints(await loadPlaces()));
      });
      once('states', async () => {
        const { land, borders, names } = await loadStates();
        setShapes(map, SOURCES.states, land);
        setShapes(map, SOURCES.stateBorders, borders);
        setShapes(map, SOURCES.stateNames, names);
      });
      if (map.getZoom() >= COUNTIES_FROM_ZOOM) loadCountyBorders();
    },
    loadCounties: loadCountyBorders,
  };
}

/** Replaces the shapes of a source. */
export function setShapes(map: MapLibreMap, id: string, data: GeoJSON): void {
  const source = map.getSource(id);
  if (source instanceof GeoJSONSource) source.setData(data);
}
