import 'maplibre-gl/dist/maplibre-gl.css';
import type { FeatureCollection, Point } from 'geojson';
import { LngLatBounds, MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { type Box, boxOfCorners } from '../../data/box.ts';
import { borderLayers, COUNTIES_FROM_ZOOM, landLayers, SOURCES } from '../map/base-layers.ts';
import { createBoundaryLoader, setShapes } from '../map/boundary-loader.ts';
import type { Palette } from '../map/palette.ts';

setWorkerUrl(workerUrl);

/** A point for each place, with the colour of its series if it is chosen. */
export type PlacePoints = FeatureCollection<Point, PlaceProperties>;
export type PlaceProperties = { readonly id: string; readonly colour: string | null };

export type PlaceMap = {
  readonly showPlaces: (places: PlacePoints) => void;
  readonly close: () => void;
};

const PLACES = 'places';
const CLICK_TOLERANCE_PX = 6;
const FIT = { padding: 32, maxZoom: 10, animate: false };

/** Draws places on a map, around the first of them that are shown; a click on one is reported with its id. */
export function openPlaceMap({
  container,
  label,
  palette,
  listener,
}: {
  readonly container: HTMLElement;
  readonly label: string;
  readonly palette: Palette;
  readonly listener: {
    readonly onPick: (id: string) => void;
    readonly onView: (box: Box) => void;
    readonly onError: (error: unknown) => void;
  };
}): PlaceMap {
  const map = new MapLibreMap({
    container,
    attributionControl: false,
    dragRotate: false,
    maxPitch: 0,
    fadeDuration: 0,
    locale: { 'Map.Title': label },
    center: [0, 20],
    zoom: 0,
    style: {
      version: 8,
      sources: Object.fromEntries(
        [...Object.values(SOURCES), PLACES].map((id) => [id, { type: 'geojson', data: EMPTY }]),
      ),
      layers: [
        { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
        ...landLayers(palette),
        ...borderLayers(palette),
        {
          id: PLACES,
          type: 'circle',
          source: PLACES,
          // Chosen places are above the others.
          layout: { 'circle-sort-key': ['case', ['==', ['get', 'colour'], null], 0, 1] },
          paint: {
            'circle-radius': ['case', ['==', ['get', 'colour'], null], 5, 8],
            'circle-color': ['coalesce', ['get', 'colour'], palette.noValue],
            'circle-stroke-color': palette.pointBorder,
            'circle-stroke-width': 1.5,
          },
        },
      ],
    },
  });
  const boundaries = createBoundaryLoader(map, true, listener.onError);
  const tellView = (): void => {
    const [west, south, east, north] = map.getBounds().toArray().flat();
    listener.onView(
      boxOfCorners({ west: west ?? 0, south: south ?? 0, east: east ?? 0, north: north ?? 0 }),
    );
    if (map.getZoom() >= COUNTIES_FROM_ZOOM) boundaries.loadCounties();
  };
  let shown = EMPTY;
  let isLoaded = false;
  let isFitted = false;
  const show = (): void => {
    if (!isLoaded) return;
    setShapes(map, PLACES, shown);
    if (isFitted || shown.features.length === 0) return;
    isFitted = true;
    map.fitBounds(boundsOf(shown), FIT);
    map.on('moveend', tellView);
  };
  map.on('load', () => {
    isLoaded = true;
    boundaries.load();
    show();
  });
  map.on('error', ({ error }) => listener.onError(error));
  map.on('click', ({ point: { x, y } }) => {
    const [found] = map.queryRenderedFeatures(
      [
        [x - CLICK_TOLERANCE_PX, y - CLICK_TOLERANCE_PX],
        [x + CLICK_TOLERANCE_PX, y + CLICK_TOLERANCE_PX],
      ],
      { layers: [PLACES] },
    );
    if (found !== undefined) listener.onPick(String(found.properties['id']));
  });
  map.on('mousemove', PLACES, () => {
    map.getCanvas().style.cursor = 'pointer';
  });
  map.on('mouseleave', PLACES, () => {
    map.getCanvas().style.cursor = '';
  });
  return {
    showPlaces(places) {
      shown = places;
      show();
    },
    close: () => map.remove(),
  };
}

const EMPTY: PlacePoints = { type: 'FeatureCollection', features: [] };

function boundsOf({ features }: PlacePoints): LngLatBounds {
  const bounds = new LngLatBounds();
  for (const { geometry } of features) {
    const [lng = 0, lat = 0] = geometry.coordinates;
    bounds.extend([lng, lat]);
  }
  return bounds;
}
