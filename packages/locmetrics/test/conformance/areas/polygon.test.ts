import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { where } from '../filter-clause.ts';
import { refusalOf } from '../refusal.ts';
import { defineTable } from '../table.ts';
import type { TestPoint, TestPolygon } from './test-polygon.ts';

const POINTS = defineTable({
  name: 'conformance.points',
  fields: { id: 'string', latitude: 'float', longitude: 'float' },
  point: { latitude: 'latitude', longitude: 'longitude' },
  rows: [
    { id: 'bern', latitude: 46.948, longitude: 7.4474 },
    { id: 'line_east', latitude: 5, longitude: -180 },
    { id: 'line_west', latitude: 5, longitude: 180 },
    { id: 'nowhere', latitude: null, longitude: null },
    { id: 'null_island', latitude: -0, longitude: -0 },
    { id: 'pole_north', latitude: 90, longitude: 0 },
    { id: 'pole_south', latitude: -90, longitude: 12 },
    { id: 'samoa', latitude: -13.8, longitude: -171.75 },
    { id: 'suva', latitude: -18.1, longitude: 178.44 },
    // On and beside the line from (20, 20) to (20.000000003, 80.000000001), of which the cross product has 78 bits.
    { id: 't_left', latitude: 50, longitude: 20.000000001 },
    { id: 't_middle', latitude: 50.0000000005, longitude: 20.000000002 },
    { id: 'u_third', latitude: 40, longitude: 20.000000001 },
  ],
});
const NO_POINTS = defineTable({
  name: 'conformance.no_points',
  fields: { id: 'string', latitude: 'float', longitude: 'float' },
  rows: [{ id: 'bern', latitude: 46.948, longitude: 7.4474 }],
});

/** The corners of a box, without points in between. */
function boxOf(west: number, south: number, east: number, north: number): TestPolygon {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** A point close to another one, in units of rounding. */
function near([longitude, latitude]: TestPoint, x: number, y: number): TestPoint {
  return [longitude + x * 1e-9, latitude + y * 1e-9];
}

describeOn(ENGINES)('polygons, $name engine', (engine) => {
  const service = useService(engine, POINTS, NO_POINTS);
  const inside = (polygon: TestPolygon) => service.column('id', { polygon });
  const refusal = (polygon: TestPolygon) => refusalOf(inside(polygon));
  const BERN: TestPoint = [7.4474, 46.948];

  test('a point inside is found, in both directions of the ring and from every vertex', async () => {
    const ring = boxOf(7, 46, 8, 48).slice(1);
    for (let first = 0; first < 4; first += 1) {
      const turned = [...ring.slice(first), ...ring.slice(0, first + 1)];
      expect(await inside(turned)).toEqual(['bern']);
      expect(await inside(turned.toReversed())).toEqual(['bern']);
    }
  });

  test('a point in the box of a polygon, but outside of it, is not found', async () => {
    const notch: TestPolygon = [
      [7, 46],
      [8, 46],
      [8, 48],
      [7.4474, 46.5],
      [7, 48],
      [7, 46],
    ];
    expect(await inside(notch)).toEqual([]);
    expect(
      await inside([
        [7, 46],
        [8, 46],
        [8, 48],
        [7, 46],
      ]),
    ).toEqual([]);
    expect(
      await inside([
        [7, 46],
        [8, 48],
        [7, 48],
        [7, 46],
      ]),
    ).toEqual(['bern']);
  });

  test('a point on a vertex, a level edge, an upright edge or a slanting edge is inside', async () => {
    expect(await inside([BERN, [8, 46], [8, 48], BERN])).toEqual(['bern']);
    expect(
      await inside([
        [7, 46.948],
        [8, 46.948],
        [8, 48],
        [7, 46.948],
      ]),
    ).toEqual(['bern']);
    expect(
      await inside([
        [7.4474, 46],
        [8, 47],
        [7.4474, 48],
        [7.4474, 46],
      ]),
    ).toEqual(['bern']);
    expect(
      await inside([near(BERN, -7, -7), [8, 40], near(BERN, 9, 9), near(BERN, -7, -7)]),
    ).toEqual(['bern']);
  });

  test('one unit of 10⁻⁹ degrees beside an edge is outside, and less is rounded', async () => {
    const east = (x: number) =>
      inside([near(BERN, x, -9e8), [8, 47], near(BERN, x, 9e8), near(BERN, x, -9e8)]);
    expect(await east(1)).toEqual([]);
    expect(await east(0.6)).toEqual([]);
    expect(await east(0.4)).toEqual(['bern']);
    const north = (y: number) =>
      inside([near(BERN, -9e8, y), near(BERN, 9e8, y), [7.4474, 50], near(BERN, -9e8, y)]);
    expect(await north(1)).toEqual([]);
    expect(await north(0.6)).toEqual([]);
    expect(await north(0.4)).toEqual(['bern']);
  });

  test('a line to the east through vertices and along level edges is counted right', async () => {
    const teeth: TestPolygon = [
      [7, 46],
      [9, 46],
      [9, 48],
      [8.8, 46.948],
      [8.6, 48],
      [8.5, 46.948],
      [8.3, 46.948],
      [8.2, 47.5],
      [8.1, 46.948],
      [8, 46.5],
      [7, 47.5],
      [7, 46],
    ];
    expect(await inside(teeth)).toEqual(['bern']);
    const before: TestPolygon = [
      [7.5, 46],
      [9, 46],
      [9, 48],
      [8.8, 46.948],
      [8.6, 48],
      [8.5, 46.948],
      [8.3, 46.948],
      [7.5, 48],
      [7.5, 46],
    ];
    expect(await inside(before)).toEqual([]);
  });

  test('a point is compared exactly with a long slanting edge', async () => {
    const west: TestPolygon = [
      [20, 20],
      [20.000000003, 80.000000001],
      [19, 50],
      [20, 20],
    ];
    const east: TestPolygon = [
      [20, 20],
      [20.000000003, 80.000000001],
      [21, 50],
      [20, 20],
    ];
    expect(await inside(west)).toEqual(['t_left']);
    expect(await inside(east)).toEqual(['t_middle', 'u_third']);
  });

  test('an edge longer than 180 degrees goes the short way over the antimeridian', async () => {
    expect(await inside(boxOf(178, -20, -171, -10))).toEqual(['samoa', 'suva']);
    expect(await inside(boxOf(179, -20, -171, -10))).toEqual(['samoa']);
    expect(await inside(boxOf(178, -20, -172, -10))).toEqual(['suva']);
    expect(await inside(boxOf(-171, -20, 178, -10))).toEqual(['samoa', 'suva']);
    expect(
      await inside([
        [178, -20],
        [-90, -20],
        [0, -20],
        [90, -20],
        [170, -20],
        [170, -10],
        [90, -10],
        [0, -10],
        [-90, -10],
        [178, -10],
        [178, -20],
      ]),
    ).toEqual(['samoa', 'suva']);
  });

  test('an edge of 180 degrees goes as it is written', async () => {
    expect(
      await inside([
        [-90, -1],
        [90, -1],
        [90, 1],
        [-90, 1],
        [-90, -1],
      ]),
    ).toEqual(['null_island']);
    expect(
      await inside([
        [90, 4],
        [-90, 4],
        [-90, 6],
        [90, 6],
        [90, 4],
      ]),
    ).toEqual([]);
  });

  test('longitudes of -180 and 180 are the same meridian', async () => {
    const lines = ['line_east', 'line_west'];
    expect(await inside(boxOf(-180, 0, -170, 10))).toEqual(lines);
    expect(await inside(boxOf(170, 0, 180, 10))).toEqual(lines);
    expect(await inside(boxOf(170, 0, -170, 10))).toEqual(lines);
    expect(
      await inside([
        [-180, 5],
        [-170, 0],
        [-170, 10],
        [-180, 5],
      ]),
    ).toEqual(lines);
    expect(
      await inside([
        [-180, 4.9],
        [-170, 0],
        [-170, 10],
        [-180, 4.9],
      ]),
    ).toEqual([]);
  });

  test('a ring of a full turn has all longitudes', async () => {
    const band = (south: number, north: number): TestPolygon => [
      [-180, south],
      [-60, south],
      [60, south],
      [180, south],
      [180, north],
      [60, north],
      [-60, north],
      [-180, north],
      [-180, south],
    ];
    expect(await inside(band(4, 6))).toEqual(['line_east', 'line_west']);
    expect(await inside(band(-20, 0))).toEqual(['null_island', 'samoa', 'suva']);
    expect(await inside(band(80, 90))).toEqual(['pole_north']);
    expect(
      await inside([
        [-180, 0],
        [-60, 1],
        [60, 1],
        [180, 5],
        [60, 9],
        [-60, 9],
        [-180, 0],
      ]),
    ).toEqual(['line_east', 'line_west']);
  });

  test('a pole is a place of its longitude', async () => {
    expect(
      await inside([
        [-10, 80],
        [10, 80],
        [0, 90],
        [-10, 80],
      ]),
    ).toEqual(['pole_north']);
    expect(
      await inside([
        [-10, -90],
        [10, -90],
        [0, -80],
        [-10, -90],
      ]),
    ).toEqual([]);
    expect(
      await inside([
        [10, -90],
        [20, -90],
        [15, -80],
        [10, -90],
      ]),
    ).toEqual(['pole_south']);
  });

  test('a polygon of 500 points is answered', async () => {
    const ring = Array.from({ length: 499 }, (_, index): TestPoint => {
      const angle = (2 * Math.PI * index) / 499;
      const radius = index % 2 === 0 ? 1 : 0.3;
      return [7.4 + radius * Math.cos(angle), 47 + radius * Math.sin(angle)];
    });
    expect(await inside([...ring, ...ring.slice(0, 1)])).toEqual(['bern']);
    const steps = Array.from(
      { length: 250 },
      (_, index): TestPoint => [6 + index / 100, index % 2 === 0 ? 46 : 46.9],
    );
    const upper = steps
      .slice(1)
      .map(([x, y]): TestPoint => [x, y + 0.05])
      .toReversed();
    expect(await inside([...steps, ...upper, [6, 46]])).toHaveLength(0);
  });

  test('a point that repeats the one before is left out', async () => {
    expect(
      await inside([
        [7, 46],
        [7, 46],
        [8, 46],
        [8, 46.0000000001],
        [8, 48],
        [7, 48],
        [7, 46],
      ]),
    ).toEqual(['bern']);
  });

  test('a polygon and filters combine with AND, in records, values, groups and counts', async () => {
    const polygon = boxOf(178, -20, -171, -10);
    const filters = [where('id', 'starts_with', 'su')];
    expect(await service.column('id', { polygon, filters })).toEqual(['suva']);
    expect(await service.values('longitude', { polygon, filters })).toEqual(['178.44']);
    expect(await service.values('id', { polygon })).toEqual(['samoa', 'suva']);
    const { rows } = await service.listRecords({ polygon, recordCount: true });
    expect(rows).toEqual([[2n]]);
    expect((await service.listRecords({ polygon, countOnly: true })).totalSize).toBe(2);
  });

  test('the number of points is limited', async () => {
    expect(
      await refusal([
        [0, 0],
        [1, 0],
        [0, 0],
      ]),
    ).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates
      The ring has 3 points.
      Send at least 4 points, of which the last repeats the first."
    `);
    expect(await refusal([])).toContain('The ring has 0 points.');
    expect(await refusal([[0, 0]])).toContain('The ring has 1 point.');
    const many = Array.from({ length: 501 }, (_, index): TestPoint => [index / 10, 0]);
    expect(await refusal(many)).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates
      The ring has 501 points.
      Simplify the polygon to at most 500 points."
    `);
  });

  test('degrees out of range are refused', async () => {
    expect(
      await refusal([
        [0, 0],
        [181, 0],
        [1, 1],
        [0, 0],
      ]),
    ).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates/1
      The point 1 has the longitude 181, which is not between -180 and 180.
      Longitudes are from -180 to 180. An edge longer than 180 degrees goes the short way, over the antimeridian."
    `);
    expect(
      await refusal([
        [0, 0],
        [1, 0],
        [1, -90.5],
        [0, 0],
      ]),
    ).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates/2
      The point 2 has the latitude -90.5, which is not between -90 and 90.
      Latitudes are from -90 to 90; longitude and latitude may be swapped."
    `);
    expect(
      await refusal([
        [0, 0],
        [Number.NaN, 0],
        [1, 1],
        [0, 0],
      ]),
    ).toContain('NaN');
    expect(
      await refusal([
        [0, Number.POSITIVE_INFINITY],
        [1, 0],
        [1, 1],
        [0, 0],
      ]),
    ).toContain('Infinity');
  });

  test('a ring that is not closed is refused', async () => {
    expect(
      await refusal([
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
    ).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates/3
      The last point (0, 1) is not the first one (0, 0).
      Repeat the first point at the end, so that the ring is closed."
    `);
  });

  test('edges that cross, touch or lie on each other are refused', async () => {
    expect(
      await refusal([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ]),
    ).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates/2
      The edges 0 from (0, 0) to (1, 1) and 2 from (1, 0) to (0, 1) cross or touch each other.
      Edges are numbered from 0 by their first point. Two edges may share only the point at which one follows the other. An edge longer than 180 degrees of longitude goes the short way over the antimeridian; add points in between if it should not."
    `);
    // A vertex on another edge, two vertices at one place, and an edge back along the one before.
    const touching = [
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [2, 0],
        [0, 4],
        [0, 0],
      ],
      [
        [0, 0],
        [2, 2],
        [4, 0],
        [4, 4],
        [2, 2],
        [0, 4],
        [0, 0],
      ],
      [
        [0, 0],
        [4, 0],
        [2, 0],
        [2, 2],
        [0, 0],
      ],
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [4, 0],
        [0, 0],
      ],
      [
        [0, 0],
        [2, 0],
        [4, 0],
        [0, 0],
      ],
    ] as const satisfies readonly TestPolygon[];
    for (const ring of touching)
      expect(await refusal(ring)).toContain('cross or touch each other.');
    expect(
      await refusal([
        [0, 0],
        [0, 0],
        [1e-10, 0],
        [0, 0],
      ]),
    ).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates
      The ring has fewer than three different points.
      Send at least three different points that are not on a line. An edge longer than 180 degrees of longitude goes the short way; add points in between if it should not."
    `);
    // A box around the earth: its edges of 360 degrees are short.
    expect(await refusal(boxOf(-180, -10, 180, 10))).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates
      The ring has fewer than three different points.
      Send at least three different points that are not on a line. An edge longer than 180 degrees of longitude goes the short way; add points in between if it should not."
    `);
  });

  test('a ring around a pole is refused', async () => {
    expect(
      await refusal([
        [0, 80],
        [120, 80],
        [-120, 80],
        [0, 80],
      ]),
    ).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates
      The ring goes around a pole.
      To include a pole, use a boundingBox up to its latitude, or a ring along the edge of such a box. An edge longer than 180 degrees of longitude goes the short way."
    `);
  });

  test('a ring that goes around the earth more than once is refused', async () => {
    const spiral = Array.from(
      { length: 9 },
      (_, index): TestPoint => [((index * 50 + 180) % 360) - 180, index * 5],
    );
    const back = spiral.map(([x, y]): TestPoint => [x, y + 1]).toReversed();
    expect(await refusal([...spiral, ...back, ...spiral.slice(0, 1)])).toMatchInlineSnapshot(`
      "INVALID_POLYGON at /options/polygon/coordinates
      The ring is 400 degrees wide.
      A polygon can go around the earth once: split it into several, and send a request for each."
    `);
  });

  test('a polygon together with a box is refused', async () => {
    const box = { minLng: 0, minLat: 0, maxLng: 10, maxLat: 50 };
    const polygon = boxOf(0, 0, 10, 50);
    expect(await refusalOf(service.listRecords({ box, polygon }))).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/polygon
      The request has both a polygon and a bounding box.
      Send one of them. The polygon can have the corners of the box."
    `);
  });

  test('a dataset without points refuses the option', async () => {
    const question = { dataset: 'conformance.no_points', polygon: boxOf(0, 0, 10, 50) };
    expect(await refusalOf(service.listRecords(question))).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /options/polygon
      The records of conformance.no_points have no point, so they cannot be filtered by a polygon.
      Leave polygon out; getDataReference lists the available options."
    `);
    expect(await refusalOf(service.searchFieldValues({ ...question, field: 'id' }))).toContain(
      'UNAVAILABLE_OPTION',
    );
  });
});
