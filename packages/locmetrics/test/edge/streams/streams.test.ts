import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { describe, expect, test } from 'vitest';
import { readArrow } from '../../support/read-arrow.ts';
import { parquetLines } from '../../support/read-parquet.ts';
import { TILED_SHOPS } from '../map/tiled-shops.ts';
import { useTestServer } from '../test-server.ts';
import { sendRaw } from '../transport/raw-request.ts';

const tokens = { part: '', limited: '', leaving: '' };
let limits: OrganisationLimits = {};
/** Lets the reads after the first page of a stream fail, or wait until their caller has gone. */
let later: 'answered' | 'failing' | 'waiting' = 'answered';
let stopped = 0;
/** Runs before a read after the first page. */
let onBatch: (() => unknown) | undefined;

const server = useTestServer(
  async (to) => {
    await to.publishFiles(TILED_SHOPS, '2024-01-01T10:00:00.000Z');
    to.store.createOrganisation({ id: 'part', name: 'Part' });
    to.store.addGrant('part', {
      ...wholeGrant('', 'map.shops'),
      filters: [{ fieldName: 'city', operator: '!=', value: 'Bern', values: [] }],
      fields: ['id', 'latitude', 'longitude', 'city'],
    });
    tokens.part = to.store.createToken({ organisationId: 'part', name: 'part' }).tokenText;
    to.store.createOrganisation({ id: 'limited', name: 'Limited' });
    to.store.addGrant('limited', wholeGrant('', '*'));
    to.store.createOrganisation({ id: 'leaving', name: 'Leaving' });
    to.store.addGrant('leaving', wholeGrant('', '*'));
    tokens.leaving = to.store.createToken({ organisationId: 'leaving', name: 'l' }).tokenText;
    tokens.limited = to.store.createToken({ organisationId: 'limited', name: 'l' }).tokenText;
  },
  {
    corsOrigins: ['*'],
    limitsOf: (id) => (id === 'limited' ? limits : {}),
    openEngine: (stores) => {
      const engine = openEmbeddedEngine(stores);
      return {
        ...engine,
        run: async (plan, signal) => {
          if (plan.kind === 'batch') onBatch?.();
          if (plan.kind === 'batch' && later === 'failing') throw new Error('The disk is broken.');
          const isLater = 'after' in plan && plan.after !== undefined;
          if (isLater && later === 'waiting') {
            await new Promise<void>((resolve) => {
              signal.addEventListener('abort', resolve, { once: true });
            });
            stopped += 1;
            signal.throwIfAborted();
          }
          return engine.run(plan, signal);
        },
      };
    },
  },
);

const SHOPS = '/v3/catalog/map.shops/records';

const stream = (rest = '.csv', token = server.data().token, headers = {}) =>
  server.send(`${SHOPS}${rest}`, { headers: { authorization: `Bearer ${token}`, ...headers } });

const fetchArrow = (rest = '') =>
  fetch(`${server.url()}${SHOPS}.arrow${rest}`, {
    headers: { authorization: `Bearer ${server.data().token}` },
  });

const filters = (...list: readonly object[]) =>
  `filters=${encodeURIComponent(JSON.stringify(list))}`;

describe('a stream of records', () => {
  test('has all records of one version as CSV, with a header', async () => {
    const { status, headers, text } = await stream();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="map.shops.csv"');
    expect(headers.get('data-version')).toMatch(/^20240101T100000000Z-/);
    expect(headers.get('link')).toBe(
      '<https://opendatacommons.org/licenses/odbl/1-0/>; rel="license", <https://example.org/terms>; rel="terms-of-service"',
    );
    expect(headers.get('etag')).toMatch(/^".*"$/);
    expect(headers.has('total-size')).toBe(false);
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(3004);
    expect(lines.slice(0, 4)).toEqual([
      'id,city,latitude,longitude,visits,area',
      'far,Quito,-0.18,-78.46,12,2.5',
      'lone,Suva,-18.1,178.44,,',
      's0,Biel,47.13,7.24,,0.5',
    ]);
    expect(lines.at(-1)).toBe('');
  });

  test('as NDJSON has typed values', async () => {
    const { headers, text } = await stream('.ndjson');
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = text.split('\n');
    expect(lines).toHaveLength(3003);
    expect(lines.slice(0, 2)).toEqual([
      '{"id":"far","city":"Quito","latitude":-0.18,"longitude":-78.46,"visits":12,"area":2.5}',
      '{"id":"lone","city":"Suva","latitude":-18.1,"longitude":178.44,"visits":null,"area":null}',
    ]);
  });

  test('as GeoJSON has a feature with the point and the typed values of each record', async () => {
    const { headers, text } = await stream('.geojson?fields=visits,id');
    expect(headers.get('content-type')).toBe('application/geo+json');
    expect(headers.get('content-disposition')).toBe('attachment; filename="map.shops.geojson"');
    const [head = '', ...features] = text.split('\n');
    expect(head.replace(/"20240101[^"]*"/, '"…"')).toBe(
      '{"type":"FeatureCollection","metadata":{"dataset":"map.shops","version":"…","licences":[{"name":"ODbL-1.0","url":"https://opendatacommons.org/licenses/odbl/1-0/","attribution":"© the \\"shops\\"","termsUrl":"https://example.org/terms"}]},"features":[',
    );
    expect(features.slice(0, 3)).toEqual([
      '{"type":"Feature","properties":{"id":"far","visits":12},"geometry":{"type":"Point","coordinates":[-78.46,-0.18]}},',
      '{"type":"Feature","properties":{"id":"lone","visits":null},"geometry":{"type":"Point","coordinates":[178.44,-18.1]}},',
      '{"type":"Feature","properties":{"id":"s0","visits":null},"geometry":{"type":"Point","coordinates":[7.24,47.13]}},',
    ]);
    expect(text).toMatch(/\n\]\}\n$/);
    expect(JSON.parse(text).features).toHaveLength(3002);
    const none = filters({ fieldName: 'city', operator: '==', value: 'Oslo' });
    expect(JSON.parse((await stream(`.geojson?${none}`)).text).features).toEqual([]);
  });

  test('as Arrow has typed values, the licence and the version, and the marker of the end', async () => {
    const response = await fetchArrow();
    const { headers } = response;
    expect(headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
    expect(headers.get('content-disposition')).toBe('attachment; filename="map.shops.arrow"');
    expect(headers.has('content-length')).toBe(false);
    const table = readArrow(Buffer.from(await response.arrayBuffer()));
    expect(table.types).toEqual([
      ['id', 'VARCHAR'],
      ['city', 'VARCHAR'],
      ['latitude', 'DOUBLE'],
      ['longitude', 'DOUBLE'],
      ['visits', 'BIGINT'],
      ['area', 'DOUBLE'],
    ]);
    expect(parquetLines(table)).toBe((await stream('.ndjson')).text);
    expect(table.isComplete).toBe(true);
    expect(table.batches.length).toBeGreaterThan(1);
    expect(table.metadata).toEqual({
      dataset: 'map.shops',
      version: headers.get('data-version'),
      licence: 'ODbL-1.0',
      licence_url: 'https://opendatacommons.org/licenses/odbl/1-0/',
      attribution: '© the "shops"',
      terms_url: 'https://example.org/terms',
    });
    const none = filters({ fieldName: 'city', operator: '==', value: 'Oslo' });
    const empty = readArrow(Buffer.from(await (await fetchArrow(`?${none}`)).arrayBuffer()));
    expect(empty).toMatchObject({ batches: [], isComplete: true, types: table.types });
  });

  test('as GeoJSON needs a point', async () => {
    const { status, body } = await server.send('/v3/catalog/map.plain/records.geojson');
    expect([status, body.reason]).toEqual([400, 'UNAVAILABLE_OPTION']);
  });

  test('has the records that match, with the asked fields, in the asked order', async () => {
    const list = filters(
      { fieldName: 'city', operator: '==', value: 'Suva' },
      { field_name: 'city', operator: '==', value: 'Quito' },
    );
    const logic = `filterLogic=${encodeURIComponent('$0 or $1')}`;
    const { text } = await stream(`.csv?${list}&${logic}&fields=area,id&orderBy=id:DESC`);
    expect(text).toBe('id,area\r\nlone,\r\nfar,2.5\r\n');
    expect((await stream('.csv?boundingBox=-80,-1,-78,0&fields=id')).text).toBe('id\r\nfar\r\n');
    const none = filters({ fieldName: 'city', operator: '==', value: 'Oslo' });
    expect((await stream(`.csv?${none}&fields=id`)).text).toBe('id\r\n');
    expect((await stream(`.ndjson?${none}`)).text).toBe('');
  });

  test('in the order of a field has each record once', async () => {
    const { text } = await stream('.csv?orderBy=visits:DESC&fields=id,visits');
    const rows = text.trimEnd().split('\r\n').slice(1);
    expect(new Set(rows).size).toBe(3002);
    const visits = rows
      .map((row) => row.split(',')[1])
      .filter(Boolean)
      .map(Number);
    expect(visits).toEqual(visits.toSorted((left, right) => right - left));
  });

  test('in the order of several fields has the rows of one body with thenBy', async () => {
    const { text } = await stream('.csv?orderBy=city,%20visits:DESC,id:DESC&fields=id,city,visits');
    const rows = text.trimEnd().split('\r\n').slice(1);
    expect(new Set(rows).size).toBe(3002);
    const keys = rows.map((row) => {
      const [id = '', city = '', visits = ''] = row.split(',');
      return { id, city, visits: visits === '' ? -1 : Number(visits) };
    });
    const expected = keys.toSorted(
      (left, right) =>
        compareTexts(left.city, right.city) ||
        right.visits - left.visits ||
        compareTexts(right.id, left.id),
    );
    expect(keys).toEqual(expected);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({
      fields: ['id', 'city', 'visits'],
      options: {
        order_by: { field_name: 'city' },
        then_by: [
          { field_name: 'visits', direction: 'DESC' },
          { field_name: 'id', direction: 'DESC' },
        ],
      },
    });
    const posted = await server.send(`${SHOPS}.csv`, { method: 'POST', headers, body });
    expect(posted.text).toBe(text);
  });

  test('takes its request in a body too', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({
      filters: [{ field_name: 'city', operator: '==', value: 'Suva' }],
      fields: ['id'],
      options: { order_by: { field_name: 'id', direction: 'DESC' } },
      track_total_hits: true,
    });
    const answer = await server.send(`${SHOPS}.csv`, { method: 'POST', headers, body });
    expect(answer.text).toBe('id\r\nlone\r\n');
    expect(answer.headers.get('total-size')).toBe('1');
  });

  test('of a caller who sees a part has that part alone', async () => {
    const { text } = await stream('.csv', tokens.part);
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(303);
    expect(lines[0]).toBe('id,city,latitude,longitude');
    const cities = lines.slice(1).map((line) => line.split(',')[1]);
    expect([...new Set(cities)].toSorted()).toEqual(['Biel', 'Quito', 'Suva']);
    const hidden = await stream('.csv?fields=area', tokens.part);
    expect([hidden.status, hidden.body.reason]).toEqual([400, 'UNKNOWN_FIELD']);
  });

  test('is not sent again to a caller who has it', async () => {
    const etag = (await stream('.csv?fields=id')).headers.get('etag') ?? '';
    const held = await stream('.csv?fields=id', server.data().token, { 'if-none-match': etag });
    expect([held.status, held.text]).toEqual([304, '']);
    const other = await stream('.ndjson?fields=id', server.data().token, {
      'if-none-match': etag,
    });
    expect(other.status).toBe(200);
  });

  test('is compressed as its request accepts it', async () => {
    const response = await fetch(`${server.url()}${SHOPS}.csv`, {
      headers: { authorization: `Bearer ${server.data().token}`, 'accept-encoding': 'gzip' },
    });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('etag')).toMatch(/-gzip"$/);
    // fetch decompresses it.
    expect(await response.text()).toBe((await stream()).text);
  });

  test('answers HEAD with its headers', async () => {
    const answer = await server.send(`${SHOPS}.csv?trackTotalHits=true`, { method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get('total-size')).toBe('3002');
  });

  test('shows its headers to pages of other origins', async () => {
    const { headers } = await stream('.csv?fields=id', server.data().token, {
      origin: 'https://a.example',
    });
    const exposed = headers.get('access-control-expose-headers') ?? '';
    expect(exposed).toContain('Total-Size');
    expect(exposed).toContain('Data-Version');
  });
});

const compareTexts = (left: string, right: string) => Number(left > right) - Number(left < right);

test.each([
  ['orderBy=citty', '/orderBy/fieldName'],
  ['orderBy=city,citty', '/orderBy/fieldName'],
  ['orderBy=city,visits,city', '/orderBy/fieldName'],
  ['orderBy=city,', '/orderBy/fieldName'],
  ['orderBy=city,visits:UP', '/orderBy'],
  [`orderBy=${Array(12).fill('city')}`, '/orderBy'],
])('%s is refused at the parameter', async (query, pointer) => {
  const { status, text } = await stream(`.csv?${query}`);
  expect([status, JSON.parse(text)]).toMatchObject([400, { errors: [{ pointer }] }]);
});

test.each([
  ['.csv?fields=citty', 400, 'UNKNOWN_FIELD'],
  ['.csv?orderBy=id:DOWN', 400, 'INVALID_OPTION'],
  ['.csv?boundingBox=1,2', 400, 'INVALID_BOUNDING_BOX'],
  ['.csv?pageSize=10', 400, 'UNKNOWN_REQUEST_FIELD'],
  ['.csv?asOf=2020-01-01', 404, 'VERSION_NOT_FOUND'],
  ['.csv?billingContext=other', 403, 'BILLING_CONTEXT_DENIED'],
  ['.xlsx', 404, 'ROUTE_NOT_FOUND'],
])('%s is refused before the first byte', async (rest, status, reason) => {
  const answer = await stream(rest);
  expect([answer.status, answer.body.reason]).toEqual([status, reason]);
});

describe('a page of listRecords with Accept: text/csv', () => {
  const page = (body: object, accept = 'text/csv', headers = {}) =>
    server.post('listRecords', { dataReferenceName: 'map.shops', ...body }, { accept, ...headers });

  test('is CSV, with what JSON says beside the records in headers', async () => {
    const first = await page({ pageSize: 1, fields: ['id', 'visits'] });
    expect([first.status, first.text]).toEqual([200, 'id,visits\r\nfar,12\r\n']);
    expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(first.headers.get('total-size')).toBe('3002');
    expect(first.headers.get('data-version')).toMatch(/^20240101T100000000Z-/);
    expect(first.headers.get('vary')).toContain('Accept');
    const pageToken = first.headers.get('next-page-token') ?? '';
    const second = await page({ pageSize: 1, fields: ['id', 'visits'], pageToken });
    expect(second.text).toBe('id,visits\r\nlone,\r\n');
  });

  test('has an empty token on the last page, and groups too', async () => {
    const groups = await page({
      groupBy: [{ fieldName: 'city' }],
      fields: ['city'],
      recordCount: true,
      options: { orderBy: { fieldName: 'record_count', direction: 'DESC' } },
    });
    expect(groups.text).toBe('city,record_count\r\nBern,2700\r\nBiel,300\r\nQuito,1\r\nSuva,1\r\n');
    expect(groups.headers.get('next-page-token')).toBe('');
  });

  test('has links to the licence and the terms, which other origins may read', async () => {
    const { headers } = await page({ pageSize: 1 }, 'text/csv', { origin: 'https://a.example' });
    expect(headers.get('link')).toMatch(/rel="license", .*rel="terms-of-service"$/);
    expect(headers.get('access-control-expose-headers')).toContain('Link');
    const plain = await page({ dataReferenceName: 'map.plain' }, 'text/csv');
    expect([plain.status, plain.headers.has('link')]).toEqual([200, false]);
  });

  test('is JSON where that is preferred, and refused where neither is accepted', async () => {
    const mixed = await page({ pageSize: 1 }, 'application/json, text/csv;q=0.5');
    expect(mixed.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await page({ pageSize: 1 }, '*/*')).body.records).toHaveLength(1);
    const refused = await page({ pageSize: 1 }, 'application/xml');
    expect([refused.status, refused.body.reason]).toEqual([406, 'NOT_ACCEPTABLE']);
  });
});

test('an Accept header that excludes the format is refused', async () => {
  const answer = await stream('.csv', server.data().token, { accept: 'application/json' });
  expect([answer.status, answer.body.reason]).toEqual([406, 'NOT_ACCEPTABLE']);
});

describe('usage and limits', () => {
  test('a stream counts as one request with all its rows and bytes', async () => {
    limits = {};
    const { text } = await stream('.csv', tokens.limited);
    const usage = await server.send('/v1/usage?groupBy=operation', {
      headers: { authorization: `Bearer ${tokens.limited}` },
    });
    expect(JSON.parse(usage.text).usage).toMatchObject([
      { operation: 'streamRecords', requests: 1, rows: 3002, bytes: Buffer.byteLength(text) },
    ]);
  });

  test('the end of a feature collection is counted too', async () => {
    limits = {};
    const bytesOf = async () => {
      const usage = await server.send('/v1/usage?groupBy=operation', {
        headers: { authorization: `Bearer ${tokens.limited}` },
      });
      return JSON.parse(usage.text).usage[0].bytes;
    };
    const before = await bytesOf();
    const { text } = await stream('.geojson', tokens.limited);
    expect((await bytesOf()) - before).toBe(Buffer.byteLength(text));
  });

  test('a stream of a known size beyond a limit is refused before its first byte', async () => {
    limits = { rowsPerDay: 2000 };
    const refused = await stream('.csv?trackTotalHits=true', tokens.limited);
    expect([refused.status, refused.body.reason]).toEqual([429, 'LIMIT_EXCEEDED']);
    // Nothing was charged.
    expect(
      (await stream('.csv?trackTotalHits=true&orderBy=id&boundingBox=-80,-1,-78,0', tokens.limited))
        .status,
    ).toBe(200);
  });

  test('a stream is interrupted when no rows are left in the limits', async () => {
    limits = { rowsPerDay: 1500 };
    await expect(stream('.csv', tokens.limited)).rejects.toThrow();
    const [line] = server
      .log()
      .filter(({ reason }) => reason === 'LIMIT_EXCEEDED')
      .slice(-1);
    expect(line).toMatchObject({ status: 429 });
  });
});

describe('a stream that fails after its first byte', () => {
  test('is interrupted, so that it does not look complete', async () => {
    later = 'failing';
    await expect(stream()).rejects.toThrow();
    const request = `GET ${SHOPS}.csv HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${server.data().token}\r\n\r\n`;
    const received = await sendRaw(server.url(), request);
    expect(received).toContain('Transfer-Encoding: chunked');
    expect(received).toContain('far,Quito');
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/);
    const old = request.replace('HTTP/1.1', 'HTTP/1.0');
    await expect(sendRaw(server.url(), old)).rejects.toThrow('ECONNRESET');
    later = 'answered';
  });

  test('as Arrow has no marker of the end', async () => {
    later = 'failing';
    const { body } = await fetchArrow();
    if (body === null) throw new Error('The stream has no body.');
    const received: Uint8Array[] = [];
    const reading = (async () => {
      for await (const bytes of body) received.push(bytes);
    })();
    await expect(reading).rejects.toThrow();
    later = 'answered';
    const table = readArrow(Buffer.concat(received));
    expect(table.rows.length).toBeGreaterThan(0);
    expect(table.isComplete).toBe(false);
  });
});

test('a stream ends once its token is revoked, or the rights of its caller change', async () => {
  const { store } = server.data();
  store.createOrganisation({ id: 'changing', name: 'Changing' });
  store.addGrant('changing', wholeGrant('', '*'));
  const created = store.createToken({ organisationId: 'changing', name: 'c' });
  const changes = [
    () => store.addGrant('changing', wholeGrant('', 'map.shops')),
    () => store.revokeToken(created.tokenId),
  ];
  for (const [index, change] of changes.entries()) {
    onBatch = change;
    await expect(stream('.csv', created.tokenText)).rejects.toThrow();
    onBatch = undefined;
    const reasons = server
      .log()
      .flatMap(({ status, reason }) => (status === undefined ? [] : [reason]));
    expect(reasons.at(-1)).toBe(['PAGE_TOKEN_EXPIRED', 'TOKEN_INVALID'][index]);
  }
});

test('a caller who goes away stops the query of its stream, and pays for what was sent', async () => {
  later = 'waiting';
  stopped = 0;
  const caller = new AbortController();
  const response = await fetch(`${server.url()}${SHOPS}.csv`, {
    headers: { authorization: `Bearer ${tokens.leaving}` },
    signal: caller.signal,
  });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  caller.abort();
  await expect.poll(() => stopped).toBe(1);
  later = 'answered';
  const usage = await server.send('/v1/usage?groupBy=operation', {
    headers: { authorization: `Bearer ${tokens.leaving}` },
  });
  expect(JSON.parse(usage.text).usage).toMatchObject([
    { operation: 'streamRecords', requests: 1, rows: 100 },
  ]);
});
