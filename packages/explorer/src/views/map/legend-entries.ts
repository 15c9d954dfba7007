import { type Colour, categoryField, colourField, measureOf } from '../../data/map-address.ts';
import { formatCompact, formatCount, formatNumber } from '../../format/numbers.ts';
import type { Categories } from './categories.ts';
import { coloursOfClasses } from './class-colours.ts';
import { describeColour } from './colours.ts';
import type { Palette } from './palette.ts';
import { type Scale, scaleClasses } from './scale.ts';
import type { View } from './view.ts';

/** A line of the legend. Its records can be left out by its key. */
export type LegendEntry = {
  /** Absent: it cannot be left out. */
  readonly key: string | undefined;
  readonly label: string;
  /** `hatch` has no value, `grid` has a withheld one. */
  readonly mark: 'square' | 'point' | 'hatch' | 'grid' | 'ring';
  readonly colour: string;
};

export type LegendContent = {
  readonly title: string | undefined;
  readonly entries: readonly LegendEntry[];
};

/** The keys of what is no class: records without a value, and those of rare categories. */
export const WITHOUT_VALUE = 'none';
export const OTHER_CATEGORIES = 'other';
export const WITHHELD = 'withheld';

export function classKey(index: number): string {
  return `#${index}`;
}

export function categoryKey(value: string): string {
  return `=${value}`;
}

/** The meaning of the colours that are on the map now. */
export function legendOf({
  view,
  scale,
  categories,
  colour,
  palette,
}: {
  readonly view: View;
  readonly scale: Scale | undefined;
  readonly categories: Categories;
  readonly colour: Colour | undefined;
  readonly palette: Palette;
}): LegendContent {
  const isByCategory = categoryField(colour) !== undefined && view.cells.length === 0;
  const entries = isByCategory
    ? categoryEntries(view, categories, palette)
    : scale === undefined
      ? []
      : classEntries(scale, palette, view.cells.length === 0);
  const field = colour === undefined ? '' : colourField(colour);
  return {
    title: entries.length === 0 ? undefined : titleOf(view, colour),
    entries: [
      ...entries,
      ...(colour === undefined && view.hasPoints
        ? [{ key: undefined, label: 'One record', mark: 'point', colour: palette.point } as const]
        : []),
      ...(colour !== undefined && view.pointsWithoutValue
        ? [
            {
              key: WITHOUT_VALUE,
              label: `Record without a value of ${field}`,
              mark: 'ring',
              colour: palette.noValue,
            } as const,
          ]
        : []),
      ...(measureOf(colour) !== undefined && view.cellsWithoutValue
        ? [
            {
              key: WITHOUT_VALUE,
              label: 'No value, or too few records to show it',
              mark: 'hatch',
              colour: palette.noValue,
            } as const,
          ]
        : []),
    ],
  };
}

function categoryEntries(
  view: View,
  categories: Categories,
  palette: Palette,
): readonly LegendEntry[] {
  const named = categories.flatMap((value, place): readonly LegendEntry[] =>
    value === undefined
      ? []
      : [
          {
            key: categoryKey(value),
            label: value,
            mark: 'point',
            colour: palette.categories[place] ?? palette.otherCategories,
          },
        ],
  );
  const others = [...view.categories.keys()].filter((value) => !categories.includes(value));
  if (others.length === 0) return named;
  return [
    ...named,
    {
      key: OTHER_CATEGORIES,
      label: others.length === 1 ? `${others[0]}` : `${formatCount(others.length)} others`,
      mark: 'point',
      colour: palette.otherCategories,
    },
  ];
}

function classEntries(scale: Scale, palette: Palette, arePoints: boolean): readonly LegendEntry[] {
  const colours = coloursOfClasses(scale.thresholds, palette, {
    least: scale.min,
    greatest: scale.max,
  });
  return scaleClasses(scale).map((_, index) => ({
    key: classKey(index),
    label: describeClass(scale, index),
    mark: arePoints ? 'point' : 'square',
    colour: colours[index] ?? '',
  }));
}

/** Cells are squares; records are points with the same colours. */
function titleOf(view: View, colour: Colour | undefined): string {
  const category = categoryField(colour);
  if (view.cells.length === 0 && colour !== undefined) {
    return category ?? `${colourField(colour)} of a record`;
  }
  const measure = measureOf(colour);
  const what = measure === undefined ? 'Records' : describeColour(measure);
  const inCells = `${what} in each cell, ${formatLength(view.cellWidthMetres)} wide`;
  if (category !== undefined) return `${inCells}. Zoom in for ${category}`;
  return view.points.length === 0 ? inCells : `${inCells}, or of a record`;
}

function describeClass(scale: Scale, index: number): string {
  const { thresholds, isByHand } = scale;
  const classes = scaleClasses(scale);
  const { from, to } = classes[index] ?? { from: 0, to: 0 };
  const isLast = index === classes.length - 1;
  if (isByHand) {
    if (index === 0) return `Below ${format(thresholds[0] ?? 0)}`;
    if (isLast) return `${format(from)} and more`;
  }
  const isWhole = Number.isInteger(from) && Number.isInteger(to);
  if (from === to || (isWhole && !isLast && to - from === 1)) return format(from);
  const last = isWhole && !isLast ? to - 1 : to;
  // A dash before a minus sign is hard to read.
  return `${format(from)} ${scale.min < 0 ? 'to' : '–'} ${format(last)}`;
}

/** In few characters from a million on; three digits of fractions. */
function format(value: number): string {
  if (Math.abs(value) >= 1_000_000) return formatCompact(value);
  return Math.abs(value) >= 100 || Number.isInteger(value)
    ? formatCount(value)
    : formatNumber(Number(value.toPrecision(3)));
}

function formatLength(metres: number): string {
  const rounded = Number(metres.toPrecision(2));
  return rounded >= 1000
    ? `${formatNumber(rounded / 1000)}\u00a0km`
    : `${formatNumber(rounded)}\u00a0m`;
}
