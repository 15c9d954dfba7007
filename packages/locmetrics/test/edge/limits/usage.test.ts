import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { catalogV1, catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { Scope } from '@locmetrics/core/domain/scope';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readAll, requestIds } from '../../metering/usage-under-test.ts';
import { SHOPS } from '../shops.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer, problemOf, type TestServer } from '../test-server.ts';

let data: TestData;
let server: TestServer;
let scopes: readonly Scope[];
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  data.store.createOrganisation({ id: 'globex', name: 'Globex' });
  const { store } = data;
  const findCaller: typeof store.findCaller = (text) => {
    const found = store.findCaller(text);
    return found.isAccepted ? { ...found, caller: { ...found.caller, scopes } } : found;
  };
  server = await openTestServer({ ...data, store: { ...store, findCaller } });
});
afterAll(async () => {
  await server.close();
  await data.remove();
});
beforeEach(() => {
  scopes = ['catalog', 'metrics', 'usage'];
});

const dataReferenceName = 'shop.stores';
const METRIC = '/v1/catalogs/shop/metrics/customers/values?billingContext=acme';

/** A token of an organisation without usage. */
let organisations = 0;
function newOrganisation() {
  organisations += 1;
  const id = `customer-${organisations}`;
  data.store.createOrganisation({ id, name: id });
  data.store.addGrant(id, wholeGrant('', '*'));
  const { tokenText, tokenId } = data.store.createToken({ organisationId: id, name: 'test' });
  return { id, tokenId, authorization: `Bearer ${tokenText}` };
}

type Usage = {
  readonly usage: readonly Readonly<Record<string, unknown>>[];
  readonly total: Readonly<Record<string, number>>;
  readonly nextPageToken: string;
  readonly completeUntil: string;
};
async function usageOf(authorization: string, query = ''): Promise<Usage> {
  const answer = await server.send(`/v1/usage${query}`, { headers: { authorization } });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text);
}

test('the next request for usage contains the answers of both edges', async () => {
  const { authorization, tokenId } = newOrganisation();
  const listed = await server.post('listRecords', { dataReferenceName }, { authorization });
  const values = await server.send(METRIC.replace('acme', `customer-${organisations}`), {
    headers: { authorization },
  });
  const called = await server.grpc.ask(
    catalogV3.CatalogQuery.method.listRecords,
    { dataReferenceName },
    { metadata: { authorization } },
  );
  const before = new Date().toISOString();
  const { usage, total, completeUntil } = await usageOf(
    authorization,
    '?groupBy=operation,dataset&groupBy=token',
  );
  const rows = listed.body.records.length;
  const bytes = Buffer.byteLength(values.text);
  expect(usage).toEqual([
    {
      operation: 'listRecords',
      dataset: 'shop.stores',
      token: tokenId,
      requests: 2,
      rows: rows + called.message.records.length,
      bytes: Buffer.byteLength(listed.text) + called.bytes,
    },
    {
      operation: 'searchMetricValues',
      dataset: 'shop/customers',
      token: tokenId,
      requests: 1,
      rows: JSON.parse(values.text).valuesList.length,
      bytes,
    },
  ]);
  expect(total).toMatchObject({ requests: 3 });
  expect(completeUntil >= before).toBe(true);
});

test('by default the usage is that of this month, by day', async () => {
  const { authorization } = newOrganisation();
  await server.post('listRecords', { dataReferenceName, countOnly: true }, { authorization });
  const answer = await usageOf(authorization);
  const today = new Date().toISOString().slice(0, 10);
  expect(answer).toMatchObject({ from: `${today.slice(0, 7)}-01`, to: today });
  expect(answer.usage).toMatchObject([{ day: today, requests: 1, rows: 0 }]);
});

test('a request for usage is not usage', async () => {
  const { authorization } = newOrganisation();
  await usageOf(authorization);
  const { usage, total } = await usageOf(authorization);
  expect({ usage, total }).toEqual({ usage: [], total: { requests: 0, rows: 0, bytes: 0 } });
});

test('200 failed requests add no usage', async () => {
  const { authorization } = newOrganisation();
  const wrong = {
    dataReferenceName,
    filters: [{ fieldName: 'citty', operator: '==', value: 'x' }],
  };
  for (let asked = 0; asked < 100; asked += 1) {
    expect((await server.post('listRecords', wrong, { authorization })).status).toBe(400);
    const { code } = await server.grpc.refusal(
      catalogV3.CatalogQuery.method.listRecords,
      { dataReferenceName: 'shop.storrs' },
      { metadata: { authorization } },
    );
    expect(code).toBe('NOT_FOUND');
  }
  expect((await usageOf(authorization)).total).toEqual({ requests: 0, rows: 0, bytes: 0 });
});

test('an answer whose caller leaves while it is sent is recorded, once', async () => {
  const { authorization } = newOrganisation();
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ dataReferenceName });
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nX-Request-Id: left\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  const ids = requestIds(await readAll(data.directory.usage));
  expect(ids.filter((id) => id === 'left')).toEqual(['left']);
});

test('a 304 counts as a request without rows', async () => {
  const { authorization, id } = newOrganisation();
  const path = METRIC.replace('acme', id);
  const first = await server.send(path, { headers: { authorization } });
  const tag = first.headers.get('etag') ?? '';
  const again = await server.send(path, { headers: { authorization, 'if-none-match': tag } });
  expect(again.status).toBe(304);
  const rows = JSON.parse(first.text).valuesList.length;
  expect((await usageOf(authorization)).total).toMatchObject({ requests: 2, rows });
});

test('pages follow each other, and their token is valid only for this organisation and request', async () => {
  const [one, other] = [newOrganisation(), newOrganisation()];
  for (const dataset of ['shop.codes', 'shop.stores']) {
    const body = { dataReferenceName: dataset };
    await server.post('listRecords', body, { authorization: one.authorization });
  }
  const query = '?groupBy=dataset&pageSize=1';
  const first = await usageOf(one.authorization, query);
  expect(first.usage).toMatchObject([{ dataset: 'shop.codes' }]);
  const next = `${query}&pageToken=${first.nextPageToken}`;
  const second = await usageOf(one.authorization, next);
  expect(second).toMatchObject({ usage: [{ dataset: 'shop.stores' }], nextPageToken: '' });
  expect(second.total).toEqual(first.total);
  for (const [path, authorization] of [
    [`/v1/usage${next}`, other.authorization],
    [`/v1/usage${next.replace('=dataset', '=day')}`, one.authorization],
  ] as const) {
    const { body } = await server.send(path, { headers: { authorization } });
    expect(body.reason).toBe('INVALID_PAGE_TOKEN');
  }
});

test('usage is returned as CSV on request, without pages', async () => {
  const { authorization } = newOrganisation();
  await server.post('listRecords', { dataReferenceName: 'shop.codes' }, { authorization });
  const { total } = await usageOf(authorization);
  const csv = `dataset,operation,requests,rows,bytes\r\nshop.codes,listRecords,1,${total['rows']},${total['bytes']}\r\n`;
  const path = '/v1/usage?group_by=dataset,operation&from=2020-01-31&to=2020-02-01';
  const now = path.replace(/&from.*/, '');
  for (const [url, accept] of [
    [`${now}&format=csv`, 'application/json'],
    [now, 'text/csv'],
    [now, 'text/*;q=0.5, application/json;q=0.4'],
  ] as const) {
    const answer = await server.send(url, { headers: { authorization, accept } });
    expect(answer.text).toBe(csv);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('vary')).toContain('Accept');
  }
  const empty = await server.send(`${path}&format=csv`, { headers: { authorization } });
  expect(empty.text).toBe('dataset,operation,requests,rows,bytes\r\n');
  expect(empty.headers.get('content-disposition')).toBe(
    'attachment; filename="usage-2020-01-31-2020-02-01.csv"',
  );
  for (const accept of ['*/*', 'text/csv;q=0, */*', 'text/csv;q=0.4, application/json']) {
    const answer = await server.send(now, { headers: { authorization, accept } });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  }
});

test('invalid requests for usage are refused with a hint', async () => {
  const refused = [
    'form=2026-01-01',
    'from=2026-02-29',
    'to=today',
    'from=2026-02-02&to=2026-02-01',
    'from=2025-01-01&to=2026-01-02',
    'groupBy=day,datset',
    'groupBy=organisation',
    'organisation=globex',
    'format=xml',
    'format=csv&pageSize=10',
    'pageSize=-1',
    'pageToken=AAAA',
  ];
  const said = await Promise.all(
    refused.map(async (query) => {
      const { body } = await server.send(`/v1/usage?${query}`);
      return [query, body.reason, Reflect.get(body, 'detail'), Reflect.get(body, 'hint')];
    }),
  );
  expect(said).toMatchInlineSnapshot(`
    [
      [
        "form=2026-01-01",
        "UNKNOWN_REQUEST_FIELD",
        "Unknown parameter 'form' in the URL.",
        "Did you mean 'from'?",
      ],
      [
        "from=2026-02-29",
        "INVALID_PERIOD",
        "'2026-02-29' is not a calendar date.",
        "Write for example from=2026-01-31.",
      ],
      [
        "to=today",
        "INVALID_PERIOD",
        "'today' is not a calendar date.",
        "Write for example to=2026-01-31.",
      ],
      [
        "from=2026-02-02&to=2026-02-01",
        "INVALID_PERIOD",
        "The first day 2026-02-02 is after the last day 2026-02-01.",
        "Swap from and to.",
      ],
      [
        "from=2025-01-01&to=2026-01-02",
        "INVALID_PERIOD",
        "The period from 2025-01-01 to 2026-01-02 has 367 days, more than 366.",
        "Send one request per year.",
      ],
      [
        "groupBy=day,datset",
        "INVALID_OPTION",
        "Usage cannot be grouped by 'datset'.",
        "Did you mean 'dataset'?",
      ],
      [
        "groupBy=organisation",
        "INVALID_OPTION",
        "Usage cannot be grouped by 'organisation'.",
        "Known: day, dataset, operation, token.",
      ],
      [
        "organisation=globex",
        "UNKNOWN_REQUEST_FIELD",
        "Unknown parameter 'organisation' in the URL.",
        "Known: from, to, format, pageSize, pageToken, groupBy.",
      ],
      [
        "format=xml",
        "INVALID_REQUEST",
        "'format' has no value "xml". It can be json, csv.",
        "/openapi.json describes the request.",
      ],
      [
        "format=csv&pageSize=10",
        "INVALID_OPTION",
        "CSV is sent as a whole, without pages.",
        "Leave pageSize and pageToken out, or ask for JSON.",
      ],
      [
        "pageSize=-1",
        "INVALID_PAGE_SIZE",
        "The page size -1 is not a whole number of 0 or more.",
        "Send 1 to 10000, or leave it out for 100.",
      ],
      [
        "pageToken=AAAA",
        "INVALID_PAGE_TOKEN",
        "The page token was not made by this service.",
        "Send the nextPageToken of the previous page unchanged, or leave it out to start again.",
      ],
    ]
  `);
});

test('a token without a scope for operators cannot see the usage of all', async () => {
  expect(await problemOf(server.send('/v1/admin/usage'))).toMatchObject({
    http: '403 application/problem+json; charset=utf-8',
    reason: 'SCOPE_MISSING',
  });
});

test('the operator sees the usage of all organisations, or of one', async () => {
  scopes = ['admin', 'catalog'];
  const [one, other] = [newOrganisation(), newOrganisation()];
  for (const { authorization } of [one, one, other]) {
    await server.post('listRecords', { dataReferenceName: 'shop.codes' }, { authorization });
  }
  const read = async (query: string): Promise<Usage> =>
    JSON.parse((await server.send(`/v1/admin/usage?${query}`)).text);
  const all = await read('');
  expect(all.usage).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ organisation: one.id, requests: 2 }),
      expect.objectContaining({ organisation: other.id, requests: 1 }),
    ]),
  );
  const ofOne = await read(`organisationId=${one.id}&groupBy=organisation,dataset`);
  expect(ofOne.usage).toMatchObject([{ organisation: one.id, dataset: 'shop.codes', requests: 2 }]);
});

test('a store that cannot be read is reported to the caller and, with its cause, in the log', {
  tags: 'slow',
}, async () => {
  const damaged = await createTestData();
  await damaged.publishFiles(SHOPS);
  await writeFile(damaged.directory.usage.store, 'no database, but some text'.repeat(100));
  const other = await openTestServer(damaged);
  const { status, body } = await other.send('/v1/usage');
  await other.close();
  await damaged.remove();
  expect([status, body.reason]).toEqual([503, 'NOT_READY']);
  expect(other.log().find(({ kind }) => kind === 'usage_read_failed')).toMatchObject({
    level: 50,
    error: { message: expect.stringContaining('is not an SQLite file') },
  });
});

test('HEAD and a list of metrics cost no rows', async () => {
  const { authorization, id } = newOrganisation();
  const path = METRIC.replace('acme', id);
  const head = await server.send(path, { method: 'HEAD', headers: { authorization } });
  expect([head.status, head.text]).toEqual([200, '']);
  const metadata = { authorization };
  await server.grpc.ask(
    catalogV1.CatalogService.method.listMetrics,
    { catalogId: 'shop' },
    { metadata },
  );
  expect((await usageOf(authorization)).total).toMatchObject({ requests: 2, rows: 0 });
});

test('an unknown organisation has no usage', async () => {
  scopes = ['admin'];
  expect(await problemOf(server.send('/v1/admin/usage?organisationId=nobody'))).toMatchObject({
    reason: 'ORGANISATION_NOT_FOUND',
  });
});
