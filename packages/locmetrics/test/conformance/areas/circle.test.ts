import { wholeGrant } from '@locmetrics/core/domain/grant';
import { chordLimit, EARTH_RADIUS_METRES, type GeoCircle } from '@locmetrics/core/geometry/circle';
import { chordSquared, unitVector } from '@locmetrics/core/geometry/unit-vector';
import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { where } from '../filter-clause.ts';
import { callerWith } from '../random/random-grant.ts';
import { refusalOf } from '../refusal.ts';
import { defineTable } from '../table.ts';
import { askTile } from './tile-question.ts';

const fields = { id: 'string', latitude: 'float', longitude: 'float' } as const;
const point = { latitude: 'latitude', longitude: 'longitude' };
const POINTS = defineTable({
  name: 'conformance.points',
  fields,
  point,
  rows: [
    { id: 'bern', latitude: 46.948, longitude: 7.4474 },
    { id: 'bern_opposite', latitude: -46.948, longitude: -172.5526 },
    { id: 'line_east', latitude: 5, longitude: -180 },
    { id: 'line_west', latitude: 5, longitude: 180 },
    { id: 'nowhere', latitude: null, longitude: null },
    { id: 'null_island', latitude: -0, longitude: -0 },
    { id: 'pole_north', latitude: 90, longitude: 0 },
    { id: 'pole_south', latitude: -90, longitude: 12 },
    { id: 'samoa', latitude: -13.8, longitude: -171.75 },
    { id: 'suva', latitude: -18.1, longitude: 178.44 },
    { id: 'zurich', latitude: 47.3769, longitude: 8.5417 },
  ],
});
const ALL = POINTS.rows.map(({ id }) => id).filter((id) => id !== 'nowhere');
const OLD = defineTable({
  name: 'conformance.old_points',
  fields,
  point,
  hasVectors: false,
  rows: [{ id: 'bern', latitude: 46.948, longitude: 7.4474 }],
});
const NO_POINTS = defineTable({ name: 'conformance.no_points', fields, rows: OLD.rows });

const BERN = { longitude: 7.4474, latitude: 46.948 };
/** Half the circumference of the earth. */
const HALF = Math.PI * EARTH_RADIUS_METRES;

describeOn(ENGINES)('circles, $name engine', (engine) => {
  const service = useService(engine, POINTS, OLD, NO_POINTS);
  const inside = (circle: GeoCircle) => service.column('id', { circle });
  const around = (longitude: number, latitude: number, radiusMetres: number) =>
    inside({ longitude, latitude, radiusMetres });
  const refusal = (circle: GeoCircle) => refusalOf(inside(circle));

  test('a point is inside up to the radius', async () => {
    // 95,489.5 m from Bern to Zürich, on a sphere.
    expect(await inside({ ...BERN, radiusMetres: 95_000 })).toEqual(['bern']);
    expect(await inside({ ...BERN, radiusMetres: 96_000 })).toEqual(['bern', 'zurich']);
  });

  test('the edge of a circle is exact: the square of the chord is compared', async () => {
    const zurich = unitVector(8.5417, 47.3769);
    const chord = chordSquared(zurich, unitVector(BERN.longitude, BERN.latitude));
    const onEdge = 2 * EARTH_RADIUS_METRES * Math.asin(Math.sqrt(chord) / 2);
    for (let step = -50; step <= 50; step += 1) {
      const radiusMetres = onEdge + step * 1e-10;
      const isInside = chord <= chordLimit(radiusMetres);
      expect(await inside({ ...BERN, radiusMetres })).toEqual(
        isInside ? ['bern', 'zurich'] : ['bern'],
      );
    }
  });

  test('coordinates are rounded to 10⁻⁹ degrees', async () => {
    expect(await around(7.4474, 46.948, 1e-9)).toEqual(['bern']);
    expect(await around(7.4474000004, 46.9479999996, 1e-9)).toEqual(['bern']);
    expect(await around(7.447400001, 46.948, 1e-9)).toEqual([]);
    expect(await around(7.447400001, 46.948, 1e-4)).toEqual(['bern']);
    expect(await around(7.4474, 46.948000001, 1e-9)).toEqual([]);
  });

  test('a circle crosses the antimeridian, whose two longitudes are the same', async () => {
    const line = ['line_east', 'line_west'];
    expect(await around(180, 5, 1e-9)).toEqual(line);
    expect(await around(-180, 5, 1e-9)).toEqual(line);
    expect(await around(179.9, 5, 12_000)).toEqual(line);
    expect(await around(-179.9, 5, 12_000)).toEqual(line);
    expect(await around(-179.9, 5, 11_000)).toEqual([]);
    expect(await around(-175, -16, 1_000_000)).toEqual(['samoa', 'suva']);
    expect(await around(178, -16, 1_000_000)).toEqual(['suva']);
  });

  test('a circle around a pole has all longitudes', async () => {
    expect(await around(-77, 90, 1e-9)).toEqual(['pole_north']);
    expect(await around(123, 89.9, 11_200)).toEqual(['pole_north']);
    expect(await around(123, 89.9, 11_100)).toEqual([]);
    expect(await around(0, -90, 1e-9)).toEqual(['pole_south']);
    expect(await around(-172.6, 89, 4_900_000)).toEqual([...['bern', 'pole_north', 'zurich']]);
  });

  test('a circle of half the circumference takes everything, and only that has the opposite point', async () => {
    expect(await inside({ ...BERN, radiusMetres: HALF })).toEqual(ALL);
    expect(await inside({ ...BERN, radiusMetres: 20_015_115 })).toEqual(ALL);
    expect(await inside({ ...BERN, radiusMetres: HALF - 1 })).toEqual(
      ALL.filter((id) => id !== 'bern_opposite'),
    );
    const quarter = await around(0, 0, HALF / 2);
    expect(quarter).toEqual(expect.arrayContaining(['bern', 'null_island', 'zurich']));
    expect(quarter).not.toContain('line_east');
  });

  test('a circle and filters combine with AND, in records, values, groups, counts and tiles', async () => {
    const circle = { ...BERN, radiusMetres: 96_000 };
    const filters = [where('id', '!=', 'bern')];
    expect(await service.column('id', { circle, filters })).toEqual(['zurich']);
    expect(await service.values('id', { circle })).toEqual(['bern', 'zurich']);
    const { totalSize } = await service.listRecords({ circle, countOnly: true });
    expect(totalSize).toBe(2);
    const groups = await service.listRecords({ circle, recordCount: true });
    expect(groups.rows).toEqual([[2n]]);
    const dataset = 'conformance.points';
    const tile = await askTile(service, { dataset, tile: { z: 0, x: 0, y: 0 }, circle });
    expect(tile.kind === 'points' && tile.rows.length).toBe(2);
  });

  test('a stream has the records inside', async () => {
    const circle = { ...BERN, radiusMetres: 96_000 };
    const text = await service.streamText({ format: 'csv', fields: ['id'], circle });
    expect(text).toBe('id\r\nbern\r\nzurich\r\n');
  });

  test('pages go on only with the same circle', async () => {
    const circle = { ...BERN, radiusMetres: 96_000 };
    const pages = await service.recordPages({ circle, pageSize: 1, fields: ['id'] });
    expect(pages.flatMap(({ rows }) => rows)).toEqual([['bern'], ['zurich']]);
    const pageToken = pages[0]?.nextPageToken ?? '';
    const moved = { ...circle, radiusMetres: 95_999 };
    expect(
      await refusalOf(
        service.listRecords({ circle: moved, pageSize: 1, fields: ['id'], pageToken }),
      ),
    ).toContain('PAGE_TOKEN');
  });

  test('a withheld coordinate is absent', async () => {
    const low = { ...fields, latitude: { type: 'float', suppressBelow: 40 } } as const;
    const table = defineTable({ name: 'conformance.low', fields: low, point, rows: POINTS.rows });
    await service.publish(table);
    const dataset = 'conformance.low';
    const caller = callerWith([wholeGrant('g', dataset)]);
    const circle = { ...BERN, radiusMetres: HALF };
    expect(await service.column('id', { dataset, caller, circle })).toEqual([
      ...['bern', 'pole_north', 'zurich'],
    ]);
    const south = { longitude: 0, latitude: -90, radiusMetres: 1 };
    expect(await service.column('id', { dataset, caller, circle: south })).toEqual([]);
  });

  test('a circle out of range is refused', async () => {
    expect(await refusal({ longitude: 181, latitude: 0, radiusMetres: 1 })).toMatchInlineSnapshot(`
      "INVALID_CIRCLE at /options/circle/longitude
      The longitude 181 is not between -180 and 180.
      Longitudes are from -180 to 180, latitudes from -90 to 90; longitude and latitude may be swapped."
    `);
    expect(await refusal({ longitude: 0, latitude: -91, radiusMetres: 1 })).toMatchInlineSnapshot(`
      "INVALID_CIRCLE at /options/circle/latitude
      The latitude -91 is not between -90 and 90.
      Longitudes are from -180 to 180, latitudes from -90 to 90; longitude and latitude may be swapped."
    `);
    expect(await refusal({ ...BERN, radiusMetres: 0 })).toMatchInlineSnapshot(`
      "INVALID_CIRCLE at /options/circle/radiusMetres
      The radius 0 is not greater than 0 and at most 20015115.
      Send the radius in metres: up to half the circumference of the earth, which takes everything."
    `);
    expect(await refusal({ ...BERN, radiusMetres: 20_015_116 })).toMatchInlineSnapshot(`
      "INVALID_CIRCLE at /options/circle/radiusMetres
      The radius 20015116 is not greater than 0 and at most 20015115.
      Send the radius in metres: up to half the circumference of the earth, which takes everything."
    `);
    for (const radiusMetres of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await refusal({ ...BERN, radiusMetres })).toContain('INVALID_CIRCLE');
    }
    expect(await refusal({ ...BERN, latitude: Number.NaN, radiusMetres: 1 })).toContain(
      'INVALID_CIRCLE',
    );
  });

  test('a circle together with a box or a polygon is refused', async () => {
    const circle = { ...BERN, radiusMetres: 1 };
    const box = { minLng: 0, minLat: 0, maxLng: 1, maxLat: 1 };
    const polygon = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ] as const;
    expect(await refusalOf(service.listRecords({ circle, box }))).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/circle
      The request has both a circle and a bounding box.
      Send one of them."
    `);
    expect(await refusalOf(service.listRecords({ circle, polygon }))).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/circle
      The request has both a circle and a polygon.
      Send one of them."
    `);
  });

  test('a version without vectors, and a dataset without points, refuse the option', async () => {
    const circle = { ...BERN, radiusMetres: 1 };
    const of = (dataset: string) => refusalOf(service.listRecords({ dataset, circle }));
    expect(await of('conformance.old_points')).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /options/circle
      This version of conformance.old_points was published before circles and distances, so its records cannot be filtered by a circle.
      Leave circle out. To make it available, the owner of the data has to publish the dataset again."
    `);
    expect(await of('conformance.no_points')).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /options/circle
      The records of conformance.no_points have no point, so they cannot be filtered by a circle.
      Leave circle out; getDataReference lists the available options."
    `);
  });
});
