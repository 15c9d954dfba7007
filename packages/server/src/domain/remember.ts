/** Computes a result once for each object, and keeps it while the object is in use. */
export function remember<Input extends object, Output>(
  compute: (input: Input) => Output,
): (input: Input) => Output {
  const kept = new WeakMap<Input, { readonly output: Output }>();
  return (input) => {
    const known = kept.get(input) ?? { output: compute(input) };
    kept.set(input, known);
    return known.output;
  };
}
