import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { beforeEach, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

/** A new organisation for each test, so that tests do not share limits. */
let limits: OrganisationLimits = {};
let organisationId = '';
let authorization = '';
let created = 0;

const server = useTestServer((to) => to.publishFiles(SHOPS), {
  viewedRows: 7,
  limitsOf: (id) => (id === organisationId ? limits : {}),
});

beforeEach(() => {
  created += 1;
  organisationId = `viewer-${created}`;
  limits = { rowsPerDay: 5, rowsPerMonth: 100 };
  const { store } = server.data();
  store.createOrganisation({ id: organisationId, name: 'Viewer' });
  store.addGrant(organisationId, wholeGrant('', '*'));
  const { tokenText } = store.createToken({
    organisationId,
    name: 'test',
    scopes: ['catalog', 'usage'],
  });
  authorization = `Bearer ${tokenText}`;
});

const VIEW = { 'locmetrics-purpose': 'view' };
/** All three shops. */
const read = (headers: Readonly<Record<string, string>> = {}) =>
  server.post('listRecords', { dataReferenceName: 'shop.stores' }, { authorization, ...headers });
const leftOfDay = ({ headers }: { readonly headers: Headers }) =>
  /"day";r=(\d+)/.exec(headers.get('locmetrics-rows') ?? '')?.[1];

test('rows that are looked at do not use up the limits, and end at a limit of their own', async () => {
  for (let looks = 0; looks < 2; looks += 1) expect((await read(VIEW)).status).toBe(200);
  const refused = await read(VIEW);
  expect([refused.status, refused.body]).toMatchObject([
    429,
    {
      reason: 'LIMIT_EXCEEDED',
      limit: 'viewedRowsPerDay',
      detail:
        'Your organisation may look at 7 rows a day besides its limits. The answer has 3 rows, and fewer are left.',
      hint: 'Wait until midnight (UTC), or send the request without the header Locmetrics-Purpose: its rows then count against the limits.',
    },
  ]);
  const read3 = await read();
  expect([read3.status, leftOfDay(read3)]).toEqual([200, '2']);
  expect((await read()).body).toMatchObject({ reason: 'LIMIT_EXCEEDED', limit: 'rowsPerDay' });
});

test('another purpose counts against the limits', async () => {
  expect(leftOfDay(await read({ 'locmetrics-purpose': 'export' }))).toBe('2');
});

test('a whole result counts against the limits, even if its request says that it looks', async () => {
  const stream = () =>
    server.send('/v3/catalog/shop.stores/records.csv', { headers: { authorization, ...VIEW } });
  expect((await stream()).status).toBe(200);
  expect(await stream()).toMatchObject({ status: 429, body: { limit: 'rowsPerDay' } });
});

test('looking counts as a request, because it is work for the service', async () => {
  limits = { ...limits, requestsPerSecond: 0.01, burst: 1 };
  expect((await read(VIEW)).status).toBe(200);
  expect((await read(VIEW)).body).toMatchObject({ limit: 'requestsPerSecond' });
});

test('usage has what was looked at as an operation of its own', async () => {
  await read(VIEW);
  await read();
  const { text } = await server.send('/v1/usage?groupBy=operation', { headers: { authorization } });
  expect(JSON.parse(text).usage).toMatchObject([
    { operation: 'listRecords', requests: 1, rows: 3 },
    { operation: 'listRecords:view', requests: 1, rows: 3 },
  ]);
});

test('a caller learns how much it may look at; without limits of rows there is nothing to count apart', async () => {
  const ask = async () => {
    const { text } = await server.send('/v1/caller', { headers: { authorization } });
    const { viewedRowsPerDay, viewedRowsPerMonth } = JSON.parse(text);
    return [viewedRowsPerDay, viewedRowsPerMonth];
  };
  expect(await ask()).toEqual([7, null]);
  limits = {};
  expect(await ask()).toEqual([null, null]);
  for (let looks = 0; looks < 4; looks += 1) expect((await read(VIEW)).status).toBe(200);
});

test('an answer to a look says what is left of both limits, even if it costs nothing', async () => {
  const rowsOf = ({ headers }: { readonly headers: Headers }) =>
    ['locmetrics-rows-policy', 'locmetrics-rows'].map((name) =>
      headers.get(name)?.replaceAll(/;[tw]=\d+/g, ''),
    );
  const ask = () => server.send('/v1/caller', { headers: { authorization, ...VIEW } });
  expect(rowsOf(await ask())).toEqual([
    '"day";q=5, "month";q=100, "viewed-day";q=7',
    '"day";r=5, "month";r=100, "viewed-day";r=7',
  ]);
  await read(VIEW);
  expect(rowsOf(await ask())[1]).toBe('"day";r=5, "month";r=100, "viewed-day";r=4');
  // A program that does not look gets what it always got.
  expect(rowsOf(await read())).toEqual(['"day";q=5, "month";q=100', '"day";r=2, "month";r=97']);
});

test('all tokens of an organisation look at the same rows', async () => {
  await read(VIEW);
  await read(VIEW);
  const { tokenText } = server
    .data()
    .store.createToken({ organisationId, name: 'second', scopes: ['catalog'] });
  authorization = `Bearer ${tokenText}`;
  expect((await read(VIEW)).body).toMatchObject({ limit: 'viewedRowsPerDay' });
});

test('reading all pages as looks ends at the limit', async () => {
  let pageToken = '';
  let pages = 0;
  limits = { rowsPerMonth: 1 };
  for (;;) {
    const body = { dataReferenceName: 'shop.stores', pageSize: 1, pageToken };
    const answer = await server.post('listRecords', body, { authorization, ...VIEW });
    if (answer.status === 429) break;
    pages += 1;
    pageToken = answer.body.nextPageToken;
  }
  expect(pages).toBe(7);
});
