import { placekeyOfPoint } from '@locmetrics/ingest/enrich/placekey';
import { expect, test } from 'vitest';

// All expected values were computed with the PyPI package placekey 0.0.36.

test.for([
  { what: 'the point where equator and prime meridian cross', at: [0, 0], is: '@dvt-smp-tvz' },
  { what: 'a point in the north-west', at: [37.779274, -122.419262], is: '@5vg-7gq-tvz' },
  { what: 'a point in the south-east', at: [-33.8568, 151.2153], is: '@nh3-yc4-vmk' },
  { what: 'a point in the south-west', at: [-22.951916, -43.210487], is: '@kjj-2yb-3h5' },
  { what: 'American Samoa', at: [-14.22865935, -169.8503777], is: '@j7h-f4j-ffz' },
  { what: 'the North Pole, a code padded with a', at: [90, 0], is: '@ah5-5qn-jqf' },
  { what: 'the South Pole', at: [-90, 0], is: '@t8t-sjz-2hq' },
] as const)('$what has its published Placekey', ({ at: [latitude, longitude], is }) => {
  expect(placekeyOfPoint({ latitude, longitude })).toBe(is);
});

test('a part that looks like a rude word is replaced', () => {
  const point = { latitude: 42.762045634523986, longitude: -157.41172517836202 };
  expect(placekeyOfPoint(point)).toBe('@5fk-ke2-sdv');
});

test('a part that looks like a rude word is replaced across the hyphen', () => {
  const point = { latitude: -52.276510448307405, longitude: -178.08550158081022 };
  expect(placekeyOfPoint(point)).toBe('@r6f-vvj-uh5');
});

test('the antimeridian has one Placekey from both sides', () => {
  expect(placekeyOfPoint({ latitude: 0, longitude: 180 })).toBe('@fqs-7dd-xdv');
  expect(placekeyOfPoint({ latitude: 0, longitude: -180 })).toBe('@fqs-7dd-xdv');
});

test.for([
  { latitude: 90.000001, longitude: 0 },
  { latitude: -90.000001, longitude: 0 },
  { latitude: 0, longitude: 180.000001 },
  { latitude: 0, longitude: -180.000001 },
  { latitude: Number.NaN, longitude: 0 },
  { latitude: 0, longitude: Number.NaN },
])('latitude $latitude, longitude $longitude is refused', (point) => {
  expect(() => placekeyOfPoint(point)).toThrow(RangeError);
});
