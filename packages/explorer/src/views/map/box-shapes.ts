import type { Feature, FeatureCollection, Polygon, Position } from 'geojson';
import type { LayerSpecification, MapLibreMap } from 'maplibre-gl';
import { type Box, boxOfCorners, unwrapBox } from '../../data/box.ts';
import { SOURCES } from './base-layers.ts';
import type { Palette } from './palette.ts';

/** A point of the screen, in CSS pixels from the upper left corner of the map. */
export type ScreenPoint = { readonly x: number; readonly y: number };

/** A box as shapes to draw: its edge, and all around it, which is dimmed. */
export function boxShapes(box: Box | undefined): FeatureCollection {
  if (box === undefined) return { type: 'FeatureCollection', features: [] };
  const [west, south, east, north] = unwrapBox(box);
  const edge = ring(west, Math.max(south, -POLE), east, Math.min(north, POLE));
  // One turn around the box: the map repeats it.
  const middle = (west + east) / 2;
  const around = ring(middle - 180, -POLE, middle + 180, POLE);
  return {
    type: 'FeatureCollection',
    features: [shape('edge', [edge]), shape('outside', [around, edge.toReversed()])],
  };
}

/** The layers of these shapes, above all others. */
export function boxLayers({ outsideBox, accent }: Palette): readonly LayerSpecification[] {
  return [
    {
      id: 'outside-box',
      type: 'fill',
      source: SOURCES.box,
      filter: ['==', ['get', 'part'], 'outside'],
      paint: { 'fill-color': outsideBox, 'fill-opacity': 0.3, 'fill-antialias': false },
    },
    {
      id: 'box',
      type: 'line',
      source: SOURCES.box,
      filter: ['==', ['get', 'part'], 'edge'],
      paint: { 'line-color': accent, 'line-width': 2.5 },
    },
  ];
}

/** The box between two places of the screen, in pixels from the corner of the map. */
export function boxBetween(map: MapLibreMap, one: ScreenPoint, other: ScreenPoint): Box {
  const from = map.unproject([one.x, one.y]);
  const to = map.unproject([other.x, other.y]);
  return boxOfCorners({
    west: Math.min(from.lng, to.lng),
    east: Math.max(from.lng, to.lng),
    south: Math.min(from.lat, to.lat),
    north: Math.max(from.lat, to.lat),
  });
}

/** Web Mercator ends here. */
const POLE = 85.05;

function ring(west: number, south: number, east: number, north: number): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function shape(part: string, coordinates: Position[][]): Feature<Polygon> {
  return { type: 'Feature', properties: { part }, geometry: { type: 'Polygon', coordinates } };
}
