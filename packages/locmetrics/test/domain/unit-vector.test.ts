import { boxAroundCircle, chordLimit, EARTH_RADIUS_METRES } from '@locmetrics/core/geometry/circle';
import { chordSquared, unitVector } from '@locmetrics/core/geometry/unit-vector';
import { isInside } from '@locmetrics/core/storage/reference/match-predicate';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evenly } from '../support/evenly.ts';
import { announceSeed } from '../support/test-seed.ts';

const longitude = fc.oneof(
  fc.constantFrom(-180, -135, -90, -45, -0, 0, 45, 90, 135, 180, 1e-9, 179.999999999),
  evenly(-180, 180),
);
const latitude = fc.oneof(fc.constantFrom(-90, -45, -0, 0, 45, 90, 89.999999999), evenly(-90, 90));

test('the vectors of the axes are exact, and no zero has a sign', () => {
  const axes = [
    [unitVector(0, 0), { x: 1, y: 0, z: 0 }],
    [unitVector(-180, -0), { x: -1, y: 0, z: 0 }],
    [unitVector(180, 0), { x: -1, y: 0, z: 0 }],
    [unitVector(90, 0), { x: 0, y: 1, z: 0 }],
    [unitVector(-90, 0), { x: 0, y: -1, z: 0 }],
    [unitVector(123, 90), { x: 0, y: 0, z: 1 }],
    [unitVector(-77, -90), { x: 0, y: 0, z: -1 }],
  ];
  for (const [vector, expected] of axes) expect(vector).toStrictEqual(expected);
});

test('a vector has the sines and cosines of its point, to the last digits', () => {
  const seed = announceSeed('unit vectors');
  fc.assert(
    fc.property(longitude, latitude, (lng, lat) => {
      const [east, north] = [lng, lat].map((degrees) => (degrees * Math.PI) / 180);
      const { x, y, z } = unitVector(lng, lat);
      // Rounding to 10⁻⁹ degrees moves a point by up to 9e-12.
      expect(Math.abs(z - Math.sin(north ?? 0))).toBeLessThan(1e-11);
      expect(Math.abs(x - Math.cos(north ?? 0) * Math.cos(east ?? 0))).toBeLessThan(2e-11);
      expect(Math.abs(y - Math.cos(north ?? 0) * Math.sin(east ?? 0))).toBeLessThan(2e-11);
      expect(Math.abs(x * x + y * y + z * z - 1)).toBeLessThan(1e-15);
    }),
    { seed, numRuns: 5000 },
  );
});

test('a chord is shorter than that of a radius where the distance is, as haversines have it', () => {
  const seed = announceSeed('chords');
  fc.assert(
    fc.property(longitude, latitude, longitude, latitude, (lng, lat, otherLng, otherLat) => {
      const metres = haversine([lng, lat], [otherLng, otherLat]);
      const chord = chordSquared(unitVector(lng, lat), unitVector(otherLng, otherLat));
      // Near the opposite point a chord hardly changes with the distance: by 0.2 m at most here.
      const slack = metres > 19_000_000 ? 0.3 : 0.001;
      expect(chord <= chordLimit(metres + slack)).toBe(true);
      if (metres > slack) expect(chord <= chordLimit(metres - slack)).toBe(false);
    }),
    { seed, numRuns: 5000 },
  );
});

test('the box around a circle has all of its points', () => {
  const seed = announceSeed('boxes around circles');
  const radius = fc.oneof(
    evenly(1e-3, 20_015_115),
    evenly(-3, 7.3).map((exponent) => 10 ** exponent),
  );
  // A point at an angle and a part of the radius from the centre.
  const direction = fc.tuple(evenly(0, 360), fc.constantFrom(1, 0.999));
  fc.assert(
    fc.property(
      longitude,
      latitude,
      radius,
      direction,
      (lng, lat, radiusMetres, [bearing, part]) => {
        const box = boxAroundCircle({ longitude: lng, latitude: lat, radiusMetres });
        expect(box.minLng >= -180 && box.maxLng <= 180).toBe(true);
        const [east, north] = moved([lng, lat], bearing, radiusMetres * part);
        expect(isInside(east, north, box), JSON.stringify({ box, east, north })).toBe(true);
      },
    ),
    { seed, numRuns: 5000 },
  );
});

test('a box around a circle is not much larger', () => {
  const { minLng, minLat, maxLng, maxLat } = boxAroundCircle({
    longitude: -179.5,
    latitude: 60,
    radiusMetres: 111_195.08,
  });
  expect([minLng, minLat, maxLng, maxLat].map((degree) => degree.toFixed(3))).toEqual([
    ...['178.500', '59.000', '-177.500', '61.000'],
  ]);
});

type Point = readonly [longitude: number, latitude: number];

function haversine([lng, lat]: Point, [otherLng, otherLat]: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const height = Math.sin(radians(otherLat - lat) / 2) ** 2;
  const width = Math.sin(radians(otherLng - lng) / 2) ** 2;
  const sum = height + Math.cos(radians(lat)) * Math.cos(radians(otherLat)) * width;
  return 2 * EARTH_RADIUS_METRES * Math.atan2(Math.sqrt(sum), Math.sqrt(Math.max(0, 1 - sum)));
}

/** The point at a distance in a direction. */
function moved([lng, lat]: Point, bearing: number, metres: number): Point {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [angle, turn, north] = [metres / EARTH_RADIUS_METRES, radians(bearing), radians(lat)];
  const sine =
    Math.sin(north) * Math.cos(angle) + Math.cos(north) * Math.sin(angle) * Math.cos(turn);
  const latitude = Math.asin(Math.max(-1, Math.min(1, sine)));
  const east = Math.atan2(
    Math.sin(turn) * Math.sin(angle) * Math.cos(north),
    Math.cos(angle) - Math.sin(north) * sine,
  );
  const found = lng + (east * 180) / Math.PI;
  const turned = found > 180 ? found - 360 : found < -180 ? found + 360 : found;
  return [turned, (latitude * 180) / Math.PI];
}
