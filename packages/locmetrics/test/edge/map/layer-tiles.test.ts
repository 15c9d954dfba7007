import { WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, test } from 'vitest';
import { useTestServer } from '../test-server.ts';
import { DISTRICT_FILES } from './districts.ts';

const tokens = { biel: '', records: '' };
const { url, data, send } = useTestServer(async (to) => {
  await to.publishFiles(DISTRICT_FILES, '2024-03-01T10:00:00.000Z');
  to.store.createOrganisation({ id: 'biel', name: 'Biel' });
  to.store.addGrant('biel', {
    ...wholeGrant('', 'city/visits'),
    lens: { ...WHOLE_LENS, addressComponents: [{ component: 'city', values: ['Biel'] }] },
  });
  tokens.biel = to.store.createToken({ organisationId: 'biel', name: 'biel' }).tokenText;
  to.store.createOrganisation({ id: 'records', name: 'Records' });
  to.store.addGrant('records', wholeGrant('', 'city.districts'));
  tokens.records = to.store.createToken({ organisationId: 'records', name: 'r' }).tokenText;
});

const PATH = '/v1/catalogs/city/layers/districts';
const tileOf = async (path: string, { token = data().token, headers = {} } = {}) => {
  const answer = await fetch(`${url()}${PATH}/tiles/${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const isTile = answer.status === 200;
  const layer = isTile ? new VectorTile(new PbfReader(bytes)).layers['features'] : undefined;
  const features = Array.from({ length: layer?.length ?? 0 }, (_, index) =>
    layer?.feature(index),
  ).flatMap((feature) =>
    feature === undefined
      ? []
      : [{ properties: { ...feature.properties }, rings: feature.loadGeometry() }],
  );
  const body = isTile || bytes.length === 0 ? undefined : JSON.parse(Buffer.from(bytes).toString());
  return { status: answer.status, headers: answer.headers, features, body, bytes: bytes.length };
};
const idsOf = ({ features }: Awaited<ReturnType<typeof tileOf>>) =>
  features.map(({ properties }) => properties['id']);

/** The tile of zoom 5 with all districts, and one of zoom 12 inside the first. */
const ALL = '5/16/11.mvt';
const INSIDE = '12/2133/1450.mvt';

describe('a tile of a layer', () => {
  test('has the outlines of its features with ids and names', async () => {
    const { status, headers, features } = await tileOf(ALL);
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'application/vnd.mapbox-vector-tile',
    ]);
    expect(features).toMatchSnapshot();
  });

  test('has borders that neighbours share', async () => {
    const { features } = await tileOf(ALL);
    const corners = features.map(({ rings }) =>
      rings.flatMap((ring) => ring.map(({ x, y }) => `${x} ${y}`)),
    );
    const shared = (left = 0, right = 0) =>
      new Set(corners[left]).intersection(new Set(corners[right])).size;
    expect([shared(0, 1), shared(0, 2), shared(1, 3), shared(2, 3)]).toEqual([2, 2, 2, 2]);
  });

  test('inside an outline is covered by it, to a little beyond the edges', async () => {
    const { features } = await tileOf(INSIDE);
    expect(features).toMatchInlineSnapshot(`
      [
        {
          "properties": {
            "id": "d1",
            "name": "Harbour",
          },
          "rings": [
            [
              Point {
                "x": -64,
                "y": 4160,
              },
              Point {
                "x": -64,
                "y": -64,
              },
              Point {
                "x": 4160,
                "y": -64,
              },
              Point {
                "x": 4160,
                "y": 4160,
              },
              Point {
                "x": -64,
                "y": 4160,
              },
            ],
          ],
        },
      ]
    `);
  });

  test('without features is empty', async () => {
    const { status, headers, bytes } = await tileOf('5/0/0.mvt');
    expect([status, bytes, headers.has('content-type')]).toEqual([204, 0, false]);
  });

  test('has no feature that is too small to be seen', async () => {
    expect((await tileOf('0/0/0.mvt')).status).toBe(200);
    expect(idsOf(await tileOf('0/0/0.mvt'))).toEqual(['d1', 'd2', 'd3', 'd4']);
  });

  test('of a caller who sees a part has that part alone', async () => {
    expect(idsOf(await tileOf(ALL, { token: tokens.biel }))).toEqual(['d3', 'd4']);
    expect((await tileOf(INSIDE, { token: tokens.biel })).status).toBe(204);
    const hidden = await tileOf(ALL, { token: tokens.records });
    expect([hidden.status, hidden.body.reason]).toEqual([404, 'CATALOG_NOT_FOUND']);
  });

  test('is not sent again to a caller who has it', async () => {
    const first = await tileOf(ALL);
    const etag = first.headers.get('etag') ?? '';
    const again = await tileOf(ALL, { headers: { 'if-none-match': etag } });
    expect([again.status, again.bytes]).toEqual([304, 0]);
    const other = await tileOf(ALL, { token: tokens.biel, headers: { 'if-none-match': etag } });
    expect(other.status).toBe(200);
  });

  test.each([
    ['a zoom that is too deep', '17/0/0.mvt'],
    ['a row that does not exist', '3/0/8.mvt'],
    ['a place that is not a number', '3/a/0.mvt'],
    ['an unknown parameter', '3/0/0.mvt?fields=id'],
  ])('is refused for %s', async (_, path) => {
    const { status, body } = await tileOf(path);
    expect([status, body.reason, body.errors]).toMatchSnapshot();
  });

  test('of a layer without outlines is refused, and says how outlines are published', async () => {
    const { status, body } = await send('/v1/catalogs/city/layers/plain/tiles/0/0/0.mvt');
    expect([status, body]).toMatchInlineSnapshot(`
      [
        404,
        {
          "code": "NOT_FOUND",
          "detail": "The features of the layer 'plain' have no outlines, so there are no tiles of it.",
          "errors": [
            {
              "detail": "The features of the layer 'plain' have no outlines, so there are no tiles of it.",
              "pointer": "/layerId",
            },
          ],
          "hint": "Outlines are published with the dataset of the layer: outline, in the manifest. Features with points are in the tiles of their dataset.",
          "instance": "/v1/catalogs/city/layers/plain/tiles/0/0/0.mvt",
          "reason": "OUTLINES_NOT_FOUND",
          "requestId": "request-1",
          "status": 404,
          "title": "No outlines",
          "type": "urn:locmetrics:problem:OUTLINES_NOT_FOUND",
        },
      ]
    `);
    const described = await send('/v1/catalogs/city/layers/plain/tiles.json');
    expect(described.body.reason).toBe('OUTLINES_NOT_FOUND');
  });

  test('of an unknown layer is refused', async () => {
    const { body } = await send('/v1/catalogs/city/layers/district/tiles/0/0/0.mvt');
    expect(body).toMatchObject({
      reason: 'LAYER_NOT_FOUND',
      hint: "Did you mean 'districts'?",
    });
  });
});

describe('the description of the tiles of a layer', () => {
  test('is TileJSON with the address, the zooms, the bounds and the attribution', async () => {
    const { text } = await send(`${PATH}/tiles.json?billing_context=acme`);
    expect(JSON.parse(text.replaceAll(url(), 'URL'))).toMatchInlineSnapshot(`
      {
        "attribution": "The city.",
        "bounds": [
          7,
          46,
          9,
          48,
        ],
        "description": "",
        "maxzoom": 16,
        "minzoom": 0,
        "name": "Districts",
        "tilejson": "3.0.0",
        "tiles": [
          "URL/v1/catalogs/city/layers/districts/tiles/{z}/{x}/{y}.mvt?billing_context=acme",
        ],
        "vector_layers": [
          {
            "description": "The outlines of the features.",
            "fields": {
              "id": "String",
              "name": "String",
            },
            "id": "features",
          },
        ],
      }
    `);
  });

  test('has the bounds of what the caller sees', async () => {
    const { text } = await send(`${PATH}/tiles.json`, {
      headers: { authorization: `Bearer ${tokens.biel}` },
    });
    expect(JSON.parse(text).bounds).toEqual([7, 47, 9, 48]);
  });
});

describe('a tile with the values of a metric', () => {
  const valuesOf = async (query: string, token = data().token) => {
    const { status, features, body } = await tileOf(`${ALL}?${query}`, { token });
    expect([status, body]).toEqual([200, undefined]);
    return features.map(({ properties }) => [properties['id'], properties['value'] ?? null]);
  };

  test('has the value of each feature in a period', async () => {
    const january = [
      ['d1', 10],
      ['d2', 20],
      ['d3', 30],
      ['d4', 40],
    ];
    expect(await valuesOf('metric=visits&period=2024-01-01')).toEqual(january);
    expect(await valuesOf('metric=visits&period=2024-01-01/2024-01-31')).toEqual(january);
    expect(await valuesOf('metric=visits&period=2024-01-01/2024-01-30')).toEqual(
      january.map(([id]) => [id, null]),
    );
  });

  test('has those of the last period if it names none', async () => {
    expect(await valuesOf('metric=visits')).toEqual(
      await valuesOf('metric=visits&period=2024-02-01'),
    );
  });

  test('has those of a named dimension, else of its default', async () => {
    expect(await valuesOf('metric=visits&period=2024-01-01&dimensionFilter=age:young')).toEqual([
      ['d1', 9],
      ['d2', 19],
      ['d3', 29],
      ['d4', 39],
    ]);
    expect(await valuesOf('metric=visits&period=2024-01-01&dimension_filter=age:old')).toEqual(
      ['d1', 'd2', 'd3', 'd4'].map((id) => [id, null]),
    );
  });

  test('has only the values that the caller sees', async () => {
    expect(await valuesOf('metric=visits&period=2024-01-01', tokens.biel)).toEqual([
      ['d3', 30],
      ['d4', 40],
    ]);
    // Small values are withheld.
    expect(await valuesOf('metric=visits&dimensionFilter=age:young', tokens.biel)).toEqual([
      ['d3', 5],
      ['d4', 7],
    ]);
    expect(await valuesOf('metric=visits&dimensionFilter=age:young')).toMatchInlineSnapshot(`
      [
        [
          "d1",
          null,
        ],
        [
          "d2",
          null,
        ],
        [
          "d3",
          5,
        ],
        [
          "d4",
          7,
        ],
      ]
    `);
  });

  test('has another tag than a tile without, and than that of another period', async () => {
    const queries = ['', '?metric=visits', '?metric=visits&period=2024-01-01'];
    const tags = await Promise.all(
      queries.map(async (query) => (await tileOf(`${ALL}${query}`)).headers.get('etag')),
    );
    expect(new Set(tags).size).toBe(3);
  });

  test('is described with its type', async () => {
    const { text } = await send(`${PATH}/tiles.json?metric=visits&period=2024-01-01`);
    const { vector_layers: layers, tiles } = JSON.parse(text);
    expect(layers[0].fields).toEqual({ id: 'String', name: 'String', value: 'Number' });
    expect(tiles[0]).toMatch(/\.mvt\?metric=visits&period=2024-01-01$/);
  });

  test.each([
    ['an unknown metric', 'metric=visit'],
    ['a metric of another layer', 'metric=plain'],
    ['a metric of flows', 'metric=moves'],
    ['a dimension without one value', 'metric=moods'],
    [
      'two values of a dimension',
      'metric=visits&dimensionFilter=age:all&dimensionFilter=age:young',
    ],
    ['an unknown dimension', 'metric=visits&dimensionFilter=sex:f'],
    ['a day that does not exist', 'metric=visits&period=2024-02-30'],
    ['a text that is not a period', 'metric=visits&period=2024'],
    ['a period without a metric', 'period=2024-01-01'],
    ['a dimension without a metric', 'dimensionFilter=age:young'],
  ])('is refused for %s', async (_, query) => {
    const { status, body } = await tileOf(`${ALL}?${query}`);
    expect([status, body.reason, body.errors, body.hint]).toMatchSnapshot();
    const described = await send(`${PATH}/tiles.json?${query}`);
    expect(described.body.reason).toBe(body.reason);
  });
});
