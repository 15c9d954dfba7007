import type { Range } from './class-colours.ts';
import {
  classKey,
  type LegendContent,
  type LegendEntry,
  WITHHELD,
  WITHOUT_VALUE,
} from './legend-entries.ts';
import type { Palette } from './palette.ts';

/** The meaning of the colours of values: those of classes between thresholds, or of categories by their names. */
export function valueLegend({
  title,
  thresholds,
  colours,
  categories,
  range: { least, greatest },
  palette,
  format,
  hasValues,
  hasAbsent,
  hasWithheld,
  arePoints,
}: {
  readonly title: string;
  readonly thresholds: readonly number[];
  readonly colours: readonly string[];
  readonly categories: readonly string[] | undefined;
  readonly range: Range;
  readonly palette: Palette;
  readonly format: (value: number) => string;
  readonly hasValues: boolean;
  readonly hasAbsent: boolean;
  readonly hasWithheld: boolean;
  /** Circles, not areas. */
  readonly arePoints: boolean;
}): LegendContent {
  const describe = (index: number): string => {
    const from = thresholds[index - 1] ?? least;
    const to = thresholds[index] ?? greatest;
    if (from === to) return format(from);
    // A dash before a minus sign is hard to read.
    return `${format(from)} ${least < 0 ? 'to' : '–'} ${format(to)}`;
  };
  const entry = (
    key: string,
    label: string,
    mark: LegendEntry['mark'],
    colour: string,
  ): LegendEntry => ({ key, label, mark, colour });
  return {
    title,
    entries: [
      ...(hasValues ? colours : []).map((colour, index) =>
        entry(
          classKey(index),
          categories?.[index] ?? describe(index),
          arePoints ? 'point' : 'square',
          colour,
        ),
      ),
      ...(hasAbsent
        ? [entry(WITHOUT_VALUE, 'No value', arePoints ? 'ring' : 'hatch', palette.noValue)]
        : []),
      ...(hasWithheld
        ? [
            arePoints
              ? entry(WITHHELD, WITHHELD_WORDS, 'ring', palette.ink)
              : entry(WITHHELD, WITHHELD_WORDS, 'grid', palette.noValue),
          ]
        : []),
    ],
  };
}

const WITHHELD_WORDS = 'Withheld: too small to show';
