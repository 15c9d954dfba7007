/** The classes of values that share a colour: from each threshold up to the next. */
export type Scale = {
  readonly min: number;
  readonly max: number;
  /** Rising; the first class begins at `min` and ends below the first of them. */
  readonly thresholds: readonly number[];
};

const CLASSES_MAX = 6;

/**
 * Classes with round thresholds. Those of values over more than one order of magnitude are of equal ratio, since counts
 * and sums of places are; others are of equal width.
 */
export function createScale(min: number, max: number): Scale {
  const isWide = min > 0 && max / min > 10;
  const inner = isWide ? ratioThresholds(min, max) : widthThresholds(min, max);
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

function ratioThresholds(min: number, max: number): readonly number[] {
  const ratio = (max / min) ** (1 / CLASSES_MAX);
  return Array.from({ length: CLASSES_MAX - 1 }, (_, index) => roundUp(min * ratio ** (index + 1)));
}

function widthThresholds(min: number, max: number): readonly number[] {
  if (max <= min) return [];
  const width = roundUp((max - min) / CLASSES_MAX);
  const first = Math.floor(min / width) + 1;
  return Array.from({ length: CLASSES_MAX - 1 }, (_, index) => precise((first + index) * width));
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return precise(step * power);
}

/** Without the traces of binary fractions, such as 0.30000000000000004. */
function precise(value: number): number {
  return Number(value.toPrecision(12));
}
