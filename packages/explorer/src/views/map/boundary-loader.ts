import type { GeoJSON } from 'geojson';
import { GeoJSONSource, type MapLibreMap } from 'maplibre-gl';
import { loadCounties, loadCountries, loadStates } from './boundaries.ts';
import { COUNTIES_FROM_ZOOM, SOURCES } from './map-layers.ts';

/** Loads the boundaries once each; counties only for zooms that show them. */
export function createBoundaryLoader(map: MapLibreMap, onError: (error: unknown) => void) {
  const begun = new Set<string>();
  const once = (name: string, load: () => Promise<void>): void => {
    if (begun.has(name)) return;
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
        const { land, borders } = await loadCountries();
        setShapes(map, SOURCES.countries, land);
        setShapes(map, SOURCES.countryBorders, borders);
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
