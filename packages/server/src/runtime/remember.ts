/** Computes a result once for each object, and keeps it while the object is in use. */
export function remember<Input extends object, Output>(
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

/** Keeps the result for the last input only. */
export function rememberLast<Input, Output>(
  compute: (input: Input) => Output,
): (input: Input) => Output {
  let last: { readonly input: Input; readonly output: Output } | undefined;
  return (input) => {
    if (last?.input !== input) last = { input, output: compute(input) };
    return last.output;
  };
}
