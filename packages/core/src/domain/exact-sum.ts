import type { PresentValue } from './value.ts';

/**
 * A sum of numbers that does not depend on their order: whole parts and fractions are added as integers, so every engine
 * returns the same. Fractions count as multiples of 2^-53.
 */
export type ExactSum = {
  readonly whole: bigint;
  /** In multiples of 2^-53. */
  readonly fraction: bigint;
  /** The number of values. */
  readonly count: number;
  /** The number of those that were added: a value beyond 64 bits is not. */
  readonly added: number;
};

export const NO_SUM: ExactSum = { whole: 0n, fraction: 0n, count: 0, added: 0 };

/** Multiples of 2^-53 in 1. */
export const FRACTIONS = 2 ** 53;
const FRACTIONS_EXACT = BigInt(FRACTIONS);

const LIMIT = 2 ** 63;

export function addToSum(
  { whole, fraction, count, added }: ExactSum,
  value: PresentValue,
): ExactSum {
  if (typeof value === 'bigint') {
    return { whole: whole + value, fraction, count: count + 1, added: added + 1 };
  }
  const number = Number(value);
  if (!(number >= -LIMIT && number < LIMIT)) return { whole, fraction, count: count + 1, added };
  const part = Math.trunc(number);
  return {
    whole: whole + BigInt(part),
    fraction: fraction + BigInt(Math.trunc((number - part) * FRACTIONS)),
    count: count + 1,
    added: added + 1,
  };
}

/** The sum of integers; null without values. */
export function integerSumOf({ whole, count }: ExactSum): bigint | null {
  return count === 0 ? null : whole;
}

/** The sum of floats; null without values, or if a value was too large to add. */
export function floatSumOf(sum: ExactSum): number | null {
  const { count, added } = sum;
  return count === 0 || added < count ? null : numberOf(sum);
}

/** The mean; null without values, or if a value was too large to add. */
export function meanOf(sum: ExactSum): number | null {
  const { count, added } = sum;
  return count === 0 || added < count ? null : numberOf(sum) / count;
}

/** A power of two divides exactly, so only the conversion rounds. */
function numberOf({ whole, fraction }: ExactSum): number {
  return Number(whole * FRACTIONS_EXACT + fraction) / FRACTIONS;
}
