import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import type { Colour } from '../../data/map-address.ts';
import { colourField } from '../../data/map-address.ts';
import type { Palette } from './palette.ts';
import { classColours, type Scale, scaleClasses } from './scale.ts';

/** The sources of the layers. */
export const SOURCES = {
  countries: 'countries',
  countryBorders: 'country-borders',
  states: 'states',
  stateBorders: 'state-borders',
  stateNames: 'state-names',
  countyBorders: 'county-borders',
  tiles: 'tiles',
  box: 'box',
  selected: 'selected',
} as const;

/** The layers that a click finds. */
export const POINTS = 'points';
export const POINTS_WITHOUT_VALUE = 'points-without-value';
export const CELLS = 'cells';
export const CELLS_WITHOUT_VALUE = 'cells-without-value';
/** The image of cells without a value. */
export const HATCH = 'hatch';

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
    {
      id: 'state-names',
      type: 'symbol',
      source: SOURCES.stateNames,
      minzoom: 3.6,
      maxzoom: 8,
      layout: {
        'text-field': ['get', 'name'],
        // Drawn by the browser itself: the style has no address of glyphs.
        'text-font': ['Inter Variable'],
        'text-size': ['interpolate', ['linear'], ['zoom'], 3.6, 10, 7, 15],
        'text-max-width': 7,
      },
      paint: {
        'text-color': palette.label,
        'text-halo-color': palette.land,
        'text-halo-width': 1.5,
      },
    },
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

/** The land, without its borders. */
export function landLayers({ land }: Palette): readonly LayerSpecification[] {
  return [SOURCES.countries, SOURCES.states].map((source) => ({
    id: `land-${source}`,
    type: 'fill',
    source,
    paint: { 'fill-color': land },
  }));
}

/** Borders are above the cells, so that one sees where they are. */
/** The borders of countries, states and counties. */
export function borderLayers({ border, countyBorder }: Palette): readonly LayerSpecification[] {
  return [
    {
      id: 'county-borders',
      type: 'line',
      source: SOURCES.countyBorders,
      minzoom: COUNTIES_FROM_ZOOM,
      paint: { 'line-color': countyBorder, 'line-width': 0.75 },
    },
    {
      id: 'state-borders',
      type: 'line',
      source: SOURCES.stateBorders,
      paint: {
        'line-color': border,
        'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.6, 8, 1.5],
      },
    },
    {
      id: 'country-borders',
      type: 'line',
      source: SOURCES.countryBorders,
      paint: { 'line-color': border, 'line-width': 0.8 },
    },
  ];
}

export const COUNTIES_FROM_ZOOM = 5;

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
