import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

const { post, problem, send } = useTestServer((data) => data.publishFiles(SHOPS));

const dataReferenceName = 'shop.stores';
/** Around the first store. */
const CIRCLE = { longitude: 8.54, latitude: 47.37, radiusMetres: 1000 };

async function storesIn(circle: object): Promise<readonly string[]> {
  const { text } = await post('listRecords', { dataReferenceName, options: { circle } });
  const { records }: { records: { fields: { store_id: string } }[] } = JSON.parse(text);
  return records.map(({ fields }) => fields.store_id);
}

test('a circle is written in either spelling, but not in both', async () => {
  expect(await storesIn(CIRCLE)).toEqual(['S1']);
  const { radiusMetres, ...center } = CIRCLE;
  expect(await storesIn({ ...center, radius_metres: radiusMetres })).toEqual(['S1']);
  const circle = { ...CIRCLE, radius_metres: radiusMetres };
  expect(await problem('listRecords', { dataReferenceName, options: { circle } })).toMatchObject({
    reason: 'DUPLICATE_REQUEST_FIELD',
  });
});

test('a circle needs its centre and its radius', async () => {
  const { radiusMetres: _, ...circle } = CIRCLE;
  const body = { dataReferenceName, options: { circle } };
  expect(await problem('listRecords', body)).toMatchObject({
    reason: 'INVALID_REQUEST',
    errors: [{ pointer: '/options/circle/radiusMetres' }],
  });
});

test('streams and tiles have the circle as a parameter', async () => {
  const path = `/v3/catalog/${dataReferenceName}`;
  const stream = await send(`${path}/records.ndjson?fields=store_id&circle=8.54,47.37,1e3`);
  expect(stream.text).toBe('{"store_id":"S1"}\n');
  const tiles = await send(`${path}/tiles.json?circle=8.54,47.37,1000`);
  expect(JSON.parse(tiles.text).bounds).toEqual([8.54, 47.37, 8.54, 47.37]);
  expect((await send(`${path}/tiles/0/0/0.mvt?circle=8.54,47.37,1000`)).status).toBe(200);
  expect((await send(`${path}/tiles/0/0/0.mvt?circle=-8.54,47.37,1000`)).status).toBe(204);
});

test.each([
  ['8.54,47.37', '/circle'],
  ['8.54,47.37,far', '/circle'],
  ['8.54,97.37,1000', '/circle'],
  ['8.54,47.37,0', '/circle'],
])('the parameter %s is refused', async (circle, pointer) => {
  for (const path of ['records.csv', 'tiles.json']) {
    const { text } = await send(`/v3/catalog/${dataReferenceName}/${path}?circle=${circle}`);
    const { reason, errors } = JSON.parse(text);
    expect([reason, errors[0].pointer]).toEqual(['INVALID_CIRCLE', pointer]);
  }
});

test('a parameter that is not a circle says how one is written', async () => {
  const { text } = await send(`/v3/catalog/${dataReferenceName}/records.csv?circle=Bern`);
  const { detail, hint } = JSON.parse(text);
  expect([detail, hint]).toMatchInlineSnapshot(`
    [
      "'Bern' is not 3 numbers separated by commas.",
      "Write the longitude and the latitude of the centre in degrees, and the radius in metres: -118.2,34.1,5000.",
    ]
  `);
});

test('a parameter with another area is refused', async () => {
  const path = `/v3/catalog/${dataReferenceName}/records.csv`;
  const { text } = await send(`${path}?boundingBox=8,47,9,48&circle=8.54,47.37,1000`);
  expect(JSON.parse(text)).toMatchObject({
    reason: 'INVALID_OPTION',
    errors: [{ pointer: '/circle' }],
  });
});

test('an export shows its circle', async () => {
  const options = { circle: CIRCLE };
  const { text } = await post('createRecordsExport', { dataReferenceName, options });
  const answer = JSON.parse(text);
  expect((answer.recordsExport ?? answer).options.circle).toEqual(CIRCLE);
});

test('records and streams have the distance from a point, the nearest first', async () => {
  const options = { near: { longitude: 8.54, latitude: 47.37 } };
  const body = { dataReferenceName, options, fields: ['store_id'] };
  const { text } = await post('listRecords', body);
  const { records, fieldDefinitions } = JSON.parse(text);
  expect(records[0]).toEqual({ fields: { store_id: 'S1', distance_metres: '0' } });
  expect(fieldDefinitions.at(-1)).toMatchInlineSnapshot(`
    {
      "description": "The distance from the point of the request, in metres.",
      "exampleValue": "",
      "filters": {
        "supportedOperators": [],
      },
      "includedByDefault": false,
      "name": "distance_metres",
      "sourceColumn": "",
      "type": "COLUMN_TYPE_FLOAT",
    }
  `);
  const typed = JSON.parse((await post('listRecords', { ...body, typedValues: true })).text);
  expect(typed.records[0].fields.distance_metres).toBe(0);
  const path = `/v3/catalog/${dataReferenceName}/records`;
  const csv = await send(`${path}.csv?fields=store_id&near=8.54,47.37`);
  expect(csv.text.split('\r\n').slice(0, 2)).toEqual(['store_id,distance_metres', 'S1,0']);
  const lines = await send(`${path}.ndjson?fields=store_id&near=8.54,47.37`);
  expect(lines.text.split('\n')[0]).toBe('{"store_id":"S1","distance_metres":0}');
});

test.each(['8.54', '8.54,97'])('the parameter near=%s is refused', async (near) => {
  const { text } = await send(`/v3/catalog/${dataReferenceName}/records.csv?near=${near}`);
  expect(JSON.parse(text)).toMatchObject({
    reason: 'INVALID_CIRCLE',
    errors: [{ pointer: '/near' }],
  });
});

test('statistics and tiles have no order by distance', async () => {
  const options = { near: { longitude: 8.54, latitude: 47.37 } };
  const body = { dataReferenceName, options, field: 'city' };
  expect(await problem('searchFieldValues', body)).toMatchObject({
    reason: 'INVALID_OPTION',
    errors: [{ pointer: '/options/near' }],
  });
  const { status } = await send(`/v3/catalog/${dataReferenceName}/tiles.json?near=8.54,47.37`);
  expect(status).toBe(400);
});
