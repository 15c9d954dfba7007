import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { where } from '../filter-clause.ts';
import { refusalOf } from '../refusal.ts';
import { defineTable } from '../table.ts';

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
  ],
});
const NO_POINTS = defineTable({
  name: 'conformance.no_points',
  fields: { id: 'string', latitude: 'float', longitude: 'float' },
  rows: [{ id: 'bern', latitude: 46.948, longitude: 7.4474 }],
});

describeOn(ENGINES)('bounding boxes, $name engine', (engine) => {
  const service = useService(engine, POINTS, NO_POINTS);
  const inside = (minLng: number, minLat: number, maxLng: number, maxLat: number) =>
    service.column('id', { box: { minLng, minLat, maxLng, maxLat } });
  const refusal = (minLng: number, minLat: number, maxLng: number, maxLat: number) =>
    refusalOf(inside(minLng, minLat, maxLng, maxLat));

  test('a box of the whole earth has every record with a point', async () => {
    expect(await inside(-180, -90, 180, 90)).toEqual(
      POINTS.rows.map(({ id }) => id).filter((id) => id !== 'nowhere'),
    );
  });

  test('a point on an edge is inside, and the smallest step further it is outside', async () => {
    const step = 2 ** -49;
    expect(await inside(7.4474, 46, 8, 47)).toEqual(['bern']);
    expect(await inside(7.4474 + step, 46, 8, 47)).toEqual([]);
    expect(await inside(7, 46, 7.4474, 47)).toEqual(['bern']);
    expect(await inside(7, 46, 7.4474 - step, 47)).toEqual([]);
    expect(await inside(7, 46.948, 8, 47)).toEqual(['bern']);
    expect(await inside(7, 46.948 + 8 * step, 8, 47)).toEqual([]);
    expect(await inside(7, 46, 8, 46.948)).toEqual(['bern']);
    expect(await inside(7, 46, 8, 46.948 - 8 * step)).toEqual([]);
  });

  test('a box of zero size contains its point', async () => {
    expect(await inside(7.4474, 46.948, 7.4474, 46.948)).toEqual(['bern']);
    expect(await inside(0, 0, 0, 0)).toEqual(['null_island']);
    expect(await inside(-0, -0, -0, -0)).toEqual(['null_island']);
  });

  test('a box across the antimeridian contains the points on both sides of it', async () => {
    expect(await inside(178, -20, -171, -10)).toEqual(['samoa', 'suva']);
    expect(await inside(179, -20, -171, -10)).toEqual(['samoa']);
    expect(await inside(178, -20, -172, -10)).toEqual(['suva']);
    expect(await inside(179, -20, -172, -10)).toEqual([]);
  });

  test('a box across the antimeridian includes its edges, but not the points outside them', async () => {
    expect(await inside(178.44, -20, -171.75, -10)).toEqual(['samoa', 'suva']);
    expect(await inside(-171.75, -20, 178.44, -10)).toEqual(['samoa', 'suva']);
    expect(await inside(8, -90, 7, 90)).not.toContain('bern');
    expect(await inside(7.4474, -90, 7, 90)).toContain('bern');
  });

  test('degrees are not normalised: 180 is not inside a box that begins at -180', async () => {
    expect(await inside(-180, 0, -170, 10)).toEqual(['line_east']);
    expect(await inside(170, 0, 180, 10)).toEqual(['line_west']);
    expect(await inside(180, 0, -180, 10)).toEqual(['line_east', 'line_west']);
  });

  test('the poles are inside if the box reaches them', async () => {
    expect(await inside(-10, 80, 10, 90)).toEqual(['pole_north']);
    expect(await inside(-10, 80, 10, 89.999)).toEqual([]);
    expect(await inside(10, -90, 20, -80)).toEqual(['pole_south']);
    expect(await inside(-10, -90, 10, -80)).toEqual([]);
  });

  test('a box and filters combine with AND', async () => {
    const box = { minLng: 178, minLat: -20, maxLng: -171, maxLat: -10 };
    const filters = [where('id', 'starts_with', 'su')];
    expect(await service.column('id', { box, filters })).toEqual(['suva']);
    expect(await service.values('longitude', { box, filters })).toEqual(['178.44']);
  });

  test('minLat greater than maxLat is refused', async () => {
    expect(await refusal(0, 10, 10, 9.5)).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /options/boundingBox/minLat
      minLat 10 is greater than maxLat 9.5.
      Swap the two latitudes. Only minLng may be greater: such a box crosses the antimeridian."
    `);
  });

  test('a degree out of range is refused', async () => {
    expect(await refusal(0, -90.1, 10, 10)).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /options/boundingBox/minLat
      The degree -90.1 is not between -90 and 90.
      Latitudes are from -90 to 90; latitude and longitude may be swapped."
    `);
    expect(await refusal(0, 0, 10, 91)).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /options/boundingBox/maxLat
      The degree 91 is not between -90 and 90.
      Latitudes are from -90 to 90; latitude and longitude may be swapped."
    `);
    expect(await refusal(-180.5, 0, 10, 10)).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /options/boundingBox/minLng
      The degree -180.5 is not between -180 and 180.
      Longitudes are between -180 and 180; a box across the antimeridian has minLng > maxLng."
    `);
    expect(await refusal(0, 0, 181, 10)).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /options/boundingBox/maxLng
      The degree 181 is not between -180 and 180.
      Longitudes are between -180 and 180; a box across the antimeridian has minLng > maxLng."
    `);
  });

  test('a degree that is not finite is refused', async () => {
    expect(await refusal(Number.NaN, 0, 10, 10)).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /options/boundingBox/minLng
      The degree NaN is not between -180 and 180.
      Longitudes are between -180 and 180; a box across the antimeridian has minLng > maxLng."
    `);
    expect(await refusal(0, 0, 10, Number.POSITIVE_INFINITY)).toMatchInlineSnapshot(`
      "INVALID_BOUNDING_BOX at /options/boundingBox/maxLat
      The degree Infinity is not between -90 and 90.
      Latitudes are from -90 to 90; latitude and longitude may be swapped."
    `);
  });

  test('a dataset without points refuses the option', async () => {
    const box = { minLng: 0, minLat: 0, maxLng: 10, maxLat: 50 };
    const question = { dataset: 'conformance.no_points', box };
    expect(await refusalOf(service.listRecords(question))).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /options/boundingBox
      The records of conformance.no_points have no point, so they cannot be filtered by a bounding box.
      Leave boundingBox out; getDataReference lists the available options."
    `);
    expect(
      await refusalOf(service.searchFieldValues({ ...question, field: 'id' })),
    ).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /options/boundingBox
      The records of conformance.no_points have no point, so they cannot be filtered by a bounding box.
      Leave boundingBox out; getDataReference lists the available options."
    `);
  });
});
