import { wholeGrant } from '@locmetrics/core/domain/grant';
import { EARTH_RADIUS_METRES } from '@locmetrics/core/geometry/circle';
import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { type RecordsQuestion, useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { where } from '../filter-clause.ts';
import { callerWith } from '../random/random-grant.ts';
import { refusalOf } from '../refusal.ts';
import { defineTable } from '../table.ts';

const fields = { id: 'string', latitude: 'float', longitude: 'float' } as const;
const point = { latitude: 'latitude', longitude: 'longitude' };
const POINTS = defineTable({
  name: 'conformance.points',
  fields,
  point,
  rows: [
    { id: 'a_nowhere', latitude: null, longitude: null },
    { id: 'bern', latitude: 46.948, longitude: 7.4474 },
    { id: 'bern_opposite', latitude: -46.948, longitude: -172.5526 },
    { id: 'bern_twin', latitude: 46.948, longitude: 7.4474 },
    { id: 'east', latitude: 0, longitude: 10 },
    { id: 'line_east', latitude: 5, longitude: -180 },
    { id: 'line_west', latitude: 5, longitude: 180 },
    { id: 'north', latitude: 10, longitude: 0 },
    { id: 'pole_north', latitude: 90, longitude: 0 },
    { id: 'pole_south', latitude: -90, longitude: 12 },
    { id: 'south', latitude: -10, longitude: 0 },
    { id: 'west', latitude: 0, longitude: -10 },
    { id: 'z_nowhere', latitude: null, longitude: null },
    { id: 'zurich', latitude: 47.3769, longitude: 8.5417 },
  ],
});
const OLD = defineTable({
  name: 'conformance.old_points',
  fields,
  point,
  hasVectors: false,
  rows: [{ id: 'bern', latitude: 46.948, longitude: 7.4474 }],
});
const NO_POINTS = defineTable({ name: 'conformance.no_points', fields, rows: OLD.rows });
const NAMED = defineTable({
  name: 'conformance.named',
  fields: { ...fields, distance_metres: 'float' },
  point,
  rows: [{ id: 'bern', latitude: 46.948, longitude: 7.4474, distance_metres: 1 }],
});

const BERN = { longitude: 7.4474, latitude: 46.948 };
const ZERO = { longitude: 0, latitude: 0 };
/** So small that a stream has several parts, of which the later ones are read from a sorted copy. */
const SMALL_SIZES = {
  firstPage: 2,
  indexed: 4,
  page: 3,
  piece: 2,
  partBytes: 100,
  slowPartBytes: 100,
  textBytesMax: 20,
};
const QUARTER = (Math.PI / 2) * EARTH_RADIUS_METRES;

describeOn(ENGINES)('the order by distance, $name engine', (engine) => {
  const service = useService(engine, POINTS, OLD, NO_POINTS, NAMED);
  const ids = (question: RecordsQuestion) => service.column('id', question);
  const refusal = (question: RecordsQuestion) => refusalOf(service.listRecords(question));

  test('the nearest record is first, equal ones are in the order of the key, absent points are last', async () => {
    expect(await ids({ near: BERN })).toEqual([
      ...['bern', 'bern_twin', 'zurich', 'north', 'pole_north', 'east', 'west', 'south'],
      ...['line_east', 'line_west', 'pole_south', 'bern_opposite', 'a_nowhere', 'z_nowhere'],
    ]);
    expect((await ids({ near: { longitude: 180, latitude: 0 } })).slice(0, 4)).toEqual([
      ...['line_east', 'line_west', 'bern_opposite', 'pole_north'],
    ]);
  });

  test('points at the same distance are in the order of the key', async () => {
    expect((await ids({ near: ZERO })).slice(0, 4)).toEqual(['east', 'north', 'south', 'west']);
  });

  test('each record has its distance after its fields', async () => {
    const answer = await service.listRecords({ near: ZERO, fields: ['latitude', 'id'] });
    expect(answer.fields.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'string'],
      ['latitude', 'float'],
      ['distance_metres', 'float'],
    ]);
    const metres = new Map(answer.rows.map(([id, , distance]) => [id, distance]));
    expect(metres.get('north')).toBeCloseTo((10 / 90) * QUARTER, 4);
    expect(metres.get('east')).toBe(metres.get('west'));
    expect(metres.get('pole_north')).toBeCloseTo(QUARTER, 4);
    expect(metres.get('a_nowhere')).toBeNull();
    const { rows } = await service.listRecords({ near: BERN, fields: ['id'], pageSize: 2 });
    expect(rows).toEqual([
      ['bern', 0],
      ['bern_twin', 0],
    ]);
  });

  test('the opposite point is half the circumference away', async () => {
    const opposite = { longitude: -172.5526, latitude: -46.948 };
    const { rows } = await service.listRecords({
      near: opposite,
      fields: ['id'],
      filters: [where('id', '==', 'bern')],
    });
    expect(rows[0]?.[1]).toBeCloseTo(2 * QUARTER, 0);
  });

  test('pages of any size have all records once, in the same order, with the same distances', async () => {
    const asked = { near: ZERO, fields: ['id'] };
    const { rows } = await service.listRecords(asked);
    for (const pageSize of [1, 2, 3, 5]) {
      const pages = await service.recordPages({ ...asked, pageSize });
      expect(pages.flatMap((page) => page.rows)).toEqual(rows);
    }
  });

  test('a page goes on only with the same point', async () => {
    const { nextPageToken: pageToken } = await service.listRecords({ near: ZERO, pageSize: 1 });
    expect(await refusal({ near: BERN, pageSize: 1, pageToken })).toContain('PAGE_TOKEN');
    expect(await refusal({ pageSize: 1, pageToken })).toContain('PAGE_TOKEN');
  });

  test('it combines with filters, an area and a count', async () => {
    const box = { minLng: -20, minLat: -20, maxLng: 20, maxLat: 60 };
    expect(await ids({ near: BERN, box, filters: [where('id', '!=', 'bern')] })).toEqual([
      ...['bern_twin', 'zurich', 'north', 'east', 'west', 'south'],
    ]);
    const circle = { ...BERN, radiusMetres: 96_000 };
    expect(await ids({ near: BERN, circle, pageSize: 1 })).toEqual(['bern', 'bern_twin', 'zurich']);
    expect(await ids({ near: { ...BERN, longitude: 9 }, circle })).toEqual([
      ...['zurich', 'bern', 'bern_twin'],
    ]);
    const counted = await service.listRecords({ near: BERN, circle, countOnly: true });
    expect(counted.totalSize).toBe(3);
  });

  test.each(['csv', 'ndjson', 'geojson', 'parquet', 'arrow'] as const)(
    'a stream as %s has the same records and distances, however it is read',
    async (format) => {
      const asked = { near: ZERO, fields: ['id'], format };
      const whole = await service.streamText(asked);
      expect(whole).toContain('distance_metres');
      const { rows } = await service.listRecords({ near: ZERO, fields: ['id'] });
      const places = rows.map(([id]) => whole.search(new RegExp(`\\b${id}\\b`)));
      expect(places).toEqual(places.toSorted((left, right) => left - right));
      expect(places[0]).toBeGreaterThan(0);
      for (const [, distance] of rows.slice(0, 3)) expect(whole).toContain(String(distance));
      expect(await service.streamText({ ...asked, sizes: SMALL_SIZES })).toBe(whole);
    },
  );

  test('a stream of GeoJSON has the distance among the properties', async () => {
    const filters = [where('id', '==', 'bern')];
    const text = await service.streamText({
      near: BERN,
      fields: ['id'],
      filters,
      format: 'geojson',
    });
    expect(JSON.parse(text).features).toEqual([
      {
        type: 'Feature',
        properties: { id: 'bern', distance_metres: 0 },
        geometry: { type: 'Point', coordinates: [7.4474, 46.948] },
      },
    ]);
  });

  test('a withheld coordinate is absent', async () => {
    const low = { ...fields, latitude: { type: 'float', suppressBelow: 40 } } as const;
    await service.publish(
      defineTable({ name: 'conformance.low', fields: low, point, rows: POINTS.rows }),
    );
    const caller = callerWith([wholeGrant('low', 'conformance.low')]);
    const asked = { dataset: 'conformance.low', caller, near: ZERO, fields: ['id'] };
    const { rows } = await service.listRecords(asked);
    expect(rows.map(([id]) => id)).toEqual([
      ...['bern', 'bern_twin', 'zurich', 'pole_north', 'a_nowhere', 'bern_opposite', 'east'],
      ...['line_east', 'line_west', 'north', 'pole_south', 'south', 'west', 'z_nowhere'],
    ]);
    expect(rows.slice(4).every(([, distance]) => distance === null)).toBe(true);
  });

  test('a hidden coordinate refuses the option', async () => {
    const grant = { ...wholeGrant('some', 'conformance.points'), fields: ['id', 'latitude'] };
    const caller = callerWith([grant]);
    expect(await refusal({ near: ZERO, caller })).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /options/near
      The records of conformance.points have no point, so they cannot be ordered by distance.
      Leave near out; getDataReference lists the available options."
    `);
  });

  test('another order, and a request for something else than records, refuse it', async () => {
    const orderBy = { fieldName: 'id', descending: false };
    expect(await refusal({ near: ZERO, orderBy })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/near
      The request has both near and orderBy.
      Send one of them: near orders the records by their distance."
    `);
    expect(await refusal({ near: ZERO, recordCount: true })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/near
      The request is for groups of records, which have no order by distance.
      Leave near out. To select what is near, send a circle."
    `);
    expect(
      await refusalOf(service.searchFieldValues({ near: ZERO, field: 'id' })),
    ).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/near
      The request is for values of a field, which have no order by distance.
      Leave near out. To select what is near, send a circle."
    `);
  });

  test('a point out of range, an old version, a dataset without points and a name in use refuse it', async () => {
    expect(await refusal({ near: { longitude: 181, latitude: 0 } })).toMatchInlineSnapshot(`
      "INVALID_CIRCLE at /options/near/longitude
      The longitude 181 is not between -180 and 180.
      Longitudes are from -180 to 180, latitudes from -90 to 90; longitude and latitude may be swapped."
    `);
    expect(await refusal({ near: ZERO, dataset: 'conformance.old_points' })).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /options/near
      This version of conformance.old_points was published before circles and distances, so its records cannot be ordered by distance.
      Leave near out. To make it available, the owner of the data has to publish the dataset again."
    `);
    expect(await refusal({ near: ZERO, dataset: 'conformance.no_points' })).toMatchInlineSnapshot(`
      "UNAVAILABLE_OPTION at /options/near
      The records of conformance.no_points have no point, so they cannot be ordered by distance.
      Leave near out; getDataReference lists the available options."
    `);
    expect(await refusal({ near: ZERO, dataset: 'conformance.named' })).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/near
      The records have a field 'distance_metres', and near adds a value of this name.
      Name the other fields in fields, or send orderBy in place of near."
    `);
    const named = { near: BERN, dataset: 'conformance.named', fields: ['id'] };
    expect((await service.listRecords(named)).rows).toEqual([['bern', 0]]);
  });
});
