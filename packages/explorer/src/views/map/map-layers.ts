import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import { type Colour, categoryField, colourField, measureOf } from '../../data/map-address.ts';
import { borderLayers, HATCH, labelLayers, landLayers, SOURCES } from './base-layers.ts';
import { boxLayers } from './box-shapes.ts';
import type { Categories } from './categories.ts';
import { coloursOfClasses } from './class-colours.ts';
import { categoryKey, classKey, OTHER_CATEGORIES, WITHOUT_VALUE } from './legend-entries.ts';
import type { Palette } from './palette.ts';
import { type Scale, scaleClasses } from './scale.ts';

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
  readonly categories: Categories;
  /** The keys of the legend whose records are left out. */
  readonly hidden: readonly string[];
};

/** All layers from bottom to top. */
export function layersOf(shown: Shown): readonly LayerSpecification[] {
  const { palette, colour, scale, isRead, hidden } = shown;
  const measure = measureOf(colour);
  const cellValue = measure ?? 'count';
  const hasCellValue: ExpressionSpecification = ['has', cellValue];
  const pointValue = colour === undefined ? undefined : colourField(colour);
  const isLeftOut = hidden.includes(WITHOUT_VALUE);
  return [
    { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
    ...landLayers(palette),
    {
      id: CELLS_WITHOUT_VALUE,
      type: 'fill',
      source: SOURCES.tiles,
      'source-layer': 'cells',
      filter: isRead && !isLeftOut ? ['!', hasCellValue] : false,
      paint: { 'fill-pattern': HATCH, 'fill-antialias': false },
    },
    {
      id: CELLS,
      type: 'fill',
      source: SOURCES.tiles,
      'source-layer': 'cells',
      filter: ['all', hasCellValue, classFilter(cellValue, scale, hidden)],
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
      filter: pointValue === undefined || isLeftOut ? false : ['!', ['has', pointValue]],
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
      filter: pointFilter(shown),
      // Small circles lie above large ones.
      ...(isSized(colour) && pointValue !== undefined
        ? { layout: { 'circle-sort-key': ['-', 0, ['to-number', ['get', pointValue], 0]] } }
        : {}),
      paint: {
        'circle-radius': pointRadius(colour, scale),
        'circle-opacity': isSized(colour) ? 0.85 : 1,
        'circle-color': pointColour(shown),
        'circle-stroke-color': palette.pointBorder,
        'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 12, 1.5],
      },
    },
    ...labelLayers(palette),
    ...boxLayers(palette),
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

/** What adds up has circles whose areas are proportional to it. A mean says nothing about a size. */
function isSized(colour: Colour | undefined): boolean {
  return colour?.startsWith('sum:') === true;
}

function pointRadius(
  colour: Colour | undefined,
  scale: Scale | undefined,
): ExpressionSpecification {
  if (colour === undefined || !isSized(colour) || scale === undefined) return POINT_RADIUS;
  const greatest = Math.max(Math.abs(scale.min), Math.abs(scale.max)) || 1;
  const value: ExpressionSpecification = ['to-number', ['get', colourField(colour)], 0];
  const share: ExpressionSpecification = ['sqrt', ['min', 1, ['/', ['abs', value], greatest]]];
  return [
    'interpolate',
    ['linear'],
    ['zoom'],
    2,
    ['max', 2, ['*', 14, share]],
    12,
    ['max', 3.5, ['*', 30, share]],
  ];
}

function pointColour({
  palette,
  colour,
  scale,
  categories,
}: Shown): ExpressionSpecification | string {
  if (colour === undefined) return palette.point;
  const field = categoryField(colour);
  if (field === undefined) return colourExpression(colourField(colour), palette, scale);
  const named = categories.flatMap((value, place) =>
    value === undefined ? [] : [value, palette.categories[place] ?? palette.otherCategories],
  );
  if (named.length === 0) return palette.otherCategories;
  // A list of alternating values and colours, which the type of the style cannot say.
  return [
    'match',
    ['to-string', ['get', field]],
    ...named,
    palette.otherCategories,
  ] as unknown as ExpressionSpecification;
}

function pointFilter({ colour, scale, categories, hidden }: Shown): FilterSpecification {
  if (colour === undefined) return true;
  const field = categoryField(colour);
  const has: ExpressionSpecification = ['has', colourField(colour)];
  if (field === undefined) return ['all', has, classFilter(colourField(colour), scale, hidden)];
  const value: ExpressionSpecification = ['to-string', ['get', field]];
  const named = categories.filter((one) => one !== undefined);
  const leftOut = named.filter((one) => hidden.includes(categoryKey(one)));
  return [
    'all',
    has,
    ['!', ['in', value, ['literal', leftOut]]],
    hidden.includes(OTHER_CATEGORIES) ? ['in', value, ['literal', named]] : true,
  ];
}

/** Leaves out the values of hidden classes. */
function classFilter(
  name: string,
  scale: Scale | undefined,
  hidden: readonly string[],
): ExpressionSpecification {
  if (scale === undefined) return ['all'];
  const value: ExpressionSpecification = ['get', name];
  const last = scale.thresholds.length;
  const outside = scaleClasses(scale).flatMap(({ from, to }, index): ExpressionSpecification[] => {
    if (!hidden.includes(classKey(index))) return [];
    const bounds: ExpressionSpecification[] = [
      ...(index === 0 ? [] : [['>=', value, from] as ExpressionSpecification]),
      ...(index === last ? [] : [['<', value, to] as ExpressionSpecification]),
    ];
    return [['!', ['all', ...bounds]]];
  });
  return ['all', ...outside];
}

function colourExpression(
  value: string,
  palette: Palette,
  scale: Scale | undefined,
): ExpressionSpecification | string {
  if (scale === undefined) return palette.ramp[Math.floor(palette.ramp.length / 2)] ?? '';
  const { thresholds, min, max } = scale;
  const [first = '', ...others] = coloursOfClasses(thresholds, palette, {
    least: min,
    greatest: max,
  });
  if (others.length === 0) return first;
  const steps = others.flatMap((colour, index) => [thresholds[index] ?? 0, colour]);
  // A list of alternating thresholds and colours, which the type of the style cannot say.
  return ['step', ['get', value], first, ...steps] as unknown as ExpressionSpecification;
}
