import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Palette } from './palette.ts';

/** The source of the outlines or points of a layer, whose features have their id as `id`. */
export const SHAPES = 'shapes';

/** The sources of the map below the data, and those of the maps of records. */
export const SOURCES = {
  countries: 'countries',
  countryBorders: 'country-borders',
  countryNames: 'country-names',
  states: 'states',
  stateBorders: 'state-borders',
  stateNames: 'state-names',
  otherStateBorders: 'other-state-borders',
  countyBorders: 'county-borders',
  lakes: 'lakes',
  places: 'places-of-the-world',
  tiles: 'tiles',
  box: 'box',
  selected: 'selected',
} as const;

const OF_DATA: ReadonlySet<string> = new Set([
  SOURCES.tiles,
  SOURCES.box,
  SOURCES.selected,
  SHAPES,
]);

/** The images of what has no value, of withheld values, and of a city. */
export const HATCH = 'hatch';
export const WITHHELD_HATCH = 'withheld-hatch';
export const DOT = 'dot';

/** The sea, the land and its lakes, without borders. */
export function landLayers({ land, water }: Palette): readonly LayerSpecification[] {
  const fills = [
    [SOURCES.countries, land],
    [SOURCES.states, land],
    [SOURCES.lakes, water],
  ] as const;
  return fills.map(([source, colour]) => ({
    id: `land-${source}`,
    type: 'fill',
    source,
    paint: { 'fill-color': colour },
  }));
}

/** The borders of countries, states and counties. They are above the cells, so that one sees where they are. */
export function borderLayers({ border, countyBorder }: Palette): readonly LayerSpecification[] {
  return [
    {
      id: 'county-borders',
      type: 'line',
      source: SOURCES.countyBorders,
      minzoom: COUNTIES_FROM_ZOOM,
      paint: { 'line-color': countyBorder, 'line-width': 0.75 },
    },
    ...[SOURCES.otherStateBorders, SOURCES.stateBorders].map(
      (source): LayerSpecification => ({
        id: source,
        type: 'line',
        source,
        minzoom: source === SOURCES.stateBorders ? 0 : 3,
        paint: {
          'line-color': border,
          'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.5, 8, 1.5],
        },
      }),
    ),
    {
      id: 'country-borders',
      type: 'line',
      source: SOURCES.countryBorders,
      paint: {
        'line-color': border,
        'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.6, 8, 2],
      },
    },
  ];
}

export const COUNTIES_FROM_ZOOM = 5;

/** Whether a layer is below the data, or has names: another style has its own. */
export function isOfBase(layer: LayerSpecification): boolean {
  if (layer.type === 'background') return true;
  return 'source' in layer && !OF_DATA.has(String(layer.source));
}

/**
 * The names of countries, states and cities. The browser draws their letters itself, with the typeface of the page: the style
 * has no address of glyphs.
 */
export function labelLayers(palette: Palette): readonly LayerSpecification[] {
  const { label, land } = palette;
  const paint = { 'text-color': label, 'text-halo-color': land, 'text-halo-width': 1.4 };
  const layout = {
    'text-field': ['get', 'name'] as ExpressionSpecification,
    'text-font': ['Inter Variable'],
  };
  return [
    {
      id: 'city-names',
      type: 'symbol',
      source: SOURCES.places,
      minzoom: 3,
      filter: [
        'all',
        ['==', ['get', 'kind'], 'city'],
        ['>=', ['get', 'population'], CITIES_OF_ZOOM],
      ],
      layout: {
        ...layout,
        'icon-image': DOT,
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-radial-offset': 0.4,
        'text-justify': 'auto',
        'text-max-width': 8,
        'text-size': ['interpolate', ['linear'], ['zoom'], 3, 10.5, 10, 14],
        'symbol-sort-key': ['-', 0, ['get', 'population']],
      },
      paint,
    },
    {
      id: 'other-state-names',
      type: 'symbol',
      source: SOURCES.places,
      minzoom: 3.6,
      maxzoom: 8,
      filter: ['==', ['get', 'kind'], 'state'],
      layout: { ...layout, 'text-size': STATE_SIZE, 'text-max-width': 7 },
      paint: { ...paint, 'text-opacity': 0.9 },
    },
    {
      id: 'state-names',
      type: 'symbol',
      source: SOURCES.stateNames,
      minzoom: 3.6,
      maxzoom: 8,
      layout: { ...layout, 'text-size': STATE_SIZE, 'text-max-width': 7 },
      paint: { ...paint, 'text-opacity': 0.9 },
    },
    {
      id: 'country-names',
      type: 'symbol',
      source: SOURCES.countryNames,
      minzoom: 1.5,
      maxzoom: 6,
      layout: {
        ...layout,
        'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10.5, 5, 15],
        'text-letter-spacing': 0.06,
        'text-max-width': 7,
        'symbol-sort-key': ['-', 0, ['get', 'area']],
      },
      paint: { ...paint, 'text-color': palette.ink, 'text-opacity': 0.75 },
    },
  ];
}

const STATE_SIZE: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 3.6, 10, 7, 15];

/** The least population of a city, in thousands, by zoom. */
const CITIES_OF_ZOOM: ExpressionSpecification = [
  'step',
  ['zoom'],
  4000,
  4,
  1000,
  5,
  500,
  6,
  250,
  7,
  100,
  8,
  50,
];
