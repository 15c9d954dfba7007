/**
 * The number of the shortest decimal that rounds to a float: 8.331 sent as a float is
 * 8.33100032806396484375 in binary, and the caller means 8.331. Nine significant digits identify every
 * float; this finds the fewest digits that give the same float.
 */
export function decimalOf(float: number): number {
  for (let digits = 1; digits <= FLOAT_DIGITS_MAX; digits += 1) {
    const decimal = Number(float.toPrecision(digits));
    if (Math.fround(decimal) === float) return decimal;
  }
  return float;
}

const FLOAT_DIGITS_MAX = 9;
