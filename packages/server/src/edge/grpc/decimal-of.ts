/**
 * The number that the shortest decimal of a float stands for: 8.331 sent as a float is
 * 8.33100032806396484375 in binary, and the caller means 8.331. A float has at most nine significant
 * digits, and the fewest that give the same float again are the shortest.
 */
export function decimalOf(float: number): number {
  for (let digits = 1; digits <= FLOAT_DIGITS_MAX; digits += 1) {
    const decimal = Number(float.toPrecision(digits));
    if (Math.fround(decimal) === float) return decimal;
  }
  return float;
}

const FLOAT_DIGITS_MAX = 9;
