import type { Palette } from './palette.ts';

/** The values of a field that have colours of their own, each at the place of its colour; the others share one. */
export type Categories = readonly (string | undefined)[];

const COLOURS = 6;

/**
 * The most frequent values in view. A value that had a colour before keeps it while it is in view, so that colours do not change
 * where the map is moved.
 */
export function nextCategories(
  before: Categories,
  counts: ReadonlyMap<string, number>,
): Categories {
  const frequent = [...counts]
    .sort(([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1))
    .slice(0, COLOURS)
    .map(([value]) => value);
  const kept = Array.from({ length: COLOURS }, (_, place) => {
    const value = before[place];
    return value !== undefined && frequent.includes(value) ? value : undefined;
  });
  const added = frequent.filter((value) => !kept.includes(value));
  const places = kept.map((value) => value ?? added.shift());
  return places.length === before.length && places.every((value, place) => value === before[place])
    ? before
    : places;
}

/** Values of categories for a map: each feature has the place of its value among the most frequent ones, or that of the others. */
export function toCategoryValues(values: ReadonlyMap<string, string | null>): {
  readonly names: readonly string[];
  readonly values: ReadonlyMap<string, number | null>;
} {
  const counts = new Map<string, number>();
  for (const value of values.values()) {
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const frequent = nextCategories([], counts).filter((value) => value !== undefined);
  const others = counts.size - frequent.length;
  const place = new Map(frequent.map((value, index) => [value, index]));
  return {
    names: others === 0 ? frequent : [...frequent, others === 1 ? '1 other' : `${others} others`],
    values: new Map(
      [...values].map(([id, value]) => [
        id,
        value === null ? null : (place.get(value) ?? frequent.length),
      ]),
    ),
  };
}

/** The thresholds between the places of categories. */
export function categoryClasses(names: readonly string[]): readonly number[] {
  return names.slice(1).map((_, index) => index + 0.5);
}

/** The colours of categories by their places; beyond those that have one of their own, all share one. */
export function categoryColours(
  names: readonly string[],
  { categories, otherCategories }: Pick<Palette, 'categories' | 'otherCategories'>,
): readonly string[] {
  return names.map((_, index) => categories[index] ?? otherCategories);
}
