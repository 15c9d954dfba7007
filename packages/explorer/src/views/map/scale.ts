import { type ClassMethod, classThresholds } from './value-classes.ts';

/** The classes of values that share a colour: from each threshold up to the next. */
export type Scale = {
  readonly min: number;
  readonly max: number;
  /** Rising. The first class ends below the first of them. */
  readonly thresholds: readonly number[];
  /** The reader chose the thresholds, so some classes may have no values. */
  readonly isByHand: boolean;
};

const CLASSES_MAX = 6;

/**
 * Classes with round thresholds. `ratios`: each class is as many times the one before; for counts and sums, which differ
 * by orders of magnitude from place to place. Values that are not positive have no ratios. A list: these thresholds.
 */
export function createScale(
  values: readonly number[],
  method: 'ratios' | ClassMethod | readonly number[],
): Scale {
  let [min, max, positive] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (value > 0) positive = Math.min(positive, value);
  }
  if (typeof method !== 'string') return { min, max, thresholds: method, isByHand: true };
  const thresholds =
    method === 'ratios' && min >= 0 && positive <= max
      ? ratioThresholds(positive, max).filter((value) => value > min && value <= max)
      : classThresholds(values, method === 'ratios' ? 'quantiles' : method);
  return { min, max, thresholds, isByHand: false };
}

export type ScaleClass = { readonly from: number; readonly to: number };

/** The classes of a scale; `to` of all but the last is the `from` of the next. */
export function scaleClasses({ min, max, thresholds }: Scale): readonly ScaleClass[] {
  const starts = [min, ...thresholds];
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? max }));
}

function ratioThresholds(min: number, max: number): readonly number[] {
  const ratio = (max / min) ** (1 / CLASSES_MAX);
  const steps = Array.from({ length: CLASSES_MAX - 1 }, (_, index) => index + 1);
  return [...new Set(steps.map((step) => roundUp(min * ratio ** step)))];
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  // Without the traces of binary fractions, such as 0.30000000000000004.
  return Number((step * power).toPrecision(12));
}
