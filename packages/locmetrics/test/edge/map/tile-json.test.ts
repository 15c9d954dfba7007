import { wholeGrant } from '@locmetrics/core/domain/grant';
import { describe, expect, test } from 'vitest';
import { useTestServer } from '../test-server.ts';
import { TILED_SHOPS } from './tiled-shops.ts';

const tokens = { part: '' };
const { url, data, send } = useTestServer(
  async (to) => {
    await to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z');
    to.store.createOrganisation({ id: 'part', name: 'Part' });
    to.store.addGrant('part', {
      ...wholeGrant('', 'map.shops'),
      filters: [{ fieldName: 'city', operator: '==', value: 'Biel', values: [] }],
      fields: ['id', 'latitude', 'longitude', 'city'],
    });
    tokens.part = to.store.createToken({ organisationId: 'part', name: 'part' }).tokenText;
  },
  { trustedProxies: ['127.0.0.1'] },
);

const describeTiles = async (
  query = '',
  { token = data().token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
) => {
  const answer = await send(`/v3/catalog/map.shops/tiles.json${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { ...answer, json: answer.text === '' ? undefined : JSON.parse(answer.text) };
};

const IN_BIEL = encodeURIComponent('[{"fieldName":"city","operator":"==","value":"Biel"}]');

describe('the description of the tiles', () => {
  test('is TileJSON with the address, the zooms, the bounds and the layers', async () => {
    const { status, headers, json } = await describeTiles();
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect({
      ...json,
      tiles: json.tiles.map((one: string) => one.replace(url(), 'URL')),
    }).toMatchInlineSnapshot(`
      {
        "bounds": [
          -78.46,
          -18.1,
          178.44,
          47.13,
        ],
        "cellsUntilZoom": 16,
        "description": "",
        "maxzoom": 16,
        "minzoom": 0,
        "name": "map.shops",
        "tilejson": "3.0.0",
        "tiles": [
          "URL/v3/catalog/map.shops/tiles/{z}/{x}/{y}.mvt",
        ],
        "vector_layers": [
          {
            "description": "The records of a tile with few of them, as points.",
            "fields": {
              "id": "String",
            },
            "id": "records",
          },
          {
            "description": "The cells of a tile with many records, as squares.",
            "fields": {
              "count": "Number",
            },
            "id": "cells",
          },
        ],
      }
    `);
  });

  test('has an address with its parameters, at which the tiles are', async () => {
    const { json } = await describeTiles(
      `?fields=city,area&aggregate=sum:visits&filters=${IN_BIEL}`,
    );
    expect(json.vector_layers.map(({ fields }: { fields: object }) => fields)).toEqual([
      { id: 'String', city: 'String', area: 'Number' },
      { count: 'Number', 'sum:visits': 'Number' },
    ]);
    expect(json.bounds).toEqual([7.24, 47.13, 7.24, 47.13]);
    const [address = ''] = json.tiles;
    const tile = address.replace('{z}', '0').replace('{x}', '0').replace('{y}', '0');
    expect(tile).toContain(`${url()}/v3/catalog/map.shops/tiles/0/0/0.mvt?`);
    const direct = await send(
      `/v3/catalog/map.shops/tiles/0/0/0.mvt?fields=city,area&aggregate=sum:visits&filters=${IN_BIEL}`,
    );
    expect((await send(tile.slice(url().length))).text).toBe(direct.text);
  });

  test('keeps a brace of a parameter encoded, so that a map does not fill it in', async () => {
    const filters = '[{"fieldName":"city","operator":"==","value":"{z}"}]';
    const { json } = await describeTiles(`?filters=${encodeURIComponent(filters)}`);
    const [address = ''] = json.tiles;
    expect(address.match(/\{\w\}/g)).toEqual(['{z}', '{x}', '{y}']);
    expect(new URL(address).searchParams.get('filters')).toBe(filters);
    expect(json).not.toHaveProperty('bounds');
  });

  test('has the address that a trusted proxy forwards', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'data.example.org' };
    const { json } = await describeTiles('', { headers });
    expect(json.tiles).toEqual([
      'https://data.example.org/v3/catalog/map.shops/tiles/{z}/{x}/{y}.mvt',
    ]);
  });

  test('has the bounds and the fields that the caller sees', async () => {
    const { json } = await describeTiles('?fields=city', { token: tokens.part });
    expect(json.bounds).toEqual([7.24, 47.13, 7.24, 47.13]);
    const refused = await describeTiles('?fields=area', { token: tokens.part });
    expect([refused.status, refused.json.reason]).toEqual([400, 'UNKNOWN_FIELD']);
  });

  test('has the last zoom of crowded tiles, among the records that the caller sees and that match', async () => {
    const zoomOf = async (query: string, token?: string) =>
      (await describeTiles(query, token === undefined ? {} : { token })).json.cellsUntilZoom;
    // 2,700 shops are at one point in Bern, and 300 at one in Biel.
    expect(await zoomOf('?cells=true')).toBe(16);
    expect(await zoomOf(`?filters=${IN_BIEL}`)).toBeUndefined();
    expect(await zoomOf('', tokens.part)).toBeUndefined();
    const around = (west: number) => {
      const ring = [
        [west, 46],
        [8, 46],
        [8, 48],
        [west, 48],
        [west, 46],
      ];
      return `?polygon=${encodeURIComponent(JSON.stringify({ type: 'Polygon', coordinates: [ring] }))}`;
    };
    expect(await zoomOf(around(7.4))).toBe(16);
    expect(await zoomOf(around(7.5))).toBeUndefined();
  });

  test('is not sent again to a caller who holds it, unless the address differs', async () => {
    const etag = (await describeTiles()).headers.get('etag') ?? '';
    expect((await describeTiles('', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const elsewhere = { 'if-none-match': etag, 'x-forwarded-host': 'data.example.org' };
    expect((await describeTiles('', { headers: elsewhere })).status).toBe(200);
  });

  test('is refused for a dataset that is unknown or has no points', async () => {
    const refusal = async (dataset: string, query = '') => {
      const { status, text } = await send(`/v3/catalog/${dataset}/tiles.json${query}`);
      return `${status} ${JSON.parse(text).detail}`;
    };
    expect(await refusal('map.shop')).toBe("404 There is no data reference 'map.shop'.");
    expect(await refusal('map.plain')).toBe(
      '400 The records of map.plain have no point, so there are no tiles of them.',
    );
    expect(await refusal('map.shops', '?aggregate=sum:city')).toBe(
      "400 The field 'city' is of type string, so it has no sum.",
    );
    expect(await refusal('map.shops', '?zoom=1')).toBe("400 Unknown parameter 'zoom' in the URL.");
  });
});
