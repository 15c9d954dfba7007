import type { Palette } from './palette.ts';

/** The least and the greatest value. */
export type Range = { readonly least: number; readonly greatest: number };

/** The range of the values that there are. */
export function rangeOf(values: Iterable<number | null>): Range {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return least <= greatest ? { least, greatest } : { least: 0, greatest: 0 };
}

/**
 * A colour for each class of values, which are those between thresholds: below zero they are falls, from zero on rises, and a
 * class on both sides of zero is between them. Without values below zero, colours go from few to many.
 */
export function coloursOfClasses(
  thresholds: readonly number[],
  { ramp, falls, rises, zero }: Palette,
  { least, greatest }: Range,
): readonly string[] {
  if (least >= 0) return spread(ramp, thresholds.length + 1);
  const ends = [...thresholds, greatest];
  const below = ends.filter((end) => end <= 0).length;
  const above = thresholds.filter((start) => start >= 0).length;
  const around = ends.length - below - above;
  return [
    ...spread(falls, below).toReversed(),
    ...Array.from({ length: around }, () => zero),
    ...spread(rises, above),
  ];
}

/** As many colours of a ramp as are asked for, from its first to its last; a single one is from its middle. */
function spread(ramp: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const place = (count === 1 ? 0.5 : index / (count - 1)) * (ramp.length - 1);
    const low = Math.floor(place);
    return mix(ramp[low] ?? '', ramp[Math.ceil(place)] ?? '', place - low);
  });
}

function mix(one: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((start) => {
    const [from, to] = [one, other].map((colour) =>
      Number.parseInt(colour.slice(start, start + 2), 16),
    );
    return Math.round((from ?? 0) + ((to ?? 0) - (from ?? 0)) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
