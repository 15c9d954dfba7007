import type { Feature, FeatureCollection, Polygon, Position } from 'geojson';
import { type Box, unwrapBox } from '../../data/box.ts';

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
