import type { GeoCircle } from '@locmetrics/core/geometry/circle';
import fc from 'fast-check';
import { evenly } from '../../support/evenly.ts';
import { LATITUDES, LONGITUDES } from './random-table.ts';

/** A circle that is not refused, often around points of a random table, with others exactly on its edge. */
export const randomCircle: fc.Arbitrary<GeoCircle> = fc.record({
  longitude: fc.oneof(fc.constantFrom(...LONGITUDES), evenly(-180, 180)),
  latitude: fc.oneof(fc.constantFrom(...LATITUDES), evenly(-90, 90)),
  radiusMetres: fc.oneof(
    fc.constantFrom(1e-9, 1, 55_597.5, 1_111_949.3, 5_059_374.6, 10_007_557.2, 20_015_115),
    evenly(1e-9, 20_015_115),
    evenly(-3, 7.3).map((exponent) => 10 ** exponent),
  ),
});
