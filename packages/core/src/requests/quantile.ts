/** The place of a quantile among sorted values: between the one with this index, from 0, and the next one. */
export function quantilePlace(
  count: number,
  quantile: number,
): { readonly index: number; readonly fraction: number } {
  const place = (count - 1) * quantile;
  const index = Math.trunc(place);
  return { index, fraction: place - index };
}

/** Linear interpolation in doubles: every engine returns the same; null if it is beyond the range of doubles. */
export function interpolate(lower: number, upper: number, fraction: number): number | null {
  const value = lower + (upper - lower) * fraction;
  return Number.isFinite(value) ? value + 0 : null;
}
