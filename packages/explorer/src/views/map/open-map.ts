import 'maplibre-gl/dist/maplibre-gl.css';
import type { GeoJSON } from 'geojson';
import {
  addProtocol,
  MapLibreMap,
  type PointLike,
  removeProtocol,
  setWorkerUrl,
  VectorTileSource,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import { type Box, boxOfCorners, unwrapBox } from '../../data/box.ts';
import {
  type Colour,
  categoryField,
  colourField,
  type MapPlace,
  measureOf,
  roundPlace,
} from '../../data/map-address.ts';
import { type Tiles, tileAddress } from '../../data/tiles.ts';
import { COUNTIES_FROM_ZOOM, SOURCES } from './base-layers.ts';
import { createBoundaryLoader, setShapes } from './boundary-loader.ts';
import { boxBetween, boxShapes, type ScreenPoint } from './box-shapes.ts';
import { fitPadding } from './fit-padding.ts';
import { cellOf, type Found, recordsOf } from './found.ts';
import { drawingOf, type MapDrawing } from './map-drawing.ts';
import { showImages } from './map-images.ts';
import {
  CELLS,
  CELLS_WITHOUT_VALUE,
  layersOf,
  POINTS,
  POINTS_WITHOUT_VALUE,
  type Shown,
} from './map-layers.ts';
import { joinStyles, layersOnStyle, type OwnStyle } from './map-style.ts';
import { narrowestBox } from './narrowest-box.ts';
import { followOneWorld, oneWorld, withoutPoles } from './one-world.ts';
import { creditsOf, type Picture, pictureOf } from './save-map.ts';
import { updateLayers } from './update-layers.ts';
import type { View } from './view.ts';
import { whenLoaded } from './when-loaded.ts';
import { whenStyled } from './when-styled.ts';

setWorkerUrl(workerUrl);

/** A map on the page. Its methods show something; events on it are reported to the listener. */
export type OpenMap = {
  readonly showTiles: (tiles: Tiles) => void;
  readonly showLayers: (shown: Shown) => void;
  readonly showBox: (box: Box | undefined) => void;
  readonly showSelected: (found: Found | undefined) => void;
  readonly goTo: (place: MapPlace) => void;
  readonly flyTo: (place: MapPlace) => void;
  /** Shows a box, but not nearer than a zoom. */
  readonly fit: (box: Box, maxZoom?: number) => void;
  readonly zoomBy: (steps: number) => void;
  /** Asks again for all that could not be read. */
  readonly retry: () => void;
  /** The box between two places of the screen, in pixels from the corner of the map. */
  readonly boxBetween: (one: ScreenPoint, other: ScreenPoint) => Box;
  /** The records or the cell at a place of the screen. */
  readonly find: (at: ScreenPoint | 'middle', keyFields: readonly string[]) => Found | undefined;
  /** The picture of the map as it is now. */
  readonly draw: () => Promise<Picture>;
  /** The same as shapes. */
  readonly drawShapes: () => Promise<MapDrawing>;
  /** The sources of the style of the operator's own. */
  readonly credits: () => string;
  readonly close: () => void;
};

export type MapListener = {
  readonly onClick: (at: ScreenPoint) => void;
  /** The pointer is over data, or over none. */
  readonly onHover: (at: ScreenPoint | undefined) => void;
  /** The user moved the map. */
  readonly onMove: (place: MapPlace) => void;
  readonly onView: (view: View) => void;
  readonly onBox: (box: Box) => void;
  readonly onLoading: (isLoading: boolean) => void;
  readonly onError: (error: unknown) => void;
  /** The browser took the drawing surface away. */
  readonly onLost: () => void;
  /** It gave it back, but not all that was drawn: the map is to be opened again. */
  readonly onRestored: () => void;
};

/** Tiles of deeper zooms are those of this one. */
const TILES_ZOOM_MAX = 16;
const CLICK_TOLERANCE_PX = 6;
const MIDDLE_TOLERANCE_PX = 16;

let opened = 0;

/** Draws the map into an element. `fetchTile` sends the token; no address has it. */
export function openMap({
  container,
  ownStyle,
  label,
  start,
  tiles: firstTiles,
  shown: firstShown,
  fetchTile,
  listener,
}: {
  readonly container: HTMLElement;
  readonly ownStyle: OwnStyle;
  readonly label: string;
  readonly start: { readonly at: MapPlace } | { readonly fit: Box };
  readonly tiles: Tiles;
  readonly shown: Shown;
  readonly fetchTile: (address: string, signal: AbortSignal) => Promise<ArrayBuffer>;
  readonly listener: MapListener;
}): OpenMap {
  opened += 1;
  const protocol = `tiles-${opened}`;
  let tiles = firstTiles;
  let shown = firstShown;
  let layers = layersOnStyle(layersOf(shown), ownStyle);
  let isMoved = false;
  let areTilesNew = false;
  let outdated = new AbortController();
  addProtocol(protocol, async ({ url }, { signal }) => {
    const stop = AbortSignal.any([signal, outdated.signal]);
    try {
      const [zoom = '', ...address] = url.slice(`${protocol}://`.length).split('/');
      return { data: await fetchTile(tileAddress(address.join('/'), Number(zoom), tiles), stop) };
    } catch (error) {
      if (signal.aborted) throw error;
      if (stop.aborted) return { data: new ArrayBuffer(0) };
      // Errors of tiles lose their class on the way through the worker, so they are reported from here. The tile is empty,
      // because the map never again asks for a tile with an error, not even at another address.
      listener.onError(error);
      return { data: new ArrayBuffer(0) };
    }
  });
  const map = new MapLibreMap({
    container,
    attributionControl: ownStyle === null ? false : { compact: false },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxPitch: 0,
    ...oneWorld(container),
    fadeDuration: 0,
    locale: { 'Map.Title': label },
    boxZoom: {
      boxZoomEnd: (_, from, to) => listener.onBox(boxBetween(map, from, to)),
    },
    ...('at' in start ? placeOptions(start.at) : fitOptions(start.fit, container)),
    style: joinStyles(ownStyle, {
      sources: {
        ...Object.fromEntries(
          GEOJSON_SOURCES.map((id) => [id, { type: 'geojson', data: EMPTY, tolerance: 0.5 }]),
        ),
        [SOURCES.tiles]: {
          type: 'vector',
          tiles: [tilesOf(protocol, tiles)],
          minzoom: 0,
          maxzoom: TILES_ZOOM_MAX,
        },
      },
      layers: [...layers],
    }),
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  followOneWorld(map);
  const boundaries = createBoundaryLoader(map, ownStyle === null, listener.onError);

  const change = whenStyled(map, () => showImages(map, shown.palette));
  map.on('load', () => {
    boundaries.load();
    isMoved = true;
  });
  map.on('moveend', () => {
    if (map.getZoom() >= COUNTIES_FROM_ZOOM) boundaries.loadCounties();
    if (isMoved) listener.onMove(placeOf(map));
  });
  map.on('click', ({ point, originalEvent }) => {
    if (!originalEvent.shiftKey) listener.onClick(point);
  });
  map.on('mousemove', ({ point }) => {
    if (map.isMoving()) return;
    const isOverData = map.queryRenderedFeatures(point, { layers: CLICKABLE }).length > 0;
    map.getCanvas().style.cursor = isOverData ? 'pointer' : '';
    listener.onHover(isOverData ? point : undefined);
  });
  map.on('mouseout', () => listener.onHover(undefined));
  map.on('movestart', () => listener.onHover(undefined));
  map.on('dataloading', () => listener.onLoading(true));
  map.on('error', ({ error }) => listener.onError(error));
  map.on('webglcontextlost', () => listener.onLost());
  map.on('webglcontextrestored', () => listener.onRestored());
  // A box that is wider than half of the world may cross the antimeridian, which its four numbers cannot say.
  const wide = 'fit' in start && start.fit[2] - start.fit[0] > 180 ? start.fit : undefined;
  let narrowed: [number, number, number, number] | undefined;
  let isNarrowed = wide === undefined;
  const narrow = (): void => {
    isNarrowed = true;
    const shapes = ['cells', 'records'].flatMap((sourceLayer) =>
      map.querySourceFeatures(SOURCES.tiles, { sourceLayer }).map(({ geometry }) => geometry),
    );
    const box = narrowestBox(shapes);
    if (box === undefined || box[2] - box[0] > 270) return;
    narrowed = withoutPoles(box);
    map.fitBounds(narrowed, {
      padding: fitPadding(container, FIT_PX),
      maxZoom: FIT_ZOOM_MAX,
      animate: false,
    });
  };
  map.on('idle', () => {
    if (areTilesNew) return;
    if (!isNarrowed) narrow();
    listener.onLoading(false);
    listener.onView(readView(map, shown.colour));
  });

  const renewTiles = (): void => {
    if (areTilesNew) return;
    areTilesNew = true;
    listener.onLoading(true);
    change(() =>
      whenLoaded(map, SOURCES.tiles, () => {
        areTilesNew = false;
        const source = map.getSource(SOURCES.tiles);
        if (source instanceof VectorTileSource) source.setTiles([tilesOf(protocol, tiles)]);
      }),
    );
  };

  return {
    showTiles(next) {
      if (next === tiles) return;
      tiles = next;
      // Nobody waits for what the tiles before show.
      outdated.abort();
      outdated = new AbortController();
      renewTiles();
    },
    showLayers: (next) =>
      change(() => {
        if (next.palette !== shown.palette) showImages(map, next.palette);
        const after = layersOnStyle(layersOf(next), ownStyle);
        updateLayers(map, layers, after);
        shown = next;
        layers = after;
      }),
    showBox: (box) => change(() => setShapes(map, SOURCES.box, boxShapes(box))),
    showSelected: (found) =>
      change(() => {
        setShapes(map, SOURCES.selected, selectedShapes(found));
        if (found !== undefined) keepAbovePanel(map, found);
      }),
    goTo(place) {
      // A movement of the map itself comes back through the address; jumping would stop the next one.
      if (String(placeOf(map)) === String(place)) return;
      const [lng, lat, zoom] = place;
      map.jumpTo({ center: [lng, lat], zoom });
    },
    flyTo([lng, lat, zoom]) {
      container.scrollIntoView({ block: 'nearest' });
      map.easeTo({ center: [lng, lat], zoom });
    },
    fit(box, maxZoom = FIT_ZOOM_MAX) {
      const corners = String(box) === String(wide) ? narrowed : undefined;
      map.fitBounds(corners ?? cornersOf(box), { padding: fitPadding(container, FIT_PX), maxZoom });
    },
    zoomBy: (steps) => void map.zoomTo(map.getZoom() + steps),
    retry() {
      boundaries.load();
      renewTiles();
    },
    boxBetween: (one, other) => boxBetween(map, one, other),
    find(at, keyFields) {
      const size = map.getContainer().getBoundingClientRect();
      const point = at === 'middle' ? { x: size.width / 2, y: size.height / 2 } : at;
      const tolerance = at === 'middle' ? MIDDLE_TOLERANCE_PX : CLICK_TOLERANCE_PX;
      return findAt(map, { point, tolerance, keyFields });
    },
    draw: () => pictureOf(map),
    drawShapes: () => drawingOf(map, shown.palette),
    credits: () => creditsOf(map),
    close() {
      map.remove();
      removeProtocol(protocol);
    },
  };
}

/** The zoom is in front, because it decides what a tile is asked for. */
function tilesOf(protocol: string, { address }: Tiles): string {
  return `${protocol}://{z}/${address}`;
}

const CLICKABLE = [POINTS, POINTS_WITHOUT_VALUE, CELLS, CELLS_WITHOUT_VALUE];
const GEOJSON_SOURCES = Object.values(SOURCES).filter((id) => id !== SOURCES.tiles);
const EMPTY: GeoJSON = { type: 'FeatureCollection', features: [] };
const FIT_PX = 48;
const FIT_ZOOM_MAX = 12;

function placeOf(map: MapLibreMap): MapPlace {
  const { lng, lat } = map.getCenter().wrap();
  return roundPlace([lng, lat, map.getZoom()]);
}

function placeOptions([lng, lat, zoom]: MapPlace) {
  return { center: { lng, lat }, zoom };
}

function fitOptions(box: Box, container: HTMLElement) {
  const padding = fitPadding(container, FIT_PX);
  return { bounds: cornersOf(box), fitBoundsOptions: { padding, maxZoom: FIT_ZOOM_MAX } };
}

function cornersOf(box: Box): [number, number, number, number] {
  return withoutPoles(unwrapBox(box));
}

/** On a phone the panel covers the lower part of the map, so what it describes moves into the upper part. */
const PHONE_WIDTH_PX = 700;
const VISIBLE_MIDDLE = 0.175;

function keepAbovePanel(map: MapLibreMap, found: Found): void {
  const { clientWidth, clientHeight } = map.getContainer();
  const center = middleOf(found);
  if (clientWidth > PHONE_WIDTH_PX || center === undefined) return;
  if (map.project(center).y < clientHeight * 0.3) return;
  map.easeTo({ center, offset: [0, (VISIBLE_MIDDLE - 0.5) * clientHeight] });
}

function middleOf(found: Found): [number, number] | undefined {
  if (found.kind === 'cell') {
    const [west, south, east, north] = found.cell.box;
    return [(west + east) / 2, (south + north) / 2];
  }
  const [first] = found.records;
  return first === undefined ? undefined : [first.longitude, first.latitude];
}

function selectedShapes(found: Found | undefined): GeoJSON {
  if (found === undefined) return EMPTY;
  if (found.kind === 'cell') {
    const edge = boxShapes(found.cell.box).features.filter(
      ({ properties }) => properties?.['part'] === 'edge',
    );
    return { type: 'FeatureCollection', features: edge };
  }
  const point = middleOf(found);
  return point === undefined ? EMPTY : { type: 'Point', coordinates: point };
}

function findAt(
  map: MapLibreMap,
  {
    point: { x, y },
    tolerance,
    keyFields,
  }: {
    readonly point: ScreenPoint;
    readonly tolerance: number;
    readonly keyFields: readonly string[];
  },
): Found | undefined {
  const around: [PointLike, PointLike] = [
    [x - tolerance, y - tolerance],
    [x + tolerance, y + tolerance],
  ];
  const points = map.queryRenderedFeatures(around, { layers: [POINTS, POINTS_WITHOUT_VALUE] });
  const records = recordsOf({
    features: points,
    keyFields,
    toleranceDegrees: 360 / 2 ** Math.min(Math.floor(map.getZoom()), TILES_ZOOM_MAX) / 4096,
  });
  if (records.length > 0) return { kind: 'records', records };
  const [feature] = map.queryRenderedFeatures([x, y], { layers: [CELLS, CELLS_WITHOUT_VALUE] });
  const cell = feature === undefined ? undefined : cellOf(feature);
  return cell === undefined ? undefined : { kind: 'cell', cell };
}

/** Tiles have 64 × 64 cells; the equator has 40,075 km. */
const EQUATOR_METRES = 40_075_017;
const CELLS_PER_TILE = 64;

function readView(map: MapLibreMap, colour: Colour | undefined): View {
  const bounds = map.getBounds();
  const ofLayer = (sourceLayer: string) => map.querySourceFeatures(SOURCES.tiles, { sourceLayer });
  const cells = ofLayer('cells');
  const points = ofLayer('records');
  const cellValues = valuesOf(cells, measureOf(colour) ?? 'count');
  const category = categoryField(colour);
  const pointValues =
    colour === undefined || category !== undefined ? [] : valuesOf(points, colourField(colour));
  const categories = category === undefined ? new Map() : countValues(points, category);
  const withValue =
    category === undefined
      ? pointValues.length
      : [...categories.values()].reduce((total, count) => total + count, 0);
  const zoom = Math.min(Math.max(0, Math.floor(map.getZoom())), TILES_ZOOM_MAX);
  const latitude = (map.getCenter().lat * Math.PI) / 180;
  return {
    box: boxOfCorners({
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
    }),
    colour,
    cells: cellValues,
    points: pointValues,
    categories,
    cellsWithoutValue: cellValues.length < cells.length,
    pointsWithoutValue: colour !== undefined && withValue < points.length,
    hasPoints: points.length > 0,
    cellWidthMetres: (EQUATOR_METRES * Math.cos(latitude)) / 2 ** zoom / CELLS_PER_TILE,
  };
}

function countValues(
  features: readonly { readonly properties: Readonly<Record<string, unknown>> }[],
  name: string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { properties } of features) {
    const value = properties[name];
    if (value === undefined || value === null) continue;
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  return counts;
}

function valuesOf(
  features: readonly { readonly properties: Readonly<Record<string, unknown>> }[],
  name: string,
): readonly number[] {
  return features
    .map(({ properties }) => properties[name])
    .filter((value) => typeof value === 'number');
}
