import 'maplibre-gl/dist/maplibre-gl.css';
import type { FeatureCollection, Point } from 'geojson';
import {
  addProtocol,
  type LayerSpecification,
  MapLibreMap,
  removeProtocol,
  type SourceSpecification,
  setWorkerUrl,
  VectorTileSource,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import type { Box } from '../../data/box.ts';
import type { LayerPoint, LayerShapes } from '../../data/layer-shapes.ts';
import type { MapPlace } from '../../data/map-address.ts';
import {
  borderLayers,
  COUNTIES_FROM_ZOOM,
  labelLayers,
  landLayers,
  SHAPES,
  SOURCES,
} from './base-layers.ts';
import { createBoundaryLoader, setShapes } from './boundary-loader.ts';
import { boxBetween, boxLayers, boxShapes, type ScreenPoint } from './box-shapes.ts';
import { fitPadding } from './fit-padding.ts';
import { drawingOf, type MapDrawing } from './map-drawing.ts';
import { showImages } from './map-images.ts';
import { joinStyles, layersOnStyle, type OwnStyle } from './map-style.ts';
import { narrowestBox } from './narrowest-box.ts';
import { followOneWorld, oneWorld, withoutPoles } from './one-world.ts';
import { creditsOf, type Picture, pictureOf } from './save-map.ts';
import { updateLayers } from './update-layers.ts';
import {
  AREAS,
  areaEdgeLayers,
  areaLayers,
  CIRCLES,
  circleLayers,
  isLeftOut,
  type ValueStyle,
} from './value-layers.ts';
import { whenLoaded } from './when-loaded.ts';
import { whenStyled } from './when-styled.ts';

setWorkerUrl(workerUrl);

export type Values = ReadonlyMap<string, number | null>;

/** A map of values on the page. Its methods show something; events on it are reported to the listener. */
export type ValueMap = {
  readonly showValues: (values: Values) => void;
  readonly showStyle: (style: ValueStyle) => void;
  readonly showHovered: (id: string | undefined) => void;
  readonly showChosen: (ids: ReadonlySet<string>) => void;
  readonly showBox: (box: Box | undefined) => void;
  readonly flyTo: (place: MapPlace) => void;
  readonly zoomBy: (steps: number) => void;
  readonly fit: () => void;
  /** Asks again for all that could not be read. */
  readonly retry: () => void;
  readonly findMiddle: () => { readonly id: string; readonly name: string | undefined } | undefined;
  /** The box between two places of the screen, or that of the whole view. */
  readonly boxBetween: (one?: ScreenPoint, other?: ScreenPoint) => Box;
  /** The ids of the features with values that such a box touches. */
  readonly findBetween: (one?: ScreenPoint, other?: ScreenPoint) => readonly string[];
  /** The picture of the map as it is now. */
  readonly draw: () => Promise<Picture>;
  /** The same as shapes. */
  readonly drawShapes: () => Promise<MapDrawing>;
  /** The sources of the style of the operator's own. */
  readonly credits: () => string;
  readonly close: () => void;
};

export type ValueMapListener = {
  /** With the name of the feature, if its shape has one. */
  readonly onHover: (id: string | undefined, at: ScreenPoint | undefined, name?: string) => void;
  readonly onPick: (id: string, name?: string) => void;
  readonly onLoading: (isLoading: boolean) => void;
  readonly onError: (error: unknown) => void;
  /** The browser took the drawing surface away. */
  readonly onLost: () => void;
  /** It gave it back, but not all that was drawn: the map is to be opened again. */
  readonly onRestored: () => void;
};

let opened = 0;
const TOLERANCE_PX = 3;
const FIT_PX = 24;

/** Draws the shapes of a layer into an element; their values are given afterwards, and change without new tiles. */
export function openValueMap({
  container,
  ownStyle,
  label,
  shapes,
  tiles,
  style: firstStyle,
  values: firstValues,
  fetchTile,
  listener,
}: {
  readonly container: HTMLElement;
  readonly ownStyle: OwnStyle;
  readonly label: string;
  readonly shapes: LayerShapes;
  /** The address of the tiles of outlines. */
  readonly tiles: string;
  readonly style: ValueStyle;
  readonly values: Values;
  readonly fetchTile: (address: string, signal: AbortSignal) => Promise<ArrayBuffer>;
  readonly listener: ValueMapListener;
}): ValueMap {
  opened += 1;
  const protocol = `outlines-${opened}`;
  addProtocol(protocol, async ({ url }, { signal }) => {
    try {
      return { data: await fetchTile(url.slice(`${protocol}://`.length), signal) };
    } catch (error) {
      if (signal.aborted) throw error;
      // Errors of tiles lose their class on the way through the worker, so they are reported from here. The tile is empty,
      // because the map never again asks for a tile with an error, not even at another address.
      listener.onError(error);
      return { data: new ArrayBuffer(0) };
    }
  });
  const layersOf = (style: ValueStyle): readonly LayerSpecification[] =>
    layersOnStyle(
      [
        { id: 'water', type: 'background', paint: { 'background-color': style.palette.water } },
        ...landLayers(style.palette),
        ...(shapes.kind === 'outlines' ? areaLayers(style) : []),
        ...borderLayers(style.palette),
        ...(shapes.kind === 'outlines' ? areaEdgeLayers(style) : circleLayers(style)),
        ...labelLayers(style.palette),
        ...boxLayers(style.palette),
      ],
      ownStyle,
    );
  let style = firstStyle;
  let layers = layersOf(style);
  let values: Values = new Map();
  let hovered: string | undefined;
  let chosen: ReadonlySet<string> = new Set();
  let bounds = boundsOf(shapes);
  const fitOptions = () => ({
    padding: fitPadding(container, FIT_PX),
    maxZoom: 11,
    animate: false,
  });
  const map = new MapLibreMap({
    container,
    attributionControl: ownStyle === null ? false : { compact: false },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxPitch: 0,
    fadeDuration: 0,
    ...oneWorld(container),
    locale: { 'Map.Title': label },
    ...(bounds === undefined ? {} : { bounds, fitBoundsOptions: fitOptions() }),
    style: joinStyles(ownStyle, {
      sources: {
        ...Object.fromEntries(
          Object.values(SOURCES).map((id) => [
            id,
            { type: 'geojson', data: EMPTY, tolerance: 0.5 },
          ]),
        ),
        [SHAPES]: sourceOf(shapes, `${protocol}://${tiles}`),
      },
      layers: [...layers],
    }),
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  followOneWorld(map);
  const boundaries = createBoundaryLoader(map, ownStyle === null, listener.onError);
  const found = shapes.kind === 'outlines' ? AREAS : CIRCLES;
  const target = (id: string) => ({
    source: SHAPES,
    id,
    ...(shapes.kind === 'outlines' ? { sourceLayer: 'features' } : {}),
  });

  const change = whenStyled(map, () => {
    showImages(map, style.palette);
    // A style that is loaded again has no states.
    for (const [id, value] of values) setState(id, { value });
    for (const id of chosen) setState(id, { chosen: true });
    if (hovered !== undefined) setState(hovered, { hovered: true });
  });
  map.on('load', () => boundaries.load());
  map.on('moveend', () => {
    if (map.getZoom() >= COUNTIES_FROM_ZOOM) boundaries.loadCounties();
  });
  map.on('dataloading', () => listener.onLoading(true));
  // A box that is wider than half of the world may cross the antimeridian, which its four numbers cannot say.
  let isNarrowed = bounds === undefined || shapes.kind === 'points' || bounds[2] - bounds[0] <= 180;
  map.on('idle', () => {
    listener.onLoading(false);
    if (isNarrowed) return;
    isNarrowed = true;
    const outlines = map.querySourceFeatures(SHAPES, { sourceLayer: 'features' });
    bounds = narrowestBox(outlines.map(({ geometry }) => geometry)) ?? bounds;
    if (bounds !== undefined) map.fitBounds(bounds, fitOptions());
  });
  map.on('error', ({ error }) => listener.onError(error));
  map.on('webglcontextlost', () => listener.onLost());
  map.on('webglcontextrestored', () => listener.onRestored());
  const findAt = ({ x, y }: ScreenPoint) => {
    const box: [[number, number], [number, number]] = [
      [x - TOLERANCE_PX, y - TOLERANCE_PX],
      [x + TOLERANCE_PX, y + TOLERANCE_PX],
    ];
    const area = shapes.kind === 'outlines' ? ([x, y] as [number, number]) : box;
    const feature = map
      .queryRenderedFeatures(area, { layers: [found] })
      .find(({ properties: { id } }) => !isLeftOut(style, String(id), values.get(id) ?? null));
    if (feature === undefined) return undefined;
    const { id, name } = feature.properties;
    return { id: String(id), name: typeof name === 'string' ? name : undefined };
  };
  map.on('mousemove', ({ point }) => {
    if (map.isMoving()) return;
    const feature = findAt(point);
    map.getCanvas().style.cursor = feature === undefined ? '' : 'pointer';
    listener.onHover(feature?.id, feature && point, feature?.name);
  });
  map.on('mouseout', () => listener.onHover(undefined, undefined));
  map.on('movestart', () => listener.onHover(undefined, undefined));
  map.on('click', ({ point }) => {
    const feature = findAt(point);
    if (feature !== undefined) listener.onPick(feature.id, feature.name);
  });

  const setState = (id: string, state: Readonly<Record<string, unknown>>): void =>
    void map.setFeatureState(target(id), state);
  const showValues = (next: Values): void =>
    change(() => {
      for (const id of values.keys()) if (!next.has(id)) setState(id, { value: null });
      for (const [id, value] of next) if (values.get(id) !== value) setState(id, { value });
      values = next;
      // Small circles lie above large ones.
      if (shapes.kind === 'points') setShapes(map, SHAPES, pointsOf(shapes.points, next));
    });
  showValues(firstValues);
  const oppositeCorner = (): ScreenPoint => ({
    x: container.clientWidth,
    y: container.clientHeight,
  });
  return {
    showValues,
    showStyle: (next) =>
      change(() => {
        if (next.palette !== style.palette) showImages(map, next.palette);
        const after = layersOf(next);
        updateLayers(map, layers, after);
        style = next;
        layers = after;
      }),
    showHovered: (id) =>
      change(() => {
        if (hovered === id) return;
        if (hovered !== undefined) setState(hovered, { hovered: false });
        if (id !== undefined) setState(id, { hovered: true });
        hovered = id;
      }),
    showChosen: (ids) =>
      change(() => {
        for (const id of chosen) if (!ids.has(id)) setState(id, { chosen: false });
        for (const id of ids) if (!chosen.has(id)) setState(id, { chosen: true });
        chosen = ids;
      }),
    showBox: (box) => change(() => setShapes(map, SOURCES.box, boxShapes(box))),
    flyTo([lng, lat, zoom]) {
      container.scrollIntoView({ block: 'nearest' });
      map.easeTo({ center: [lng, lat], zoom });
    },
    zoomBy: (steps) => void map.zoomTo(map.getZoom() + steps),
    fit: () => {
      if (bounds !== undefined) map.fitBounds(bounds, { ...fitOptions(), animate: true });
    },
    retry() {
      boundaries.load();
      const source = map.getSource(SHAPES);
      if (source instanceof VectorTileSource) {
        whenLoaded(map, SHAPES, () => source.setTiles([`${protocol}://${tiles}`]));
      }
    },
    findMiddle() {
      const { clientWidth, clientHeight } = container;
      return findAt({ x: clientWidth / 2, y: clientHeight / 2 });
    },
    boxBetween: (one = CORNER, other = oppositeCorner()) => boxBetween(map, one, other),
    findBetween(one = CORNER, other = oppositeCorner()) {
      const box: [[number, number], [number, number]] = [
        [Math.min(one.x, other.x), Math.min(one.y, other.y)],
        [Math.max(one.x, other.x), Math.max(one.y, other.y)],
      ];
      const ids = map
        .queryRenderedFeatures(box, { layers: [found] })
        .map(({ properties: { id } }) => String(id));
      return [...new Set(ids)].filter((id) => values.has(id)).sort();
    },
    draw: () => pictureOf(map),
    drawShapes: () => drawingOf(map, style.palette),
    credits: () => creditsOf(map),
    close() {
      map.remove();
      removeProtocol(protocol);
    },
  };
}

const CORNER: ScreenPoint = { x: 0, y: 0 };
const EMPTY: FeatureCollection = { type: 'FeatureCollection', features: [] };

function sourceOf(shapes: LayerShapes, address: string): SourceSpecification {
  if (shapes.kind === 'points') return { type: 'geojson', data: EMPTY, promoteId: 'id' };
  return { type: 'vector', tiles: [address], minzoom: 0, maxzoom: shapes.maxZoom, promoteId: 'id' };
}

/** The points, those with the greatest values first. */
function pointsOf(points: readonly LayerPoint[], values: Values): FeatureCollection<Point> {
  const sizeOf = ({ id }: LayerPoint): number => Math.abs(values.get(id) ?? 0);
  return {
    type: 'FeatureCollection',
    features: points
      .toSorted((one, other) => sizeOf(other) - sizeOf(one))
      .map(({ id, longitude, latitude }) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties: { id },
      })),
  };
}

type Corners = [number, number, number, number];

function boundsOf(shapes: LayerShapes): Corners | undefined {
  if (shapes.kind === 'outlines') {
    if (shapes.bounds === undefined) return undefined;
    const [west = -180, south = -85, east = 180, north = 85] = shapes.bounds;
    return withoutPoles([west, south, east, north]);
  }
  const box = narrowestBox(
    shapes.points.map(({ longitude, latitude }) => ({
      type: 'Point',
      coordinates: [longitude, latitude],
    })),
  );
  return box === undefined ? undefined : withoutPoles(box);
}
