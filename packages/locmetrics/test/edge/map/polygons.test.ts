import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

const { post, problem, send } = useTestServer((data) => data.publishFiles(SHOPS));

const dataReferenceName = 'shop.stores';
/** A box around the first store. */
const RING = [
  [8.5, 47.3],
  [8.6, 47.3],
  [8.6, 47.4],
  [8.5, 47.4],
  [8.5, 47.3],
] as const;
const POINTS = RING.map(([longitude, latitude]) => ({ longitude, latitude }));
const GEOJSON = { type: 'Polygon', coordinates: [RING] };

async function storesIn(polygon: object): Promise<readonly string[]> {
  const { text } = await post('listRecords', { dataReferenceName, options: { polygon } });
  const { records }: { records: { fields: { store_id: string } }[] } = JSON.parse(text);
  return records.map(({ fields }) => fields.store_id);
}

async function refusalOf(polygon: unknown) {
  const { text } = await post('listRecords', { dataReferenceName, options: { polygon } });
  const { reason, detail, errors } = JSON.parse(text);
  return { reason, detail, errors };
}

test('a polygon is a list of points, or a polygon of GeoJSON', async () => {
  expect(await storesIn({ coordinates: POINTS })).toEqual(['S1']);
  expect(await storesIn(GEOJSON)).toEqual(['S1']);
  expect(await storesIn({ coordinates: [RING] })).toEqual(['S1']);
  const withHeights = RING.map((point) => [...point, 400]);
  expect(await storesIn({ ...GEOJSON, coordinates: [withHeights] })).toEqual(['S1']);
});

test('a polygon that is not one ring of points is refused where it is not', async () => {
  const hole = { ...GEOJSON, coordinates: [RING, RING] };
  expect(await refusalOf(hole)).toMatchInlineSnapshot(`
    {
      "detail": "The polygon has 2 rings.",
      "errors": [
        {
          "detail": "The polygon has 2 rings.",
          "pointer": "/options/polygon/coordinates/1",
        },
      ],
      "reason": "INVALID_POLYGON",
    }
  `);
  expect(await refusalOf({ coordinates: [RING, ...POINTS] })).toMatchInlineSnapshot(`
    {
      "detail": "'options.polygon.coordinates.1' must be a list; it is an object.",
      "errors": [
        {
          "detail": "'options.polygon.coordinates.1' must be a list; it is an object.",
          "pointer": "/options/polygon/coordinates/1",
        },
        {
          "detail": "'options.polygon.coordinates.2' must be a list; it is an object.",
          "pointer": "/options/polygon/coordinates/2",
        },
        {
          "detail": "'options.polygon.coordinates.3' must be a list; it is an object.",
          "pointer": "/options/polygon/coordinates/3",
        },
        {
          "detail": "'options.polygon.coordinates.4' must be a list; it is an object.",
          "pointer": "/options/polygon/coordinates/4",
        },
        {
          "detail": "'options.polygon.coordinates.5' must be a list; it is an object.",
          "pointer": "/options/polygon/coordinates/5",
        },
        {
          "detail": "'options.polygon.coordinates.0' must be an object; it is a list.",
          "pointer": "/options/polygon/coordinates/0",
        },
      ],
      "reason": "INVALID_REQUEST",
    }
  `);
  expect(await refusalOf({ ...GEOJSON, type: 'MultiPolygon' })).toMatchInlineSnapshot(`
    {
      "detail": "'options.polygon.type' has no value "MultiPolygon". Did you mean 'Polygon'?",
      "errors": [
        {
          "detail": "'options.polygon.type' has no value "MultiPolygon". Did you mean 'Polygon'?",
          "pointer": "/options/polygon/type",
        },
        {
          "detail": "'options.polygon' must NOT have additional properties.",
          "pointer": "/options/polygon",
        },
        {
          "detail": "'options.polygon.coordinates.0' must be an object; it is a list.",
          "pointer": "/options/polygon/coordinates/0",
        },
      ],
      "reason": "INVALID_REQUEST",
    }
  `);
  expect(await refusalOf({ coordinates: [{ longitude: 8 }] })).toMatchInlineSnapshot(`
    {
      "detail": "In 'options.polygon.coordinates.0' the field 'latitude' is missing.",
      "errors": [
        {
          "detail": "In 'options.polygon.coordinates.0' the field 'latitude' is missing.",
          "pointer": "/options/polygon/coordinates/0/latitude",
        },
      ],
      "reason": "INVALID_REQUEST",
    }
  `);
  expect(await refusalOf({ coordinates: [[[8]]] })).toMatchInlineSnapshot(`
    {
      "detail": "'options.polygon.coordinates.0.0' must NOT have fewer than 2 items.",
      "errors": [
        {
          "detail": "'options.polygon.coordinates.0.0' must NOT have fewer than 2 items.",
          "pointer": "/options/polygon/coordinates/0/0",
        },
      ],
      "reason": "INVALID_REQUEST",
    }
  `);
  expect(
    await refusalOf({ coordinates: [{ longitude: 8, lattitude: 47 }] }),
  ).toMatchInlineSnapshot(`
    {
      "detail": "In 'options.polygon.coordinates.0' the field 'latitude' is missing.",
      "errors": [
        {
          "detail": "In 'options.polygon.coordinates.0' the field 'latitude' is missing.",
          "pointer": "/options/polygon/coordinates/0/latitude",
        },
        {
          "detail": "'options.polygon.coordinates.0' must NOT have additional properties.",
          "pointer": "/options/polygon/coordinates/0",
        },
      ],
      "reason": "INVALID_REQUEST",
    }
  `);
  expect(await refusalOf({ coordinates: [] })).toMatchInlineSnapshot(`
    {
      "detail": "The ring has 0 points.",
      "errors": [
        {
          "detail": "The ring has 0 points.",
          "pointer": "/options/polygon/coordinates",
        },
      ],
      "reason": "INVALID_POLYGON",
    }
  `);
});

test('a point is refused with its place in the polygon as it is written', async () => {
  const far = [RING[0], [181, 47], RING[2], RING[0]];
  expect((await refusalOf({ ...GEOJSON, coordinates: [far] })).errors).toMatchObject([
    { pointer: '/options/polygon/coordinates/0/1' },
  ]);
  const points = far.map(([longitude, latitude]) => ({ longitude, latitude }));
  expect((await refusalOf({ coordinates: points })).errors).toMatchObject([
    { pointer: '/options/polygon/coordinates/1' },
  ]);
});

test('streams and tiles have the polygon as a parameter', async () => {
  const polygon = encodeURIComponent(JSON.stringify(GEOJSON));
  const path = `/v3/catalog/${dataReferenceName}`;
  const stream = await send(`${path}/records.ndjson?fields=store_id&polygon=${polygon}`);
  expect(stream.text).toBe('{"store_id":"S1"}\n');
  const tiles = await send(`${path}/tiles.json?polygon=${polygon}`);
  expect(JSON.parse(tiles.text).bounds).toEqual([8.54, 47.37, 8.54, 47.37]);
  const all = await send(`${path}/tiles.json`);
  expect(JSON.parse(all.text).bounds).not.toEqual([8.54, 47.37, 8.54, 47.37]);
  const tile = await send(`${path}/tiles/0/0/0.mvt?polygon=${polygon}`);
  expect(tile.status).toBe(200);
  const empty = RING.map(([longitude, latitude]) => [longitude + 90, latitude]);
  const nowhere = encodeURIComponent(JSON.stringify({ ...GEOJSON, coordinates: [empty] }));
  expect((await send(`${path}/tiles/0/0/0.mvt?polygon=${nowhere}`)).status).toBe(204);
});

test('a parameter that is not a polygon is refused', async () => {
  const path = `/v3/catalog/${dataReferenceName}/records.csv`;
  const refused = async (written: string) => {
    const { text } = await send(`${path}?polygon=${encodeURIComponent(written)}`);
    const { reason, detail, errors } = JSON.parse(text);
    return { reason, detail, errors };
  };
  expect(await refused('8,47')).toMatchInlineSnapshot(`
    {
      "detail": "The parameter 'polygon' is not JSON: '8,47'.",
      "errors": [
        {
          "detail": "The parameter 'polygon' is not JSON: '8,47'.",
          "pointer": "/polygon",
        },
      ],
      "reason": "INVALID_POLYGON",
    }
  `);
  expect(await refused('{"type":"Point","coordinates":[8,47]}')).toMatchInlineSnapshot(`
    {
      "detail": "'type' has no value "Point". It can be Polygon.",
      "errors": [
        {
          "detail": "'type' has no value "Point". It can be Polygon.",
          "pointer": "/polygon",
        },
      ],
      "reason": "INVALID_POLYGON",
    }
  `);
  expect(await refused('{"coordinates":[[[8,47],[9,47],[8,47]]]}')).toMatchInlineSnapshot(`
    {
      "detail": "The ring has 3 points.",
      "errors": [
        {
          "detail": "The ring has 3 points.",
          "pointer": "/polygon/coordinates/0",
        },
      ],
      "reason": "INVALID_POLYGON",
    }
  `);
  const { text } = await send(
    `${path}?boundingBox=8,47,9,48&polygon=${encodeURIComponent(JSON.stringify(GEOJSON))}`,
  );
  expect(JSON.parse(text)).toMatchObject({
    reason: 'INVALID_OPTION',
    errors: [{ pointer: '/polygon' }],
  });
});

test('a page token belongs to its polygon', async () => {
  const wide = POINTS.map(({ longitude, latitude }) => ({
    longitude: longitude < 8.55 ? 0 : 20,
    latitude: latitude < 47.35 ? 0 : 60,
  }));
  const body = { dataReferenceName, options: { polygon: { coordinates: wide } }, pageSize: 1 };
  const { nextPageToken: pageToken } = JSON.parse((await post('listRecords', body)).text);
  expect(pageToken).not.toBe('');
  expect((await post('listRecords', { ...body, pageToken })).status).toBe(200);
  const turned = wide.toReversed();
  expect(
    await problem('listRecords', {
      ...body,
      options: { polygon: { coordinates: turned } },
      pageToken,
    }),
  ).toMatchObject({ reason: 'INVALID_PAGE_TOKEN' });
});

test('an export shows its polygon', async () => {
  const options = { polygon: GEOJSON };
  const { text } = await post('createRecordsExport', { dataReferenceName, options });
  expect(
    JSON.parse(text).options.polygon ?? JSON.parse(text).recordsExport?.options.polygon,
  ).toEqual({
    coordinates: POINTS,
  });
});
