import { coloursOfClasses, type Range } from './class-colours.ts';
import type { LegendContent, LegendEntry } from './legend-entries.ts';
import type { Palette } from './palette.ts';

/** The meaning of the colours of values. Its entries cannot be left out. */
export function valueLegend({
  title,
  thresholds,
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
  const entry = (label: string, mark: LegendEntry['mark'], colour: string): LegendEntry => ({
    key: undefined,
    label,
    mark,
    colour,
  });
  const colours = hasValues ? coloursOfClasses(thresholds, palette, { least, greatest }) : [];
  return {
    title,
    entries: [
      ...colours.map((colour, index) =>
        entry(describe(index), arePoints ? 'point' : 'square', colour),
      ),
      ...(hasAbsent ? [entry('No value', arePoints ? 'ring' : 'hatch', palette.noValue)] : []),
      ...(hasWithheld
        ? [
            arePoints
              ? entry('Withheld: too small to show', 'ring', palette.ink)
              : entry('Withheld: too small to show', 'grid', palette.noValue),
          ]
        : []),
    ],
  };
}
