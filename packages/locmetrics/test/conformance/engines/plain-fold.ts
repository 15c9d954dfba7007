import { strict as assert } from 'node:assert';
import type { PresentValue, Value } from '@locmetrics/core/domain/value';
import type { Aggregation } from '@locmetrics/core/requests/aggregation';

/*
 * Aggregates of values, computed in the plainest way by the rules of the interface. It shares no code with the service.
 */

export type Fold = { readonly aggregation: Aggregation; readonly quantile?: number | undefined };

/** An aggregate of values, of which some are absent. Integers are `bigint`, and a sum of floats is one. */
export function aggregated({ aggregation, quantile = 0.5 }: Fold, all: readonly Value[]): Value {
  const present = all.filter((value) => value !== null);
  switch (aggregation) {
    case 'COUNT':
      return BigInt(present.length);
    case 'COUNT_DISTINCT':
      return BigInt(new Set(present).size);
    case 'MIN':
      return present.toSorted(comparePlainly)[0] ?? null;
    case 'MAX':
      return present.toSorted(comparePlainly).at(-1) ?? null;
    case 'SUM':
      if (present.some((value) => typeof value !== 'bigint')) return sumOfFloats(present) ?? null;
      return present.length === 0
        ? null
        : present.reduce<bigint>((sum, one) => sum + BigInt(one), 0n);
    case 'AVG':
      return meanOf(present) ?? null;
    case 'MEDIAN':
    case 'QUANTILE':
      return quantileOf(present.toSorted(comparePlainly), quantile);
  }
}

/** Numbers by value, texts and days by their bytes. */
export function comparePlainly(left: PresentValue, right: PresentValue): number {
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

export function meanOf(numbers: readonly Value[]): number | undefined {
  const present = numbers.filter((number) => number !== null);
  const sum = sumOfFloats(present);
  return sum === undefined ? undefined : sum / present.length;
}

function quantileOf(sorted: readonly PresentValue[], quantile: number): number | null {
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * quantile;
  const [lower, upper] = [Math.floor(place), Math.ceil(place)].map((at) => Number(sorted[at]));
  assert(lower !== undefined && upper !== undefined);
  const value = lower + (upper - lower) * (place - Math.floor(place));
  return Number.isFinite(value) ? value + 0 : null;
}

const SCALE = 2n ** 53n;

/**
 * Whole parts, and fractions as multiples of 2^-53. Undefined without numbers; a number of more than 64 bits makes the sum
 * absent.
 */
function sumOfFloats(present: readonly PresentValue[]): number | undefined {
  if (present.length === 0) return undefined;
  let sum = 0n;
  for (const number of present) {
    if (typeof number === 'bigint') {
      sum += number * SCALE;
      continue;
    }
    const float = Number(number);
    if (float < -(2 ** 63) || float >= 2 ** 63) return undefined;
    const whole = Math.trunc(float);
    sum += BigInt(whole) * SCALE + BigInt(Math.trunc((float - whole) * 2 ** 53));
  }
  return Number(sum) / 2 ** 53;
}
