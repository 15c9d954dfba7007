import fc from 'fast-check';

const STEPS = 2 ** 40;

/**
 * Numbers from `min` to `max`, mostly evenly. `fc.double` alone chooses evenly among the doubles, nearly all of
 * which are so close to 0 that all points of a map are at one place.
 */
export function evenly(min: number, max: number): fc.Arbitrary<number> {
  const even = fc
    .maxSafeNat()
    .map((number) => Math.min(max, min + ((max - min) * (number % STEPS)) / STEPS));
  return fc.oneof(
    { weight: 4, arbitrary: even },
    { weight: 1, arbitrary: fc.double({ min, max, noNaN: true }) },
  );
}
