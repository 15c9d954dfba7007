import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { compressionAlgorithms } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { openGrpcClient } from '../grpc/grpc-client.ts';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

const { url, data, grpcAddress } = useTestServer((to) => to.publishFiles(SHOPS));

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: (bytes) => zstdDecompressSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  none: (bytes) => bytes,
};

/** `fetch` would send its own Accept-Encoding and decode the answer. */
async function ask(
  path: string,
  acceptEncoding: string | undefined,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof read>>>();
  const sent = request(`${url()}${path}`, {
    method,
    agent: false,
    headers: {
      authorization: `Bearer ${data().token}`,
      ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
      ...headers,
    },
  });
  const read = async (answer: IncomingMessage) => {
    const bytes = await buffer(answer);
    const coding = answer.headers['content-encoding'] ?? 'none';
    return { status: answer.statusCode, headers: answer.headers, coding, bytes };
  };
  sent.on('response', (answer) => resolve(read(answer)));
  sent.on('error', reject);
  sent.end();
  return promise;
}

const LARGE = '/openapi.json';
const SMALL = '/livez';

test.each([
  ['no header', undefined, 'none'],
  ['an empty header', '', 'none'],
  ['gzip', 'gzip', 'gzip'],
  ['the older name of gzip', 'x-gzip', 'gzip'],
  ['a name in upper case', 'GZIP', 'gzip'],
  ['br', 'br', 'br'],
  ['zstd', 'zstd', 'zstd'],
  ['the header of browsers', 'gzip, deflate, br, zstd', 'zstd'],
  ['the header of many libraries', 'gzip, deflate', 'gzip'],
  ['weights', 'zstd;q=0.1, br;q=0.2, gzip;q=0.3', 'gzip'],
  ['weights with spaces', 'zstd ; q=0.1 ,\tgzip\t;\tq=1.000', 'gzip'],
  ['a star', '*', 'zstd'],
  ['a star and an excluded coding', 'zstd;q=0, *', 'br'],
  ['a star with a lower weight', 'gzip, *;q=0.5', 'gzip'],
  ['identity with a higher weight', 'gzip;q=0.5, identity', 'none'],
  ['identity with a lower weight', 'identity;q=0.1, gzip;q=0.2', 'gzip'],
  ['only unsupported codings', 'compress, deflate', 'none'],
  ['only an excluded coding', 'gzip;q=0', 'none'],
  ['an invalid weight', 'br;q=much, gzip', 'gzip'],
])('%s: %s is answered with the coding %s', async (_, acceptEncoding, expected) => {
  const plain = await ask(LARGE, undefined);
  const { coding, bytes, headers } = await ask(LARGE, acceptEncoding);
  expect(coding).toBe(expected);
  expect(DECODERS[coding]?.(bytes)).toEqual(plain.bytes);
  expect(headers['content-length']).toBe(String(bytes.length));
  expect(headers['vary']).toBe('Accept-Encoding');
});

test.each(['identity;q=0', '*;q=0', 'identity;q=0, compress', 'identity;q=0, gzip;q=0.000'])(
  '%s without an acceptable coding is refused, with an uncompressed problem',
  async (acceptEncoding) => {
    const { status, coding, bytes } = await ask(LARGE, acceptEncoding);
    expect([status, coding]).toEqual([406, 'none']);
    expect(JSON.parse(bytes.toString())).toMatchObject({
      reason: 'NOT_ACCEPTABLE',
      hint: 'Leave Accept-Encoding out, or include zstd, br, gzip or identity.',
    });
  },
);

test('without a token the refusal is about the token, not about codings', async () => {
  const headers = { authorization: 'Bearer lm_wrong' };
  const path = '/v1/catalogs/shop/metrics/customers/values';
  expect((await ask(path, '*;q=0', { headers })).status).toBe(401);
});

test('a small answer is not compressed, unless identity is excluded', async () => {
  const plain = await ask(SMALL, 'gzip');
  expect(plain.coding).toBe('none');
  expect(plain.headers['vary']).toBe('Accept-Encoding');
  const coded = await ask(SMALL, 'gzip, identity;q=0');
  expect(coded.coding).toBe('gzip');
  expect(gunzipSync(coded.bytes)).toEqual(plain.bytes);
});

test('a page of values is compressed, and HEAD has the same headers without a body', async () => {
  const path =
    '/v1/catalogs/shop/metrics/customers/values?billingContext=acme&trackTotalHits=false';
  const got = await ask(path, 'br');
  const head = await ask(path, 'br', { method: 'HEAD' });
  expect(JSON.parse(brotliDecompressSync(got.bytes).toString()).valuesList).not.toEqual([]);
  expect(head.bytes).toHaveLength(0);
  for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'] as const) {
    expect(head.headers[name]).toBe(got.headers[name]);
  }
});

test('a problem and the OpenAPI document are compressed like any answer', async () => {
  const problem = await ask('/v3/catalog/unknown', 'gzip, identity;q=0');
  expect([problem.status, problem.coding]).toEqual([404, 'gzip']);
  expect(JSON.parse(gunzipSync(problem.bytes).toString()).reason).toBe('ROUTE_NOT_FOUND');
  const document = await ask('/openapi.json', 'zstd, identity;q=0');
  expect(document.coding).toBe('zstd');
  expect(zstdDecompressSync(document.bytes).toString()).toContain('"openapi"');
});

test('a gRPC client that compresses its requests gets uncompressed answers', async () => {
  const client = openGrpcClient(grpcAddress(), {
    token: data().token,
    options: { 'grpc.default_compression_algorithm': compressionAlgorithms.gzip },
  });
  const values = Array.from({ length: 1000 }, (_, index) => `city ${index}`);
  const { message, metadata } = await client.ask(catalogV3.CatalogQuery.method.listRecords, {
    dataReferenceName: 'shop.stores',
    filters: [{ fieldName: 'city', operator: 'in', values: [...values, 'zug'] }],
    options: { trimToPeriodOfExistence: 2 },
  });
  client.close();
  expect(message.records.map(({ fields }) => fields['city'])).toEqual(['zug']);
  expect(metadata).not.toHaveProperty('grpc-encoding', 'gzip');
});
