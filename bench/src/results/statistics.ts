/** The middle of the numbers; of two in the middle their mean. */
export function median(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('There is no median of no numbers.');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The smallest of the numbers that no less than this fraction of them reach at most. */
export function percentile(numbers: Float64Array, fraction: number): number {
  const sorted = numbers.toSorted();
  const found = sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)];
  if (found === undefined) throw new Error('There is no percentile of no numbers.');
  return found;
}

/** How far numbers lie apart. */
export type Spread = { readonly min: number; readonly max: number };

export function spreadOf(numbers: readonly number[]): Spread {
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
}
