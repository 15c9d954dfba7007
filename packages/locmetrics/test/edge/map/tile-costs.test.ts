import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { beforeEach, describe, expect, test } from 'vitest';
import { useTestServer } from '../test-server.ts';
import { TILED_SHOPS } from './tiled-shops.ts';

/** A new organisation for each test, so that tests do not share limits. */
let limits: OrganisationLimits = {};
let organisationId = '';
let authorization = '';
let created = 0;

const { data, send } = useTestServer(
  (to) => to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z'),
  { limitsOf: (id) => (id === organisationId ? limits : {}) },
);

beforeEach(() => {
  created += 1;
  organisationId = `maps-${created}`;
  const { store } = data();
  store.createOrganisation({ id: organisationId, name: 'Maps' });
  store.addGrant(organisationId, wholeGrant('', '*'));
  authorization = `Bearer ${store.createToken({ organisationId, name: 'test' }).tokenText}`;
  limits = { rowsPerDay: 10_000 };
});

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  send(`/v3/catalog/map.shops/tiles/${path}`, { method, headers: { authorization, ...headers } });
const rowsLeft = ({ headers }: { readonly headers: Headers }) =>
  Number(/r=([0-9]+)/.exec(headers.get('locmetrics-rows') ?? '')?.[1]);

const IN_BIEL = `0/0/0.mvt?filters=${encodeURIComponent(
  '[{"fieldName":"city","operator":"==","value":"Biel"}]',
)}`;

describe('a tile', () => {
  test('of points costs a row for each point', async () => {
    expect(rowsLeft(await ask(IN_BIEL))).toBe(9700);
  });

  test('of cells costs a row for each cell', async () => {
    // Bern and Biel are in one cell; Quito and Suva are in one each.
    expect(rowsLeft(await ask('0/0/0.mvt'))).toBe(9997);
  });

  test('without records costs none', async () => {
    const answer = await ask('3/0/0.mvt');
    expect([answer.status, rowsLeft(answer)]).toEqual([204, 10_000]);
  });

  test('that is refused, or that the caller holds, costs none', async () => {
    expect(rowsLeft(await ask('0/0/0.mvt?fields=cty'))).toBe(10_000);
    const first = await ask(IN_BIEL);
    const again = await ask(IN_BIEL, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, rowsLeft(again)]).toEqual([304, 9700]);
  });

  test('is in the usage with its rows and its dataset', async () => {
    await ask(IN_BIEL);
    await ask('3/0/0.mvt');
    const { text } = await send('/v1/usage?groupBy=operation&groupBy=dataset', {
      headers: { authorization },
    });
    expect(JSON.parse(text).usage).toEqual([
      expect.objectContaining({
        operation: 'readTile',
        dataset: 'map.shops',
        requests: 2,
        rows: 300,
      }),
    ]);
  });

  test('of more rows than are left is refused, and a smaller one is not', async () => {
    limits = { rowsPerDay: 100 };
    const refused = await ask(IN_BIEL);
    expect([refused.status, rowsLeft(refused)]).toEqual([429, 100]);
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const { detail, hint } = JSON.parse(refused.text);
    expect(detail).toMatch(/^The answer has 300 rows, and 100 of the 100 rows a day /);
    expect(hint).toMatchInlineSnapshot(
      `"Ask for a smaller page: pageSize at most 100; or for a map tile with more filters. With countOnly the answer is the number of rows that all pages cost."`,
    );
    expect(rowsLeft(await ask('0/0/0.mvt'))).toBe(97);
  });

  test('counts as a request', async () => {
    limits = { requestsPerSecond: 0.1 };
    expect((await ask('3/0/0.mvt')).status).toBe(204);
    const refused = await ask('3/0/0.mvt');
    expect([refused.status, JSON.parse(refused.text).limit]).toEqual([429, 'requestsPerSecond']);
  });
});
