import type { GeoCircle } from '@locmetrics/core/domain/circle';
import fc from 'fast-check';
import { LATITUDES, LONGITUDES } from './random-table.ts';

/** A circle that is not refused, often around points of a random table, with others exactly on its edge. */
export const randomCircle: fc.Arbitrary<GeoCircle> = fc.record({
  longitude: fc.oneof(
    fc.constantFrom(...LONGITUDES),
    fc.double({ min: -180, max: 180, noNaN: true }),
  ),
  latitude: fc.oneof(fc.constantFrom(...LATITUDES), fc.double({ min: -90, max: 90, noNaN: true })),
  radiusMetres: fc.oneof(
    fc.constantFrom(1e-9, 1, 55_597.5, 1_111_949.3, 5_059_374.6, 10_007_557.2, 20_015_115),
    fc.double({ min: 0, max: 20_015_115, minExcluded: true, noNaN: true }),
    fc.double({ min: -3, max: 7.3, noNaN: true }).map((exponent) => 10 ** exponent),
  ),
});
