import type { Geometry, Position } from 'geojson';
import type { MapGeoJSONFeature, MapLibreMap } from 'maplibre-gl';
import { escapeXml } from '../../format/xml.ts';
import { HATCH, WITHHELD_HATCH } from './base-layers.ts';
import type { Palette } from './palette.ts';

/** The elements of SVG that draw a map, and its size in points. */
export type MapDrawing = {
  readonly elements: readonly string[];
  readonly width: number;
  readonly height: number;
};

/** The shapes, circles and names of the map, from bottom to top, once it has drawn all of them. */
export async function drawingOf(
  map: MapLibreMap,
  { water, noValue }: Palette,
): Promise<MapDrawing> {
  if (!map.loaded()) await map.once('idle');
  const { clientWidth: width, clientHeight: height } = map.getCanvas();
  const clips = new Map<string, string>();
  const drawn = new Set<string>();
  const shapes: string[] = [];
  // The topmost comes first.
  for (const feature of map.queryRenderedFeatures().toReversed()) {
    const element = elementOf(feature, map);
    // Neighbouring tiles share what is at their edge.
    if (element === '' || drawn.has(`${feature.layer.id} ${element}`)) continue;
    drawn.add(`${feature.layer.id} ${element}`);
    const isShape = feature.layer.type === 'fill' || feature.layer.type === 'line';
    shapes.push(
      isShape ? `<g clip-path="url(#${clipOf(feature, map, clips)})">${element}</g>` : element,
    );
  }
  return {
    elements: [
      `<defs>${patterns(noValue)}${[...clips.values()].join('')}</defs>`,
      `<rect width="${width}" height="${height}" fill="${water}"/>`,
      ...shapes,
    ],
    width,
    height,
  };
}

/** The patterns of what has no colour. The legend around the map has them too. */
function patterns(colour: string): string {
  const pattern = (id: string, path: string): string =>
    `<pattern id="${id}" width="8" height="8" patternUnits="userSpaceOnUse"><path d="${path}" stroke="${colour}" fill="none"/></pattern>`;
  return [
    pattern(HATCH, 'M0 8L8 0M-1 1L1 -1M7 9L9 7'),
    pattern(WITHHELD_HATCH, 'M0 1H8M1 0V8M0 5H8M5 0V8'),
  ].join('');
}

function toPoint(map: MapLibreMap, [longitude = 0, latitude = 0]: Position): [number, number] {
  const { x, y } = map.project([longitude, latitude]);
  return [round(x), round(y)];
}

function elementOf({ layer, geometry, properties }: MapGeoJSONFeature, map: MapLibreMap): string {
  // The values of the style for this feature, which MapLibre computes for it.
  const paint: Readonly<Record<string, unknown>> = { ...layer.paint };
  const number = (name: string, otherwise: number): number => {
    const value = paint[name];
    return typeof value === 'number' ? value : otherwise;
  };
  const text = (name: string, otherwise = 'none'): string =>
    paint[name] === undefined ? otherwise : String(paint[name]);
  switch (layer.type) {
    case 'fill': {
      const opacity = number('fill-opacity', 1);
      if (opacity === 0) return '';
      // Hatching is a pattern, and depends on no value of a feature.
      const pattern = map.getPaintProperty(layer.id, 'fill-pattern');
      const fill = pattern === undefined ? text('fill-color') : `url(#${String(pattern)})`;
      return `<path d="${pathOf(geometry, map)}" fill="${fill}" fill-rule="evenodd"${opacityOf('fill-opacity', opacity)}/>`;
    }
    case 'line': {
      const [width, opacity] = [number('line-width', 1), number('line-opacity', 1)];
      if (width === 0 || opacity === 0) return '';
      return `<path d="${pathOf(geometry, map)}" fill="none" stroke="${text('line-color')}" stroke-width="${round(width)}"${opacityOf('stroke-opacity', opacity)}/>`;
    }
    case 'circle': {
      if (geometry.type !== 'Point') return '';
      const [x, y] = toPoint(map, geometry.coordinates);
      const opacity = number('circle-opacity', 1);
      return `<circle cx="${x}" cy="${y}" r="${round(number('circle-radius', 5))}" fill="${text('circle-color')}"${opacityOf('fill-opacity', opacity)} stroke="${text('circle-stroke-color')}" stroke-width="${round(number('circle-stroke-width', 0))}"${opacityOf('stroke-opacity', number('circle-stroke-opacity', 1))}/>`;
    }
    case 'symbol': {
      const name = properties['name'];
      if (geometry.type !== 'Point' || typeof name !== 'string') return '';
      const [x, y] = toPoint(map, geometry.coordinates);
      return `<text x="${x}" y="${y}" text-anchor="middle" font-size="11" fill="${text('text-color')}" stroke="${text('text-halo-color')}" stroke-width="2" paint-order="stroke">${escapeXml(name)}</text>`;
    }
    default:
      return '';
  }
}

function opacityOf(name: string, opacity: number): string {
  return opacity === 1 ? '' : ` ${name}="${round(opacity)}"`;
}

/** The path of lines and areas. */
function pathOf(geometry: Geometry, map: MapLibreMap): string {
  return linesOf(geometry)
    .map((line) => {
      const points = line.map((position) => toPoint(map, position).join(' '));
      // Points that are less than a tenth of a pixel apart are one.
      return `M${points.filter((point, index) => point !== points[index - 1]).join('L')}`;
    })
    .join('');
}

function linesOf(geometry: Geometry): readonly (readonly Position[])[] {
  switch (geometry.type) {
    case 'LineString':
      return [geometry.coordinates];
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates;
    case 'MultiPolygon':
      return geometry.coordinates.flat();
    default:
      return [];
  }
}

/** The id of the square of the tile that a shape comes from: beyond it, the shape is drawn by the next tile. */
function clipOf(
  { _x, _y, _z }: MapGeoJSONFeature,
  map: MapLibreMap,
  clips: Map<string, string>,
): string {
  const id = `tile-${_z}-${_x}-${_y}`;
  if (!clips.has(id)) {
    const count = 2 ** _z;
    const corner = (x: number, y: number) =>
      toPoint(map, [(x / count) * 360 - 180, latitudeAt(y / count)]);
    const [[west, north], [east, south]] = [corner(_x, _y), corner(_x + 1, _y + 1)];
    clips.set(
      id,
      `<clipPath id="${id}"><rect x="${west}" y="${north}" width="${round(east - west)}" height="${round(south - north)}"/></clipPath>`,
    );
  }
  return id;
}

/** The latitude of a part of the height of the world (Web Mercator). */
function latitudeAt(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
