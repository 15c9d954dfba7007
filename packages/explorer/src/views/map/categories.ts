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
