/** The classes of values that share a colour: from each threshold up to the next. */
export type Scale = {
  readonly min: number;
  readonly max: number;
  /** Rising; the first class begins at `min` and ends below the first of them. */
  readonly thresholds: readonly number[];
};

const CLASSES_MAX = 6;

/**
 * Classes with round thresholds. `ratios`: each class is as many times the one before; for counts and sums, which differ
 * by orders of magnitude from place to place. `quantiles`: each class has about as many values; for means. Values that
 * are not positive have no ratios.
 */
export function createScale(values: readonly number[], kind: 'ratios' | 'quantiles'): Scale {
  const sorted = Float64Array.from(values).sort();
  const [min = 0] = sorted;
  const max = sorted.at(-1) ?? 0;
  const positive = sorted.find((value) => value > 0);
  const inner =
    kind === 'ratios' && min >= 0 && positive !== undefined
      ? ratioThresholds(positive, max)
      : quantileThresholds(sorted);
  const thresholds = [...new Set(inner)].filter((value) => value > min && value <= max);
  return { min, max, thresholds };
}

export type ScaleClass = { readonly from: number; readonly to: number };

/** The classes of a scale; `to` of all but the last is the `from` of the next. */
export function scaleClasses({ min, max, thresholds }: Scale): readonly ScaleClass[] {
  const starts = [min, ...thresholds];
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? max }));
}

/** As many colours of a ramp as there are classes, from its first to its last. */
export function classColours(ramp: readonly string[], classes: number): readonly string[] {
  const last = ramp.length - 1;
  const step = classes > 1 ? last / (classes - 1) : 0;
  const first = classes > 1 ? 0 : Math.round(last / 2);
  return Array.from(
    { length: classes },
    (_, index) => ramp[Math.round(first + index * step)] ?? '',
  );
}

const CLASSES = Array.from({ length: CLASSES_MAX - 1 }, (_, index) => index + 1);

function ratioThresholds(min: number, max: number): readonly number[] {
  const ratio = (max / min) ** (1 / CLASSES_MAX);
  return CLASSES.map((index) => roundUp(min * ratio ** index));
}

function quantileThresholds(sorted: Float64Array): readonly number[] {
  return CLASSES.map((index) => {
    const value = sorted[Math.floor((index * sorted.length) / CLASSES_MAX)] ?? 0;
    return Number(value.toPrecision(2));
  });
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  // Without the traces of binary fractions, such as 0.30000000000000004.
  return Number((step * power).toPrecision(12));
}
