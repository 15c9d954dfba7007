import { toUnits, UNITS_PER_DEGREE } from './ring.ts';

/** A point of the unit sphere: x towards longitude 0 and y towards longitude 90 on the equator, z towards the north pole. */
export type UnitVector = { readonly x: number; readonly y: number; readonly z: number };

/**
 * The unit vector of a point in degrees, whose coordinates are rounded to 10⁻⁹ degrees.
 *
 * It has the same bits everywhere: quarter turns are taken off exactly, and the rest is a sine and a cosine by fixed
 * polynomials, with one operation of IEEE 754 at a time. `Math.sin` and the functions of databases differ in the last
 * bit. `column-store/publish/vector-columns.ts` does the same in SQL, step by step.
 */
export function unitVector(longitude: number, latitude: number): UnitVector {
  const east = sineAndCosine(toUnits(longitude));
  const north = sineAndCosine(toUnits(latitude));
  return {
    x: withoutSign(north.cosine * east.cosine),
    y: withoutSign(north.cosine * east.sine),
    z: withoutSign(north.sine),
  };
}

/** The square of the straight distance between two points of the unit sphere, from 0 to about 4; in this order of steps. */
export function chordSquared(from: UnitVector, to: UnitVector): number {
  const x = from.x - to.x;
  const y = from.y - to.y;
  const z = from.z - to.z;
  return x * x + y * y + z * z;
}

export const QUARTER_TURN = 90 * UNITS_PER_DEGREE;
export const EIGHTH_TURN = 45 * UNITS_PER_DEGREE;
export const RADIANS_PER_UNIT = Math.PI / (180 * UNITS_PER_DEGREE);

/** The coefficients of the powers of the square of an angle up to an eighth turn, greatest power first: after the angle. */
export const SINE_SERIES = seriesOf([3, 5, 7, 9, 11, 13, 15, 17]);
/** The same after 1. */
export const COSINE_SERIES = seriesOf([2, 4, 6, 8, 10, 12, 14, 16, 18]);

/** Of an angle in units of 10⁻⁹ degrees. */
function sineAndCosine(units: number): { readonly sine: number; readonly cosine: number } {
  const turns = Math.floor((units + EIGHTH_TURN) / QUARTER_TURN);
  const angle = (units - turns * QUARTER_TURN) * RADIANS_PER_UNIT;
  const square = angle * angle;
  const sine = angle + angle * (square * sumOf(SINE_SERIES, square));
  const cosine = 1 + square * sumOf(COSINE_SERIES, square);
  switch (turns - 4 * Math.floor(turns / 4)) {
    case 1:
      return { sine: cosine, cosine: -sine };
    case 2:
      return { sine: -sine, cosine: -cosine };
    case 3:
      return { sine: -cosine, cosine: sine };
    default:
      return { sine, cosine };
  }
}

/** The sum of a series, by Horner's scheme. */
function sumOf(series: readonly number[], square: number): number {
  let sum = 0;
  // The first step adds the coefficient to an exact 0.
  for (const coefficient of series) sum = sum * square + coefficient;
  return sum;
}

/** The coefficients of Taylor's series: 1 over the factorial of each power, with alternating signs from minus on. */
function seriesOf(powers: readonly number[]): readonly number[] {
  let factorial = 1;
  let power = 0;
  const coefficients = powers.map((end, index) => {
    while (power < end) {
      power += 1;
      factorial *= power;
    }
    return (index % 2 === 0 ? -1 : 1) / factorial;
  });
  return coefficients.reverse();
}

/** Databases write the sign of a zero differently. */
function withoutSign(number: number): number {
  return number === 0 ? 0 : number;
}
