import { readJsonBody } from '@locmetrics/server/edge/http/request/read-json-body';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { announceSeed } from '../../support/test-seed.ts';
import { SHOPS } from '../shops.ts';
import { problemOf, useTestServer } from '../test-server.ts';
import { sendRaw } from './raw-request.ts';

const { data, post, problem, send, url } = useTestServer((to) => to.publishFiles(SHOPS));

const LIST = '/v3/catalog/listDataReferences';
const JSON_TYPE = { 'content-type': 'application/json' };
const BODY_MAX_BYTES = 1024 * 1024;

test('no body, an empty body and {} all mean everything', async () => {
  const answers = [
    await send(LIST, { method: 'POST' }),
    await send(LIST, { method: 'POST', headers: JSON_TYPE }),
    await send(LIST, { method: 'POST', headers: JSON_TYPE, body: '' }),
    await send(LIST, { method: 'POST', headers: JSON_TYPE, body: '{}' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('null is not a body, although as a field it means absent', async () => {
  const nulls = await Promise.all([
    send(LIST, { method: 'POST', headers: JSON_TYPE, body: 'null' }),
    send(LIST, { method: 'POST', headers: JSON_TYPE, body: '{"billingContext":null}' }),
  ]);
  expect(nulls.map(({ status }) => status)).toEqual([400, 200]);
  expect(nulls[0]?.body).toMatchObject({
    reason: 'INVALID_REQUEST',
    detail: 'The body must be an object; it is null.',
  });
});

test('with an empty body, the required field is missing', async () => {
  expect(await problemOf(send('/v3/catalog/listRecords', { method: 'POST' }))).toMatchObject({
    reason: 'INVALID_REQUEST',
    errors: [{ pointer: '/dataReferenceName' }],
  });
});

test('a truncated body is refused with the position', async () => {
  expect(
    await problem('listRecords', '{"dataReferenceName": "shop.stores",}'),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The body is not JSON: the error is at position 36 (line 1 column 37).",
      "hint": "Send a JSON object in UTF-8.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "MALFORMED_JSON",
      "requestId": "request-1",
      "status": 400,
      "title": "The body is not JSON",
      "type": "urn:locmetrics:problem:MALFORMED_JSON",
      "x-request-id": "request-1",
    }
  `);
});

test.each(['{', '{"a": 1} x', "{'a': 1}", 'NaN', '\u00a0{}', '{"a": 1e}'])(
  'the body %j is not JSON',
  async (body) => {
    expect(await problem('listDataReferences', body)).toMatchObject({
      status: 400,
      reason: 'MALFORMED_JSON',
    });
  },
);

test('the answer does not repeat the content of a malformed body', async () => {
  const { text } = await post('listRecords', '{"filters": [secret-value]}');
  expect(text).not.toContain('secret');
});

test.each(['[]', '[{}]', '"text"', '5', 'true'])(
  'the body %s is JSON but not an object',
  async (body) => {
    expect(await problem('listDataReferences', body)).toMatchObject({
      reason: 'INVALID_REQUEST',
      errors: [
        { pointer: '', detail: expect.stringMatching(/^The body must be an object; it is /) },
      ],
    });
  },
);

test.each([
  ['{"pageSize": 1, "pageSize": 2}', 'pageSize', '/pageSize'],
  ['{"pageSize": 1, "page\\u0053ize": 1}', 'pageSize', '/pageSize'],
  ['{"filters": [{}, {"value": "a:,{", "value": "b"}]}', 'value', '/filters/1/value'],
  ['{"options": {"orderBy": {}, "orderBy": {}}, "x": {}}', 'orderBy', '/options/orderBy'],
  ['{"a": [[1, 2], {"b": [], "b": null}]}', 'b', '/a/1/b'],
  ['{"__proto__": 1, "__proto__": 2}', '__proto__', '/__proto__'],
  ['{"": 1, "": 2}', '', '/'],
  ['{"a/b~": 1, "a/b~": 2}', 'a/b~', '/a~1b~0'],
  ['{"é": {"\\"": 1, "\\u0022": 2}}', '"', '/é/"'],
  ['{"constructor": {}, "constructor": {}}', 'constructor', '/constructor'],
  ['[{"1": 1}, {"1": 1, "1": 1}]', '1', '/1/1'],
])('a repeated field in one object is refused: %s', async (body, name, pointer) => {
  expect(await problem('listRecords', body)).toMatchObject({
    status: 400,
    reason: 'DUPLICATE_REQUEST_FIELD',
    hint: 'Send it once.',
    errors: [
      { pointer, detail: `The field '${name}' appears twice in the same object of the body.` },
    ],
  });
});

test('fields of the same name in several objects are read', async () => {
  const filters =
    '[{"fieldName": "city", "operator": "==", "value": "a:b"}, {"fieldName": "city", "operator": "!=", "value": "\\":{\\"\\\\"}]';
  const body = `{"dataReferenceName": "shop.stores", "filters": ${filters}}`;
  expect((await post('listRecords', body)).status).toBe(200);
});

test.each([
  ['objects nested 50,000 deep', `${'{"a":'.repeat(50_000)}{"b":1,"b":2}${'}'.repeat(50_000)}`],
  ['a text of half a million escapes', `{"a": "${'\\n'.repeat(500_000)}", "a": 1}`],
  ['80,000 fields', `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`)},"k9":1}`],
])('a repeated field is found in %s', async (_, body) => {
  expect(await problem('listRecords', body)).toMatchObject({ reason: 'DUPLICATE_REQUEST_FIELD' });
});

test('no body without repeated fields is refused as one, with any content', () => {
  const seed = announceSeed('bodies');
  const spaces = fc.integer({ min: 0, max: 2 });
  fc.assert(
    fc.property(fc.jsonValue(), spaces, (value, space) => {
      const body = JSON.stringify(value, undefined, space);
      expect(readJsonBody(Buffer.from(body))).toEqual(JSON.parse(body));
    }),
    { seed, numRuns: 300 },
  );
});

test('a body that is not UTF-8 is refused', async () => {
  const latin1 = Buffer.from('{"billingContext": "Zürich"}', 'latin1');
  expect(
    await problemOf(
      send(LIST, { method: 'POST', headers: JSON_TYPE, body: new Uint8Array(latin1) }),
    ),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The body is not JSON: it is not UTF-8 text.",
      "hint": "Send a JSON object in UTF-8.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listDataReferences",
      "reason": "MALFORMED_JSON",
      "requestId": "request-1",
      "status": 400,
      "title": "The body is not JSON",
      "type": "urn:locmetrics:problem:MALFORMED_JSON",
      "x-request-id": "request-1",
    }
  `);
});

test('a body in UTF-8 with a byte order mark is read', async () => {
  expect((await post('listDataReferences', '\ufeff{}')).status).toBe(200);
});

test('a body of exactly 1 MiB is read', async () => {
  const padding = ' '.repeat(BODY_MAX_BYTES - 2);
  expect((await post('listDataReferences', `{${padding}}`)).status).toBe(200);
});

test('a body of one byte more is refused', async () => {
  const padding = ' '.repeat(BODY_MAX_BYTES - 1);
  expect(await problem('listDataReferences', `{${padding}}`)).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The body is larger than 1 MiB.",
      "hint": "Split a long list of values over several requests.",
      "http": "413 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listDataReferences",
      "reason": "BODY_TOO_LARGE",
      "requestId": "request-1",
      "status": 413,
      "title": "The body is too large",
      "type": "urn:locmetrics:problem:BODY_TOO_LARGE",
      "x-request-id": "request-1",
    }
  `);
});

test('a body in chunks of more than 1 MiB is refused', async () => {
  const body = new Blob([' '.repeat(BODY_MAX_BYTES), '{}']).stream();
  expect(await problemOf(send(LIST, { method: 'POST', headers: JSON_TYPE, body }))).toMatchObject({
    http: '413 application/problem+json; charset=utf-8',
  });
});

test('a body whose Content-Length is too large is refused before it is sent', async () => {
  const answer = await sendRaw(
    url(),
    `POST ${LIST} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data().token}\r\nContent-Type: application/json\r\nContent-Length: ${BODY_MAX_BYTES + 1}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
])('the media type %s is read', async (type) => {
  expect((await post('listDataReferences', '{}', { 'content-type': type })).status).toBe(200);
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/problem+json',
  'application/jsonx',
  'application/xml',
  'json',
])('the media type %s is refused', async (type) => {
  expect(await problem('listDataReferences', '{}', { 'content-type': type })).toMatchObject({
    http: '415 application/problem+json; charset=utf-8',
    reason: 'UNSUPPORTED_MEDIA_TYPE',
  });
});

test.each([
  { 'content-type': 'application/json; charset=iso-8859-1' },
  { 'content-type': 'application/json;charset="utf-16"' },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
])('a body declared as other than plain UTF-8 is refused: %o', async (headers) => {
  expect(await problem('listDataReferences', '{}', headers)).toMatchObject({
    http: '415 application/problem+json; charset=utf-8',
    reason: 'UNSUPPORTED_MEDIA_TYPE',
  });
});

test('a body with the content encoding identity is read', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
  expect((await post('listDataReferences', '{}', headers)).status).toBe(200);
});

test('a body without a media type is refused', async () => {
  expect(
    await problemOf(send(LIST, { method: 'POST', body: new Uint8Array([0x7b, 0x7d]) })),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "The body is not declared as JSON.",
      "hint": "Send the header Content-Type: application/json.",
      "http": "415 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listDataReferences",
      "reason": "UNSUPPORTED_MEDIA_TYPE",
      "requestId": "request-1",
      "status": 415,
      "title": "Media type not supported",
      "type": "urn:locmetrics:problem:UNSUPPORTED_MEDIA_TYPE",
      "x-request-id": "request-1",
    }
  `);
});

test('a list nested 200,000 deep is refused like any other wrong value', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  expect(
    await problem('listRecords', `{"dataReferenceName": "shop.stores", "filters": ${deep}}`),
  ).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "detail": "'filters.0' must be an object; it is a list.",
      "errors": [
        {
          "detail": "'filters.0' must be an object; it is a list.",
          "pointer": "/filters/0",
        },
      ],
      "hint": "/openapi.json describes the request.",
      "http": "400 application/problem+json; charset=utf-8",
      "instance": "/v3/catalog/listRecords",
      "reason": "INVALID_REQUEST",
      "requestId": "request-1",
      "status": 400,
      "title": "Invalid request",
      "type": "urn:locmetrics:problem:INVALID_REQUEST",
      "x-request-id": "request-1",
    }
  `);
});

test('an object nested 50,000 deep is refused at its first unknown member', async () => {
  const deep = `${'{"options":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  expect(await problem('listRecords', deep)).toMatchObject({
    reason: 'UNKNOWN_REQUEST_FIELD',
    errors: [{ pointer: '/options/options' }],
  });
});

test('a body with half a million mistakes gets a short answer', async () => {
  const { status, text } = await post('listRecords', {
    dataReferenceName: 'shop.stores',
    filters: new Array(500_000).fill(1),
  });
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(5000);
});

test.each([
  ['the name of a data reference', { dataReferenceName: 'x'.repeat(100_000) }],
  ['the name of a field', { dataReferenceName: 'shop.stores', fields: ['x'.repeat(100_000)] }],
  [
    'an operator',
    {
      dataReferenceName: 'shop.stores',
      filters: [{ fieldName: 'city', operator: 'x'.repeat(100_000), value: 'a' }],
    },
  ],
  [
    'the value of a filter',
    {
      dataReferenceName: 'shop.stores',
      filters: [{ fieldName: 'count', operator: '==', value: 'x'.repeat(100_000) }],
    },
  ],
  ['a billing context', { dataReferenceName: 'shop.stores', billingContext: 'x'.repeat(100_000) }],
  ['asOf', { dataReferenceName: 'shop.stores', asOf: 'x'.repeat(100_000) }],
  ['an unknown field', { ['x'.repeat(100_000)]: 1 }],
])('%s that is far too long is truncated in the answer', async (_, request) => {
  const { status, text } = await post('listRecords', request);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text.length).toBeLessThan(5000);
});

test.each([
  ['U+0000', '"\\u0000"'],
  ['a lone surrogate', '"\\ud800"'],
])('%s in a filter is refused', async (_, value) => {
  expect(
    await problem(
      'listRecords',
      `{"dataReferenceName": "shop.stores", "filters": [{"fieldName": "city", "operator": "contains", "value": ${value}}]}`,
    ),
  ).toMatchObject({ reason: 'INVALID_FILTER_VALUE', errors: [{ pointer: '/filters/0/value' }] });
});

test.each(['"\\u0000"', '"\\udc00"'])('the search term %s is refused', async (term) => {
  expect(
    await problem(
      'searchFieldValues',
      `{"dataReferenceName": "shop.stores", "field": "city", "term": ${term}}`,
    ),
  ).toMatchObject({ reason: 'INVALID_SEARCH_TERM', errors: [{ pointer: '/term' }] });
});

test.each(['"a\\ud800"', '"a\\u0000"'])('the data reference %s is unknown', async (name) => {
  expect(await problem('getDataReference', `{"name": ${name}}`)).toMatchObject({
    reason: 'DATA_REFERENCE_NOT_FOUND',
  });
});

test('a character beyond the basic plane is well-formed text', async () => {
  const { body } = await post('searchFieldValues', {
    dataReferenceName: 'shop.stores',
    field: 'city',
    term: '😀',
  });
  expect(body.values).toEqual([]);
});

test('more than 100 filters are refused, 100 are not', async () => {
  const filter = { fieldName: 'count', operator: '>=', value: '0' };
  const request = { dataReferenceName: 'shop.stores' };
  expect(
    (await post('listRecords', { ...request, filters: new Array(100).fill(filter) })).body
      .totalSize,
  ).toBe(2);
  expect(
    await problem('listRecords', { ...request, filters: new Array(101).fill(filter) }),
  ).toMatchObject({
    reason: 'INVALID_REQUEST',
    errors: [{ pointer: '/filters', detail: "'filters' has more than 100 items." }],
  });
});

test('more than 10,000 values of a filter are refused, 10,000 are not', async () => {
  const request = (count: number) => ({
    dataReferenceName: 'shop.stores',
    filters: [{ fieldName: 'city', operator: 'in', values: new Array(count).fill('Zürich') }],
  });
  expect((await post('listRecords', request(10_000))).body.totalSize).toBe(1);
  expect(await problem('listRecords', request(10_001))).toMatchObject({
    reason: 'INVALID_FILTER_VALUE',
    errors: [{ pointer: '/filters/0/values' }],
  });
});

test('a request that is not HTTP is refused and the connection closed', async () => {
  expect(await sendRaw(url(), 'GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('headers of more than 16 KiB are refused and the connection closed', async () => {
  expect(
    await sendRaw(url(), `GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
});

test('a request with both Content-Length and Transfer-Encoding is refused', async () => {
  expect(
    await sendRaw(
      url(),
      `POST ${LIST} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ),
  ).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('the service still works after all of these', async () => {
  expect((await send('/livez')).text).toBe('{"status":"live"}');
});
