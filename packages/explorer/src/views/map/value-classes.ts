/** How values are divided into classes. */
export type ClassMethod = 'quantiles' | 'intervals';

const CLASSES = 6;

/**
 * The thresholds between classes of values, rising and rounded: each class begins at one and ends below the next. `quantiles`:
 * each class has about as many values. `intervals`: each class is as wide. Values on both sides of zero have classes that mirror
 * each other, so that a colour means as much of a fall as of a rise.
 */
export function classThresholds(
  values: Iterable<number | null>,
  method: ClassMethod = 'quantiles',
): readonly number[] {
  const sorted = Float64Array.from([...values].filter((value) => value !== null)).sort();
  const [least = 0] = sorted;
  const greatest = sorted.at(-1) ?? 0;
  if (!(least < 0 && greatest > 0)) {
    const thresholds = divide(sorted, CLASSES, { method, start: least });
    return thresholds.filter((value) => value > least && value <= greatest);
  }
  const sizes = sorted.map((value) => Math.abs(value)).sort();
  const side = divide(sizes, CLASSES / 2, { method, start: 0 }).filter((value) => value > 0);
  const mirrored = [...side.map((value) => -value), 0, ...side].sort((one, other) => one - other);
  return mirrored.filter((value) => value > least && value <= greatest);
}

function divide(
  sorted: Float64Array,
  classes: number,
  { method, start }: { readonly method: ClassMethod; readonly start: number },
): readonly number[] {
  const width = ((sorted.at(-1) ?? 0) - start) / classes;
  const thresholds = Array.from({ length: classes - 1 }, (_, index) =>
    method === 'intervals'
      ? start + width * (index + 1)
      : (sorted[Math.floor(((index + 1) * sorted.length) / classes)] ?? 0),
  );
  return roundApart(thresholds);
}

/** Two digits, or more where two thresholds would become one. */
function roundApart(thresholds: readonly number[]): readonly number[] {
  const distinct = [...new Set(thresholds)];
  for (const digits of [2, 3, 4, 6]) {
    const rounded = distinct.map((value) => Number(value.toPrecision(digits)));
    if (new Set(rounded).size === distinct.length) return rounded;
  }
  return distinct;
}
