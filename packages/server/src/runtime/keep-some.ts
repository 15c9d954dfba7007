/**
 * Keeps the results for up to so many inputs, for inputs of which few occur often, such as days. When it is
 * full, all are computed again.
 */
export function keepSome<Input, Output extends {}>(
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
