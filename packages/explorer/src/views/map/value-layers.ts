import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { HATCH, SHAPES, WITHHELD_HATCH } from './base-layers.ts';
import type { Range } from './class-colours.ts';
import { classKey, WITHHELD, WITHOUT_VALUE } from './legend-entries.ts';
import type { Palette } from './palette.ts';

/** What the pointer finds. */
export const AREAS = 'areas';
export const CIRCLES = 'circles';

/** How the values are drawn. The values themselves are states of the features. */
export type ValueStyle = {
  readonly palette: Palette;
  readonly thresholds: readonly number[];
  /** Of each class of values; one more than there are thresholds. */
  readonly colours: readonly string[];
  readonly range: Range;
  /** Whether circles are as large as their values. Codes of categories say nothing about a size. */
  readonly isSized: boolean;
  readonly withheld: readonly string[];
  /** The keys of the legend whose features are left out. */
  readonly hidden: readonly string[];
  /** How many circles there are: many are smaller. */
  readonly count: number;
};

/** Areas in the colours of their values, above the land and below the borders. */
export function areaLayers(style: ValueStyle): readonly LayerSpecification[] {
  const { palette, withheld, hidden } = style;
  const shapes = { source: SHAPES, 'source-layer': 'features' } as const;
  return [
    { id: 'area-land', type: 'fill', ...shapes, paint: { 'fill-color': palette.land } },
    {
      id: 'areas-absent',
      type: 'fill',
      ...shapes,
      filter: hidden.includes(WITHOUT_VALUE) ? false : ['!', isOneOf(withheld)],
      paint: { 'fill-pattern': HATCH, 'fill-opacity': ['case', HAS_VALUE, 0, 1] },
    },
    {
      id: 'areas-withheld',
      type: 'fill',
      ...shapes,
      filter: hidden.includes(WITHHELD) ? false : isOneOf(withheld),
      paint: { 'fill-pattern': WITHHELD_HATCH },
    },
    {
      id: AREAS,
      type: 'fill',
      ...shapes,
      paint: {
        'fill-color': colourOfState(style),
        'fill-opacity': ['case', HAS_VALUE, opacityOfState(style, 1), 0],
      },
    },
    {
      id: 'area-borders',
      type: 'line',
      ...shapes,
      paint: {
        'line-color': palette.areaBorder,
        'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.2, 5, 0.5, 9, 1.2],
      },
    },
  ];
}

/** Whether the legend leaves out a feature. */
export function isLeftOut(
  { thresholds, withheld, hidden }: ValueStyle,
  id: string,
  value: number | null,
): boolean {
  if (value === null) return hidden.includes(withheld.includes(id) ? WITHHELD : WITHOUT_VALUE);
  return hidden.includes(classKey(thresholds.filter((threshold) => threshold <= value).length));
}

/** The edges of the areas that are chosen or below the pointer, above all others. */
export function areaEdgeLayers({ palette }: ValueStyle): readonly LayerSpecification[] {
  return [
    {
      id: 'area-edges',
      type: 'line',
      source: SHAPES,
      'source-layer': 'features',
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': ['case', IS_HOVERED, palette.ink, palette.accent],
        'line-width': ['case', IS_HOVERED, 3, IS_CHOSEN, 2.5, 0],
        'line-opacity': ['case', IS_HOVERED, 1, IS_CHOSEN, 1, 0],
      },
    },
  ];
}

/** Circles whose areas are proportional to the values. */
export function circleLayers(style: ValueStyle): readonly LayerSpecification[] {
  const { palette, range, withheld, count, isSized, hidden } = style;
  const greatest = Math.max(Math.abs(range.least), Math.abs(range.greatest)) || 1;
  const largest = Math.min(26, Math.max(9, 200 / Math.sqrt(count)));
  const radius = (scale: number): ExpressionSpecification => [
    'case',
    HAS_VALUE,
    isSized
      ? ['max', 2.5, ['*', largest * scale, ['sqrt', ['/', ['abs', STATE_VALUE], greatest]]]]
      : Math.max(4, (largest * scale) / 3),
    2.5,
  ];
  const opacityOf = (shown: number): ExpressionSpecification => [
    'case',
    HAS_VALUE,
    opacityOfState(style, shown),
    isOneOf(withheld),
    hidden.includes(WITHHELD) ? 0 : shown,
    hidden.includes(WITHOUT_VALUE) ? 0 : shown,
  ];
  return [
    {
      id: CIRCLES,
      type: 'circle',
      source: SHAPES,
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 2, radius(0.7), 8, radius(1.6)],
        'circle-color': ['case', HAS_VALUE, colourOfState(style), 'transparent'],
        'circle-opacity': opacityOf(0.85),
        'circle-stroke-opacity': opacityOf(1),
        'circle-stroke-color': [
          'case',
          IS_HOVERED,
          palette.ink,
          IS_CHOSEN,
          palette.accent,
          HAS_VALUE,
          palette.pointBorder,
          isOneOf(withheld),
          palette.ink,
          palette.noValue,
        ],
        'circle-stroke-width': ['case', IS_HOVERED, 3, IS_CHOSEN, 3, 0.8],
      },
    },
  ];
}

const STATE_VALUE: ExpressionSpecification = ['to-number', ['feature-state', 'value'], 0];
const HAS_VALUE: ExpressionSpecification = ['==', ['typeof', ['feature-state', 'value']], 'number'];
const IS_HOVERED: ExpressionSpecification = ['boolean', ['feature-state', 'hovered'], false];
const IS_CHOSEN: ExpressionSpecification = ['boolean', ['feature-state', 'chosen'], false];

function isOneOf(ids: readonly string[]): ExpressionSpecification {
  return ['in', ['get', 'id'], ['literal', [...ids]]];
}

function colourOfState({
  thresholds,
  colours: [first = '', ...others],
}: ValueStyle): ExpressionSpecification {
  // One class has an expression too: MapLibre fails if a colour of states becomes a constant while states change.
  if (others.length === 0) return ['step', STATE_VALUE, first, 0, first];
  const steps = others.flatMap((colour, index) => [thresholds[index] ?? 0, colour]);
  // A list of alternating thresholds and colours, which the type of the style cannot say.
  return ['step', STATE_VALUE, first, ...steps] as unknown as ExpressionSpecification;
}

/** Nothing of the classes that are left out. */
function opacityOfState(
  { thresholds, hidden }: ValueStyle,
  shown: number,
): ExpressionSpecification | number {
  const opacities = [...thresholds, 0].map((_, index) =>
    hidden.includes(classKey(index)) ? 0 : shown,
  );
  const [first = shown, ...others] = opacities;
  if (others.length === 0) return first;
  const steps = others.flatMap((opacity, index) => [thresholds[index] ?? 0, opacity]);
  // As above.
  return ['step', STATE_VALUE, first, ...steps] as unknown as ExpressionSpecification;
}
