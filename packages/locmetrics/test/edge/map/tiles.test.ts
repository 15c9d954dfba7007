import { wholeGrant } from '@locmetrics/core/domain/grant';
import { describe, expect, test } from 'vitest';
import { useTestServer } from '../test-server.ts';
import { readTileOf } from './read-tile-of.ts';
import { TILED_SHOPS } from './tiled-shops.ts';

const tokens = { part: '' };
const { url, data, send } = useTestServer(async (to) => {
  await to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z');
  to.store.createOrganisation({ id: 'part', name: 'Part' });
  to.store.addGrant('part', {
    ...wholeGrant('', 'map.shops'),
    filters: [{ fieldName: 'city', operator: '!=', value: 'Bern', values: [] }],
    fields: ['id', 'latitude', 'longitude', 'city'],
  });
  tokens.part = to.store.createToken({ organisationId: 'part', name: 'part' }).tokenText;
});

const tileOf = (path: string, token = data().token) => readTileOf({ url: url(), path, token });

const filters = (...list: readonly object[]) =>
  `filters=${encodeURIComponent(JSON.stringify(list))}`;

describe('a tile', () => {
  test('of few records has points with the key and the asked fields', async () => {
    const { status, headers, features } = await tileOf('3/2/4.mvt?fields=city,area');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile');
    expect(features).toEqual([
      { layer: 'records', properties: { id: 'far', city: 'Quito', area: 2.5 } },
    ]);
  });

  test('of many records has cells with counts and aggregates', async () => {
    const { features } = await tileOf('8/133/90.mvt?aggregate=sum:visits&aggregate=mean:area');
    expect(features).toEqual([
      {
        layer: 'cells',
        properties: { count: 2700, 'sum:visits': 25_500, 'mean:area': 0.5 },
      },
    ]);
  });

  test('has cells in any case, or points up to 10,000 records, if the request says so', async () => {
    const few = await tileOf('3/2/4.mvt?cells=true&aggregate=sum:area');
    expect(few.features).toEqual([{ layer: 'cells', properties: { count: 1, 'sum:area': 2.5 } }]);
    expect((await tileOf('3/0/0.mvt?cells=true')).status).toBe(204);
    const many = await tileOf('8/133/90.mvt?cells=false');
    expect(many.features).toHaveLength(2700);
    expect(new Set(many.features.map(({ layer }) => layer))).toEqual(new Set(['records']));
  });

  test('without records is empty', async () => {
    const { status, headers, features } = await tileOf('3/0/0.mvt');
    expect([status, features]).toEqual([204, []]);
    expect(headers.get('etag')).toMatch(/^"/);
    expect(headers.has('content-type')).toBe(false);
  });

  test('has only the records that match the filters, in either spelling', async () => {
    const camel = filters({ fieldName: 'city', operator: '==', value: 'Suva' });
    const snake = filters({ field_name: 'city', operator: '==', value: 'Suva' });
    const { features } = await tileOf(`0/0/0.mvt?${camel}`);
    expect(features).toEqual([{ layer: 'records', properties: { id: 'lone' } }]);
    expect((await tileOf(`0/0/0.mvt?${snake}`)).features).toEqual(features);
  });

  test('has the records that match the filters as their logic combines them', async () => {
    const list = filters(
      { fieldName: 'city', operator: '==', value: 'Suva' },
      { fieldName: 'city', operator: '==', value: 'Quito' },
    );
    const idsOf = async (logic: string) => {
      const address = `0/0/0.mvt?${list}&filterLogic=${encodeURIComponent(logic)}`;
      const { features } = await tileOf(address);
      return features.map(({ properties }) => properties['id']).sort();
    };
    expect(await idsOf('$0 or $1')).toEqual(['far', 'lone']);
    expect(await idsOf('$0 and not $1')).toEqual(['lone']);
    expect(await idsOf('$0 and $1')).toEqual([]);
  });

  test('of a caller who sees a part has that part alone', async () => {
    const { features } = await tileOf('0/0/0.mvt?fields=city', tokens.part);
    expect(features).toHaveLength(302);
    const cities = features.map(({ properties }) => properties['city']);
    expect([...new Set(cities)].toSorted()).toEqual(['Biel', 'Quito', 'Suva']);
  });

  test('is not sent again to a caller who holds it', async () => {
    const { headers } = await tileOf('3/2/4.mvt');
    const tag = headers.get('etag') ?? '';
    const path = '/v3/catalog/map.shops/tiles/3/2/4.mvt';
    const again = await send(path, { headers: { 'if-none-match': tag } });
    expect(again.status).toBe(304);
    const other = await send(`${path}?fields=city`, { headers: { 'if-none-match': tag } });
    expect(other.status).toBe(200);
  });
});

describe('a tile is refused', () => {
  const refusal = async (path: string, dataset = 'map.shops') => {
    const { status, body, text } = await send(`/v3/catalog/${dataset}/tiles/${path}`);
    const { detail } = JSON.parse(text);
    return [status, body.reason, detail].join(' ');
  };

  test('if it does not exist', async () => {
    expect(await refusal('17/0/0.mvt')).toMatchInlineSnapshot(
      `"400 INVALID_OPTION The zoom 17 is not a whole number from 0 to 16."`,
    );
    expect(await refusal('1/2/0.mvt')).toMatchInlineSnapshot(
      `"400 INVALID_OPTION There is no tile with x 2 at zoom 1."`,
    );
    expect(await refusal('1/a/0.mvt')).toMatchInlineSnapshot(
      `"400 INVALID_OPTION 'a' is not the x of a tile."`,
    );
    expect(await refusal('1/-1/0.mvt')).toMatchInlineSnapshot(
      `"400 INVALID_OPTION '-1' is not the x of a tile."`,
    );
  });

  test('if its dataset is unknown or has no points', async () => {
    expect(await refusal('0/0/0.mvt', 'map.shop')).toMatchInlineSnapshot(
      `"404 DATA_REFERENCE_NOT_FOUND There is no data reference 'map.shop'."`,
    );
    expect(await refusal('0/0/0.mvt', 'map.plain')).toMatchInlineSnapshot(
      `"400 UNAVAILABLE_OPTION The records of map.plain have no point, so there are no tiles of them."`,
    );
  });

  test('if a parameter is unknown or unreadable', async () => {
    expect(await refusal('0/0/0.mvt?filter=x')).toMatchInlineSnapshot(
      `"400 UNKNOWN_REQUEST_FIELD Unknown parameter 'filter' in the URL."`,
    );
    expect(await refusal('0/0/0.mvt?filters=x')).toMatchInlineSnapshot(
      `"400 INVALID_FILTER_VALUE The parameter 'filters' is not JSON: 'x'."`,
    );
    expect(await refusal('0/0/0.mvt?filters=%7B%7D')).toMatchInlineSnapshot(
      `"400 INVALID_FILTER_VALUE 'filters' must be a list; it is an object."`,
    );
    expect(await refusal(`0/0/0.mvt?${filters({ fieldNam: 'x' })}`)).toMatchInlineSnapshot(
      `"400 INVALID_FILTER_VALUE Unknown field 'fieldNam' in the request."`,
    );
    const city = filters({ fieldName: 'city', operator: '==', value: 'Suva' });
    expect(await refusal(`0/0/0.mvt?${city}&filterLogic=%240%20OR`)).toMatchInlineSnapshot(
      `"400 INVALID_FILTER_LOGIC filterLogic ends at position 6, where a filter such as $0, NOT or ( is expected."`,
    );
    expect(await refusal('0/0/0.mvt?filterLogic=%240')).toContain('400 INVALID_FILTER_LOGIC');
    // A line break is no part of a tile: there is no such address, and no other method for it.
    expect(await refusal('0/0/0%0D.mvt')).toContain('404 ROUTE_NOT_FOUND');
    expect(await refusal('0/0/0.mvt?fields=cty')).toMatchInlineSnapshot(
      `"400 UNKNOWN_FIELD Unknown field 'cty' in map.shops."`,
    );
    expect(await refusal('0/0/0.mvt?cells=yes')).toMatchInlineSnapshot(
      `"400 INVALID_REQUEST 'cells' must be true or false; it is 'yes'."`,
    );
    expect(await refusal('0/0/0.mvt?aggregate=sum')).toMatchInlineSnapshot(
      `"400 INVALID_OPTION The aggregate 'sum' names no field."`,
    );
    expect(await refusal('0/0/0.mvt?aggregate=summ:visits')).toMatchInlineSnapshot(
      `"400 INVALID_OPTION Unknown function 'summ' of an aggregate."`,
    );
    expect(await refusal('0/0/0.mvt?aggregate=sum:city')).toMatchInlineSnapshot(
      `"400 INVALID_FIELD The field 'city' is of type string, so it has no sum."`,
    );
  });
});
