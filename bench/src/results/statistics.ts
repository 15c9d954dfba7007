/** The median of the numbers. For an even count it is the mean of the two middle numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('There is no median of no numbers.');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The smallest number such that at least this fraction of all numbers is less or equal. */
export function percentile(numbers: Float64Array, fraction: number): number {
  const sorted = numbers.toSorted();
  const found = sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)];
  if (found === undefined) throw new Error('There is no percentile of no numbers.');
  return found;
}

/** The spread of numbers: from the smallest to the largest. */
export type Spread = { readonly min: number; readonly max: number };

export function spreadOf(numbers: readonly number[]): Spread {
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
}
