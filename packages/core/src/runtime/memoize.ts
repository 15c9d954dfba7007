/** Computes a result once for each object, and keeps it while the object is in use. */
export function memoize<Input extends object, Output>(
  compute: (input: Input) => Output,
): (input: Input) => Output;
/**
 * Computes a result once for each of up to `keptMax` inputs, for inputs of which few occur often, such as days. At
 * the limit all results are dropped: dropping the oldest one takes longer than computing such a result again.
 */
export function memoize<Input, Output extends {}>(
  compute: (input: Input) => Output,
  keptMax: number,
): (input: Input) => Output;
export function memoize<Output extends {}>(
  compute: (input: object) => Output,
  keptMax?: number,
): (input: object) => Output {
  return keptMax === undefined ? memoizeObjects(compute) : memoizeValues(compute, keptMax);
}

function memoizeObjects<Input extends object, Output>(
  compute: (input: Input) => Output,
): (input: Input) => Output {
  const kept = new WeakMap<Input, { readonly output: Output }>();
  return (input) => {
    const known = kept.get(input);
    if (known !== undefined) return known.output;
    const output = compute(input);
    kept.set(input, { output });
    return output;
  };
}

function memoizeValues<Input, Output extends {}>(
  compute: (input: Input) => Output,
  keptMax: number,
): (input: Input) => Output {
  const kept = new Map<Input, Output>();
  return (input) => {
    const known = kept.get(input);
    if (known !== undefined) return known;
    const output = compute(input);
    if (kept.size >= keptMax) kept.clear();
    kept.set(input, output);
    return output;
  };
}

/**
 * Makes an entry the newest one of a cache, and drops the oldest ones beyond `keptMax`. Called when an entry is
 * added, the cache is first in, first out; called when one is found too, it drops the least recently used.
 */
export function keepNewest<Key, Value>(
  cache: Map<Key, Value>,
  entry: { readonly key: Key; readonly value: Value },
  keptMax: number,
): void {
  cache.delete(entry.key);
  cache.set(entry.key, entry.value);
  for (const oldest of cache.keys()) {
    if (cache.size <= keptMax) return;
    cache.delete(oldest);
  }
}
