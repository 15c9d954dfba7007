import { geojsonPoint } from '@locmetrics/ingest/formats/features/geojson-point';
import { expect, test } from 'vitest';
import { refusalByManifest, valuesOf } from './import-by-manifest.ts';

const DECLARATION = `files: p.geojson
key: [id]
point: { latitude: lat, longitude: lng }
fields:
  id: { type: string, column: $id }
  lat: { type: float, column: $latitude }
  lng: { type: float, column: $longitude }`;

const square = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const polygon = (...coordinates: readonly unknown[]) => ({ type: 'Polygon', coordinates });
const collection = (geometries: readonly unknown[]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: geometries.map((geometry, id) => ({ type: 'Feature', id, geometry, properties: {} })),
  });

test('an area is a point inside it, a line its middle, and an empty geometry no point', async () => {
  const geometries = [
    polygon(square(0, 0, 10)),
    // The middle is in the hole.
    polygon(square(0, 0, 10), square(3, 1, 6)),
    // A crescent, whose centroid is outside.
    polygon([
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 8],
      [8, 8],
      [8, 2],
      [0, 2],
      [0, 0],
    ]),
    { type: 'MultiPolygon', coordinates: [[square(50, 50, 1)], [square(0, 0, 10)]] },
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [0, 10],
        [10, 10],
      ],
    },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [0, 1],
        ],
        [
          [5, 5],
          [9, 5],
        ],
      ],
    },
    { type: 'MultiPoint', coordinates: [[7, 8, 100]] },
    { type: 'Polygon', coordinates: [] },
    { type: 'MultiPolygon', coordinates: [[]] },
    null,
  ];
  expect(
    await valuesOf(DECLARATION, { 'p.geojson': collection(geometries) }),
  ).toMatchInlineSnapshot(`
    [
      [
        "0",
        "5.0",
        "5.0",
      ],
      [
        "1",
        "4.0",
        "1.5",
      ],
      [
        "2",
        "5.0",
        "9.0",
      ],
      [
        "3",
        "5.0",
        "5.0",
      ],
      [
        "4",
        "10.0",
        "0.0",
      ],
      [
        "5",
        "5.0",
        "7.0",
      ],
      [
        "6",
        "8.0",
        "7.0",
      ],
      [
        "7",
        null,
        null,
      ],
      [
        "8",
        null,
        null,
      ],
      [
        "9",
        null,
        null,
      ],
    ]
  `);
});

test('an area that crosses the antimeridian is on its side of the map, cut there or not', async () => {
  const ring = (...xs: readonly number[]) =>
    polygon([
      [xs[0], 0],
      [xs[1], 0],
      [xs[1], 10],
      [xs[0], 10],
      [xs[0], 0],
    ]);
  const geometries = [
    ring(175, -170),
    ring(175, 190),
    ring(-190, -175),
    { type: 'MultiPolygon', coordinates: [[square(175, 0, 5)], [square(-180, 0, 10)]] },
    // Antarctica runs along the edge of the map, from one end to the other.
    polygon([
      [-180, -90],
      [180, -90],
      [180, -80],
      [0, -60],
      [-180, -80],
      [-180, -90],
    ]),
    {
      type: 'LineString',
      coordinates: [
        [178, 1],
        [-176, 1],
      ],
    },
    ring(-180, 180),
  ];
  expect(
    await valuesOf(DECLARATION, { 'p.geojson': collection(geometries) }),
  ).toMatchInlineSnapshot(`
    [
      [
        "0",
        "5.0",
        "-177.5",
      ],
      [
        "1",
        "5.0",
        "-177.5",
      ],
      [
        "2",
        "5.0",
        "177.5",
      ],
      [
        "3",
        "7.5",
        "-175.0",
      ],
      [
        "4",
        "-70.0",
        "0.0",
      ],
      [
        "5",
        "1.0",
        "-179.0",
      ],
      [
        "6",
        "5.0",
        "0.0",
      ],
    ]
  `);
});

test('a geometry that is not as its type says is refused with its reason', async () => {
  const geometries = [
    polygon([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]),
    polygon([
      [0, 0],
      [1, 0],
      [0, 0],
    ]),
    polygon([
      [0, 0],
      [1, 0],
      [2, 0],
      [0, 0],
    ]),
    polygon([
      [0, 0],
      [1, '0'],
      [2, 0],
      [0, 0],
    ]),
    { type: 'Polygon', coordinates: square(0, 0, 1) },
    { type: 'Polygon' },
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
    { type: 'GeometryCollection', geometries: [polygon(square(0, 0, 1))] },
    polygon(square(2_600_000, 1_200_000, 10)),
  ];
  const refusals = await refusalByManifest(DECLARATION, { 'p.geojson': collection(geometries) });
  expect(refusals.split('\n').filter((line) => line.includes('lng:'))).toMatchInlineSnapshot(`
    [
      "p.geojson, feature 1: lng: 'Polygon' has a ring whose last position is not its first.",
      "p.geojson, feature 2: lng: 'Polygon' has a ring of fewer than four positions.",
      "p.geojson, feature 3: lng: 'Polygon' is an area of size zero.",
      "p.geojson, feature 4: lng: 'Polygon' has a coordinate that is not a finite number.",
      "p.geojson, feature 5: lng: 'Polygon' has coordinates that do not match its type.",
      "p.geojson, feature 6: lng: 'Polygon' has coordinates that do not match its type.",
      "p.geojson, feature 7: lng: 'MultiPoint' is a geometry that cannot be represented by one point.",
      "p.geojson, feature 8: lng: 'GeometryCollection' is a geometry that cannot be represented by one point.",
      "p.geojson, feature 9: lng: '2600005' is not between -180 and 180.",
    ]
  `);
});

test('after steps a wrong geometry is refused if a field uses its point', async () => {
  const geometries = [
    polygon(square(0, 0, 10)),
    polygon([
      [0, 0],
      [1, 0],
      [0, 0],
    ]),
  ];
  const stepped = `${DECLARATION}\nrows:\n  - where: '"$id" IS NOT NULL'`;
  expect(
    await refusalByManifest(stepped, { 'p.geojson': collection(geometries) }),
  ).toMatchInlineSnapshot(`
    "p.geojson, feature 2: lat: 'Polygon has a ring of fewer than four positions' is not a number.
    p.geojson, feature 2: lng: 'Polygon has a ring of fewer than four positions' is not a number."
  `);
});

test('a point is inside areas of every shape: star, spiral, comb, sliver and many parts', () => {
  for (const ring of SHAPES) {
    const [x = Number.NaN, y = Number.NaN] = geojsonPoint(JSON.stringify(polygon(ring)))
      .split(' ')
      .map(Number);
    expect(windingNumber(ring, x, y), JSON.stringify([x, y])).not.toBe(0);
  }
});

type Ring = readonly (readonly [number, number])[];

const closed = (points: Ring): Ring => [...points, ...points.slice(0, 1)];

const SHAPES: readonly Ring[] = [
  closed(
    Array.from({ length: 20 }, (_, index) => {
      const radius = index % 2 === 0 ? 10 : 0.1;
      const angle = (index / 20) * 2 * Math.PI;
      return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
    }),
  ),
  closed([
    ...Array.from({ length: 100 }, (_, index) => spiral(index / 8, 0)),
    ...Array.from({ length: 100 }, (_, index) => spiral((99 - index) / 8, 0.2)),
  ]),
  closed([
    [0, 10],
    ...Array.from({ length: 50 }, (_, index) => [index, index % 2 === 0 ? 0 : 9.9] as const),
    [49, 10],
  ]),
  closed([
    [0, 0],
    [60, 60],
    [60, 60.000001],
  ]),
  closed([
    [0, 0],
    [1e-9, 0],
    [1e-9, 1e-9],
    [0, 1e-9],
  ]),
];

function spiral(turn: number, width: number): readonly [number, number] {
  return [(turn + width + 1) * Math.cos(turn), (turn + width + 1) * Math.sin(turn)];
}

/** How often a ring runs around a point: another way than the one that found the point. */
function windingNumber(ring: Ring, x: number, y: number): number {
  let angle = 0;
  for (const [index, [x2, y2]] of ring.entries()) {
    const [x1, y1] = ring[index - 1] ?? [x2, y2];
    angle += Math.atan2(
      (x1 - x) * (y2 - y) - (x2 - x) * (y1 - y),
      (x1 - x) * (x2 - x) + (y1 - y) * (y2 - y),
    );
  }
  return Math.round(angle / (2 * Math.PI));
}
