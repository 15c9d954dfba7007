import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import type { Colour } from '../../data/map-address.ts';
import { colourField } from '../../data/map-address.ts';
import { borderLayers, HATCH, labelLayers, landLayers, SOURCES } from './base-layers.ts';
import type { Palette } from './palette.ts';
import { classColours, type Scale, scaleClasses } from './scale.ts';

/** The layers that a click finds. */
export const POINTS = 'points';
export const POINTS_WITHOUT_VALUE = 'points-without-value';
export const CELLS = 'cells';
export const CELLS_WITHOUT_VALUE = 'cells-without-value';

/** How values are shown. */
export type Shown = {
  readonly palette: Palette;
  readonly colour: Colour | undefined;
  /** Absent if no value was read. */
  readonly scale: Scale | undefined;
  /** Whether the tiles with these values were read. Before, none is missing. */
  readonly isRead: boolean;
};

/** All layers from bottom to top. */
export function layersOf({ palette, colour, scale, isRead }: Shown): readonly LayerSpecification[] {
  const cellValue = colour ?? 'count';
  const hasCellValue: FilterSpecification = ['has', cellValue];
  const pointValue = colour === undefined ? undefined : colourField(colour);
  return [
    { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
    ...landLayers(palette),
    {
      id: CELLS_WITHOUT_VALUE,
      type: 'fill',
      source: SOURCES.tiles,
      'source-layer': 'cells',
      filter: isRead ? ['!', hasCellValue] : false,
      paint: { 'fill-pattern': HATCH, 'fill-antialias': false },
    },
    {
      id: CELLS,
      type: 'fill',
      source: SOURCES.tiles,
      'source-layer': 'cells',
      filter: hasCellValue,
      paint: {
        'fill-color': colourExpression(cellValue, palette, scale),
        'fill-opacity': 0.85,
        'fill-antialias': false,
      },
    },
    ...borderLayers(palette),
    {
      id: POINTS_WITHOUT_VALUE,
      type: 'circle',
      source: SOURCES.tiles,
      'source-layer': 'records',
      filter: pointValue === undefined ? false : ['!', ['has', pointValue]],
      paint: {
        'circle-radius': POINT_RADIUS,
        'circle-color': 'transparent',
        'circle-stroke-color': palette.noValue,
        'circle-stroke-width': 1.5,
      },
    },
    {
      id: POINTS,
      type: 'circle',
      source: SOURCES.tiles,
      'source-layer': 'records',
      filter: pointValue === undefined ? true : ['has', pointValue],
      paint: {
        'circle-radius': POINT_RADIUS,
        'circle-color':
          pointValue === undefined ? palette.point : colourExpression(pointValue, palette, scale),
        'circle-stroke-color': palette.pointBorder,
        'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 12, 1.5],
      },
    },
    ...labelLayers(palette),
    {
      id: 'outside-box',
      type: 'fill',
      source: SOURCES.box,
      filter: ['==', ['get', 'part'], 'outside'],
      paint: { 'fill-color': palette.outsideBox, 'fill-opacity': 0.3, 'fill-antialias': false },
    },
    {
      id: 'box',
      type: 'line',
      source: SOURCES.box,
      filter: ['==', ['get', 'part'], 'edge'],
      paint: { 'line-color': palette.accent, 'line-width': 2.5 },
    },
    {
      id: 'selected-cell',
      type: 'line',
      source: SOURCES.selected,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'line-color': palette.label, 'line-width': 3 },
    },
    {
      id: 'selected-point',
      type: 'circle',
      source: SOURCES.selected,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 11,
        'circle-color': 'transparent',
        'circle-stroke-color': palette.label,
        'circle-stroke-width': 3,
      },
    },
  ];
}

const POINT_RADIUS: ExpressionSpecification = [
  'interpolate',
  ['linear'],
  ['zoom'],
  2,
  3,
  6,
  4.5,
  12,
  7,
];

function colourExpression(
  value: string,
  { ramp }: Palette,
  scale: Scale | undefined,
): ExpressionSpecification | string {
  if (scale === undefined) return classColours(ramp, 1)[0] ?? '';
  const classes = scaleClasses(scale);
  const [first = '', ...others] = classColours(ramp, classes.length);
  if (others.length === 0) return first;
  const steps = others.flatMap((colour, index) => [classes[index + 1]?.from ?? 0, colour]);
  // A list of alternating thresholds and colours, which the type of the style cannot say.
  return ['step', ['get', value], first, ...steps] as unknown as ExpressionSpecification;
}
