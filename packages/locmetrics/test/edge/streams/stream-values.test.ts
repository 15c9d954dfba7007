import { wholeGrant } from '@locmetrics/core/domain/grant';
import { describe, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { ORGANISATION_ID } from '../test-data.ts';
import { useTestServer } from '../test-server.ts';

const tokens = { part: '' };
const server = useTestServer(async (to) => {
  await to.publishFiles(SHOPS, '2024-01-01T10:00:00.000Z');
  to.store.createOrganisation({ id: 'part', name: 'Part' });
  to.store.addGrant('part', {
    ...wholeGrant('', 'shop/customers'),
    filters: [{ fieldName: 'city', operator: '!=', value: 'Zürich', values: [] }],
  });
  tokens.part = to.store.createToken({ organisationId: 'part', name: 'part' }).tokenText;
});

const VALUES = '/v1/catalogs/shop/metrics/customers/values';
const stream = (rest = '.csv') => server.send(`${VALUES}${rest}`);
const ALL = `billingContext=${ORGANISATION_ID}`;

describe('a stream of metric values', () => {
  test('as CSV has a row for each value', async () => {
    const { status, headers, text } = await stream(`.csv?${ALL}`);
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(headers.get('content-disposition')).toBe('attachment; filename="customers.csv"');
    expect(headers.get('data-version')).not.toBe('');
    expect(text.replaceAll('\r', '')).toMatchInlineSnapshot(`
      "feature_id,feature_name,latitude,longitude,note,city,city_short_name,city_name,is_open,period_start,period_end,open,customers,rating,town,flag_is_open
      S1,Zürich,47.37,8.54,Zürich,Zürich,S1,Zürich,true,2023-01-01,2023-01-31,true,9007199254740993,4.5,Zürich,true
      S3,,,,,,,,,2023-01-01,2023-01-31,,,,,false
      S4,"Bern ""am"" See",46.95,7.45,"Bern ""am"" See","Bern ""am"" See",S4,"Bern ""am"" See",true,2023-01-01,2023-01-31,true,0,1e+21,"Bern ""am"" See",true
      "
    `);
  });

  test('as NDJSON has an object for each value', async () => {
    const { text } = await stream(`.ndjson?${ALL}&featureFilter=S1&skipGeo=true`);
    expect(text).toMatchInlineSnapshot(`
      "{"feature_id":"S1","feature_name":"Zürich","note":"Zürich","city":"Zürich","city_short_name":"S1","city_name":"Zürich","is_open":"true","period_start":"2023-01-01","period_end":"2023-01-31","open":"true","customers":9007199254740993,"rating":4.5,"town":"Zürich","flag_is_open":true}
      "
    `);
  });

  test('has the values of the filters, with the asked parts of features', async () => {
    const asked = `${ALL}&featureFilter=S4&featureFilter=S3&addressComponentWhitelist=&skipGeo=true&invertSortOrder=true`;
    const { text } = await stream(`.csv?${asked}`);
    expect(text.replaceAll('\r', '')).toMatchInlineSnapshot(`
      "feature_id,feature_name,period_start,period_end,open,customers,rating,town,flag_is_open
      S4,"Bern ""am"" See",2023-01-01,2023-01-31,true,0,1e+21,"Bern ""am"" See",true
      S3,,2023-01-01,2023-01-31,,,,,false
      "
    `);
  });

  test('takes its request in a body too', async () => {
    const { status, headers, text } = await server.send(`${VALUES}.csv`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        billing_context: ORGANISATION_ID,
        featureFilter: ['S4'],
        skip_geo: true,
        addressComponentWhitelist: [''],
        trackTotalHits: true,
      }),
    });
    expect([status, headers.get('total-size')]).toEqual([200, '1']);
    const asked = `${ALL}&featureFilter=S4&addressComponentWhitelist=&skipGeo=true`;
    expect(text).toBe((await stream(`.csv?${asked}`)).text);
  });

  test('says its size before its first row, if it is asked', async () => {
    const { headers, text } = await stream(`.csv?${ALL}&trackTotalHits=true`);
    const rows = text.trimEnd().split('\r\n').length - 1;
    expect(headers.get('total-size')).toBe(String(rows));
  });

  test('is not sent again to a caller who has it', async () => {
    const etag = (await stream(`.csv?${ALL}`)).headers.get('etag') ?? '';
    const held = await server.send(`${VALUES}.csv?${ALL}`, { headers: { 'if-none-match': etag } });
    expect([held.status, held.text]).toEqual([304, '']);
  });

  test('counts as one request with its rows', async () => {
    const { text } = await server.send(`${VALUES}.csv?billingContext=part`, {
      headers: { authorization: `Bearer ${tokens.part}` },
    });
    const [, ...rows] = text.trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['S4']);
    const usage = await server.send('/v1/usage?groupBy=operation', {
      headers: { authorization: `Bearer ${tokens.part}` },
    });
    expect(JSON.parse(usage.text).usage).toMatchObject([
      { operation: 'streamMetricValues', requests: 1, rows: rows.length },
    ]);
  });
});

test.each([
  ['.csv', 'BILLING_CONTEXT_MISSING'],
  [`.csv?${ALL}&valueFilter=none>=1`, 'UNKNOWN_MEASURE'],
  [`.csv?${ALL}&pageSize=10`, 'UNKNOWN_REQUEST_FIELD'],
  [`.csv?${ALL}&trackTotalHits=5`, 'INVALID_REQUEST'],
  [`.csv?${ALL}&addressComponentWhitelist=none`, 'UNKNOWN_COMPONENT'],
])('%s is refused before the first byte', async (rest, reason) => {
  const answer = await stream(rest);
  expect([answer.status, answer.body.reason]).toEqual([400, reason]);
});

describe('a page of values with Accept: text/csv', () => {
  const page = (rest: string, headers = {}) =>
    server.send(`${VALUES}?${ALL}${rest}`, { headers: { accept: 'text/csv', ...headers } });

  test('has the columns of a stream, and its token, total and version in headers', async () => {
    const first = await page('&pageSize=2');
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(first.headers.get('total-size')).toBe('3');
    expect(first.headers.get('data-version')).toMatch(/^20240101T100000000Z-/);
    expect(first.headers.get('vary')).toContain('Accept,');
    const token = first.headers.get('next-page-token') ?? '';
    const second = await page(`&pageSize=2&pageToken=${encodeURIComponent(token)}`);
    expect(second.headers.get('next-page-token')).toBe('');
    const rows = [...first.text.split('\r\n').slice(0, -1), ...second.text.split('\r\n').slice(1)];
    expect(rows.join('\r\n')).toBe((await stream(`.csv?${ALL}`)).text);
    expect((await page('&trackTotalHits=false')).headers.has('total-size')).toBe(false);
  });

  test('has an ETag of its own', async () => {
    const etag = (await page('')).headers.get('etag') ?? '';
    expect((await page('', { 'if-none-match': etag })).status).toBe(304);
    const asJson = await page('', { 'if-none-match': etag, accept: 'application/json' });
    expect(asJson.body).toMatchObject({ totalSize: 3 });
    expect(asJson.headers.get('vary')).toContain('Accept,');
  });

  test('is available with filters in the body too', async () => {
    const answer = await server.send(`${VALUES}:search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify({ billingContext: ORGANISATION_ID, featureFilter: ['S1'] }),
    });
    expect(answer.text).toBe((await stream(`.csv?${ALL}&featureFilter=S1`)).text);
  });

  test('is refused where neither it nor JSON is accepted', async () => {
    const { status, body } = await page('', { accept: 'application/xml' });
    expect([status, body.reason]).toEqual([406, 'NOT_ACCEPTABLE']);
  });
});
