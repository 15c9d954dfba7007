import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { catalogV1, catalogV3 } from '@locmetrics/contract/grpc';
import { cutText } from '@locmetrics/server/edge/grpc/cut-text';
import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { openTestServer, useTestServer } from '../test-server.ts';

const { data, ask, refusal, log, logText, grpcAddress } = useTestServer((to) =>
  to.publishFiles(SHOPS),
);
const { listDataReferences, listRecords, searchFieldValues } = catalogV3.CatalogQuery.method;
const STORES = { dataReferenceName: 'shop.stores' };

test('an error has its details: message, hint, field and the id of the request', async () => {
  const filters = [{ fieldName: 'citty', operator: '==', value: 'Zug' }];
  expect(await refusal(listRecords, { ...STORES, filters })).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "domain": "locmetrics",
      "message": "Unknown field 'citty' in shop.stores. Did you mean 'city'?",
      "metadata": {
        "hint": "Did you mean 'city'?",
        "requestId": "request-1",
      },
      "reason": "UNKNOWN_FIELD",
      "requestId": "request-1",
      "violations": [
        "filters[0].field_name: Unknown field 'citty' in shop.stores.",
      ],
    }
  `);
});

test('the values of a field are not aggregated', async () => {
  const field = { name: 'city', aggregation: catalogV3.Aggregation.COUNT };
  expect(await refusal(searchFieldValues, { ...STORES, field })).toMatchObject({
    reason: 'INVALID_AGGREGATION',
    message:
      "The field 'city' has an aggregation, but its values are searched one by one. Aggregate in listRecords.",
    violations: [
      "field.aggregation: The field 'city' has an aggregation, but its values are searched one by one.",
    ],
  });
});

test('an error that is not about the input has no field', async () => {
  expect(
    await refusal(listDataReferences, {}, { metadata: { authorization: '' } }),
  ).toMatchInlineSnapshot(`
    {
      "code": "UNAUTHENTICATED",
      "domain": "locmetrics",
      "message": "The request has no Authorization header. Send the header \`Authorization: Bearer <token>\`.",
      "metadata": {
        "hint": "Send the header \`Authorization: Bearer <token>\`.",
        "requestId": "request-1",
      },
      "reason": "TOKEN_MISSING",
      "requestId": "request-1",
    }
  `);
});

test.each([
  ['an invalid byte', [0xff]],
  ['a truncated message', [0x0a, 0x05, 0x61]],
  ['text that is not UTF-8', [0x0a, 0x01, 0xff]],
  ['a lone surrogate in text', [0x0a, 0x03, 0xed, 0xa0, 0x80]],
  ['a field number 0', [0x02, 0x01, 0x61]],
  ['groups nested 100,000 deep', Array(100_000).fill(0xfb)],
])('%s: the message is malformed', async (_, bytes) => {
  expect(await refusal(listRecords, Uint8Array.from(bytes))).toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'MALFORMED_MESSAGE',
    message:
      'The bytes are not a unacast.catalog.v3.ListRecordsRequest. Send the message with a client generated from the .proto files; text must be UTF-8.',
  });
});

test('an unknown field is refused with the known fields', async () => {
  const bytes = new BinaryWriter().tag(99, WireType.Varint).uint32(1).finish();
  expect(await refusal(listDataReferences, bytes)).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "domain": "locmetrics",
      "message": "Unknown field 99 of unacast.catalog.v3.ListDataReferencesRequest in the request. Known: billing_context = 13.",
      "metadata": {
        "hint": "Known: billing_context = 13.",
        "requestId": "request-1",
      },
      "reason": "UNKNOWN_REQUEST_FIELD",
      "requestId": "request-1",
      "violations": [
        ": Unknown field 99 of unacast.catalog.v3.ListDataReferencesRequest in the request.",
      ],
    }
  `);
});

test('an unknown field inside an item of a list is refused with its path', async () => {
  const bytes = new BinaryWriter()
    .tag(3, WireType.LengthDelimited)
    .fork()
    .join()
    .tag(3, WireType.LengthDelimited)
    .fork()
    .tag(3, WireType.LengthDelimited)
    .string('x')
    .join()
    .finish();
  expect(await refusal(listRecords, bytes)).toMatchInlineSnapshot(`
    {
      "code": "INVALID_ARGUMENT",
      "domain": "locmetrics",
      "message": "Unknown field 3 of unacast.unatype.FilterClause in the request. Known: field_name = 1, operator = 2, value = 4, values = 5.",
      "metadata": {
        "hint": "Known: field_name = 1, operator = 2, value = 4, values = 5.",
        "requestId": "request-1",
      },
      "reason": "UNKNOWN_REQUEST_FIELD",
      "requestId": "request-1",
      "violations": [
        "filters[1]: Unknown field 3 of unacast.unatype.FilterClause in the request.",
      ],
    }
  `);
});

test('an unknown field inside a nested message is refused with its path', async () => {
  const bytes = new BinaryWriter()
    .tag(5, WireType.LengthDelimited)
    .fork()
    .tag(3, WireType.LengthDelimited)
    .fork()
    .tag(7, WireType.Varint)
    .uint32(1)
    .join()
    .join()
    .finish();
  expect((await refusal(searchFieldValues, bytes)).violations).toEqual([
    'options.order_by: Unknown field 7 of unacast.catalog.v3.OrderBy in the request.',
  ]);
});

const nested = (number: number, inside: BinaryWriter) =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(inside.finish());
test('an hour of a date is refused with its name', async () => {
  const { searchMetricValues } = catalogV1.QueryService.method;
  const day = new BinaryWriter().tag(4, WireType.Varint).int32(7);
  const bytes = nested(6, nested(1, day)).finish();
  expect((await refusal(searchMetricValues, bytes)).violations).toEqual([
    "observation_period_filter.start.hour: The field 'hour' is not served yet.",
  ]);
});

test('a field of a wrong wire type is refused', async () => {
  const bytes = new BinaryWriter().tag(1, WireType.Varint).uint32(1).finish();
  expect(await refusal(listRecords, bytes)).toMatchObject({ reason: 'MALFORMED_MESSAGE' });
});

test.each([3, -1, 2_147_483_647])(
  'the number %d, which is not a direction, is refused',
  async (direction) => {
    const options = { orderBy: { fieldName: 'city', direction } };
    expect(await refusal(listRecords, { ...STORES, options })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'INVALID_REQUEST',
      violations: [
        `options.order_by.direction: unacast.catalog.v3.OrderDirection has no value ${direction}.`,
      ],
    });
  },
);

test('a message of more than 1 MiB is refused', async () => {
  const term = 'x'.repeat(2 ** 20);
  expect(await refusal(searchFieldValues, { term })).toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'BODY_TOO_LARGE',
  });
});

test('a slightly smaller message is read', async () => {
  const values = Array.from({ length: 10_000 }, (_, index) => `${index}`.padEnd(100));
  const filters = [{ fieldName: 'city', operator: 'in', values }];
  const { message } = await ask(listRecords, { ...STORES, filters });
  expect(message.totalSize).toBe(0n);
});

test('metadata of more than 16 KiB is refused', async () => {
  const metadata = { 'x-large': 'x'.repeat(16_384) };
  expect(await refusal(listRecords, STORES, { metadata })).toMatchObject({
    code: 'INVALID_ARGUMENT',
    reason: 'HEADERS_TOO_LARGE',
  });
});

test.each([
  ['Basic YTpi', 'TOKEN_MISSING'],
  ['Bearer', 'TOKEN_MISSING'],
  ['Bearer lm_wrong', 'TOKEN_INVALID'],
])('with the authorization %s a call is refused', async (authorization, reason) => {
  expect(await refusal(listRecords, STORES, { metadata: { authorization } })).toMatchObject({
    code: 'UNAUTHENTICATED',
    reason,
  });
});

test('the scheme may be in any case', async () => {
  const metadata = { authorization: `bEARER ${data().token}` };
  expect((await ask(listRecords, STORES, { metadata })).message.totalSize).toBe(3n);
});

test('a token works until it is revoked', async () => {
  const { tokenId, tokenText } = data().store.createToken({ organisationId: 'acme', name: 'old' });
  const metadata = { authorization: `Bearer ${tokenText}`, 'x-request-id': 'revoked' };
  await ask(listRecords, STORES, { metadata: { ...metadata, 'x-request-id': 'before' } });
  data().store.revokeToken(tokenId);
  expect(await refusal(listRecords, STORES, { metadata })).toMatchObject({
    code: 'UNAUTHENTICATED',
    reason: 'TOKEN_INVALID',
    message: expect.not.stringContaining('revoked'),
  });
  expect(log().filter(({ requestId }) => requestId === 'revoked')).toMatchObject([
    { kind: 'request_refused', reason: 'TOKEN_INVALID', tokenRefusal: 'revoked', tokenId },
    { kind: 'request_completed', status: 'UNAUTHENTICATED' },
  ]);
});

test('without a token the message is not read, so the answer depends on nothing in it', async () => {
  const refused = await refusal(listRecords, Uint8Array.of(0xff), {
    metadata: { authorization: '' },
  });
  expect(refused.reason).toBe('TOKEN_MISSING');
});

test('a foreign billing context is refused before the rest of the request is checked', async () => {
  const request = { dataReferenceName: 'unknown', billingContext: 'globex' };
  expect(await refusal(listRecords, request)).toMatchObject({
    code: 'PERMISSION_DENIED',
    reason: 'BILLING_CONTEXT_DENIED',
  });
});

test.each(['a b', '<script>', 'x'.repeat(129)])(
  'the request id %s is replaced by a new one',
  async (given) => {
    const refused = await refusal(
      listRecords,
      { ...STORES, pageSize: -1 },
      { metadata: { 'x-request-id': given } },
    );
    expect(refused.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(refused.metadata?.['requestId']).toBe(refused.requestId);
  },
);

test.each([
  ['letters', 'x'],
  ['letters of three bytes', '語'],
  ['surrogate pairs', '😀'],
  ['escaped characters', '%'],
  ['line breaks', '\r\n'],
])('an error that quotes long texts of %s stays small', async (_, character) => {
  const fieldName = character.repeat(200_000);
  const fields = Array.from({ length: 1 }, () => ({ name: fieldName }));
  const trailerBytes = await trailerBytesOf(() => refusal(listRecords, { ...STORES, fields }));
  expect(trailerBytes).toBeGreaterThan(1000);
  expect(trailerBytes).toBeLessThan(5000);
});

/** The size of the status of a refusal on the wire, as far as a client can measure it. */
async function trailerBytesOf(refuse: () => ReturnType<typeof refusal>): Promise<number> {
  const { message, metadata = {}, violations = [], requestId } = await refuse();
  const details = [message, ...Object.values(metadata), ...violations].join('');
  return encodeURI(message).length + Buffer.byteLength(details) * (4 / 3) + `${requestId}`.length;
}

test('a text is cut between characters, and invalid text is repaired', () => {
  const limits = { characters: 10, bytes: 60 };
  expect(cutText('short', limits)).toBe('short');
  expect(cutText('exactly 10', limits)).toBe('exactly 10');
  expect(cutText('more than 10', limits)).toBe('more than…');
  expect(cutText('😀😀😀😀😀😀', limits)).toBe('😀😀😀😀…');
  expect(cutText('a\ud800', limits)).toBe('a\ufffd');
});

test('an internal error reveals no internals', async () => {
  const server = await openTestServer({
    ...data(),
    store: Object.create(data().store, {
      findCaller: {
        value: () => {
          throw new Error('SQLITE_CORRUPT: secret inside');
        },
      },
    }),
  });
  const refused = await server.grpc.refusal(listRecords, STORES);
  expect(refused).toMatchObject({ code: 'INTERNAL', reason: 'INTERNAL' });
  expect(JSON.stringify(refused)).not.toContain('secret');
  expect(server.log()).toMatchObject([
    { kind: 'request_failed', error: { message: 'SQLITE_CORRUPT: secret inside' } },
    { kind: 'request_completed', status: 'INTERNAL' },
  ]);
  await server.close();
});

test('an overloaded service says when to retry', async () => {
  const server = await openTestServer(data(), { connectionsMax: 0, waitingMax: 0 });
  expect(await server.grpc.refusal(listRecords, STORES)).toMatchInlineSnapshot(`
    {
      "code": "UNAVAILABLE",
      "domain": "locmetrics",
      "message": "Too many queries are waiting for the database. Try again after a second.",
      "metadata": {
        "hint": "Try again after a second.",
        "requestId": "request-1",
      },
      "reason": "OVERLOADED",
      "requestId": "request-1",
      "retryDelaySeconds": 1,
    }
  `);
  await server.close();
});

test('bytes that are not HTTP/2 are refused, and the service still works', async () => {
  await expect(fetch(`http://${grpcAddress()}/livez`)).rejects.toThrow('fetch failed');
  expect((await ask(listRecords, STORES)).message.totalSize).toBe(3n);
});

test('the log contains no token and no value of a request', async () => {
  const secret = 'Quetzalcoatl';
  await refusal(listRecords, { ...STORES, billingContext: secret });
  await refusal(listRecords, { dataReferenceName: secret });
  await refusal(listRecords, { ...STORES, pageToken: secret });
  await refusal(listRecords, { ...STORES, asOf: secret });
  await refusal(listRecords, STORES, { metadata: { authorization: secret } });
  await refusal({ ...listRecords, name: secret }, STORES);
  await ask(searchFieldValues, { ...STORES, field: { name: 'city' }, term: secret });
  expect(logText()).not.toContain(secret);
  expect(logText()).not.toContain('Zürich');
  expect(logText()).not.toContain(data().token);
});
