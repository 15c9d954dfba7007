import { connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { catalogV1, catalogV3, healthV1, mapsV1 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

/** The layer below the messages: gRPC as HTTP/2, as faulty clients would send it. */
const { data, grpcAddress, refusal, ask, log, scrape } = useTestServer((to) =>
  to.publishFiles(SHOPS),
);
const { listRecords } = catalogV3.CatalogQuery.method;
const STORES = { dataReferenceName: 'shop.stores' };
const MESSAGE = toBinary(listRecords.input, create(listRecords.input, STORES));

test.each([
  'application/grpc',
  'application/grpc+proto',
  'Application/gRPC',
  'application/grpc; charset=utf-8',
])('the content type %s is accepted', async (contentType) => {
  const { status, headers } = await send({ 'content-type': contentType });
  expect([status, headers['grpc-status']]).toEqual([200, '0']);
});

test.each([
  'application/json',
  'application/grpc+json',
  'application/grpc-web',
  'application/grpc-web+proto',
  'application/grpcx',
  'text/plain',
])('the content type %s is refused', async (contentType) => {
  expect(await send({ 'content-type': contentType })).toMatchObject({
    status: 415,
    headers: { 'grpc-status': '3', 'x-request-id': 'raw' },
    message: `The content type is '${contentType}'. Send gRPC with the content type application/grpc or application/grpc+proto.`,
  });
});

test('a request without a content type is refused', async () => {
  expect(await send({ 'content-type': undefined })).toMatchObject({
    status: 415,
    message: expect.stringMatching(/^The request has no content type\. /),
  });
});

test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('the method %s is refused', async (method) => {
  expect(await send({ ':method': method })).toMatchObject({
    status: 405,
    headers: { 'grpc-status': '12', allow: 'POST' },
    message: `The method is ${method}. Send POST, as every gRPC library does.`,
  });
});

test('an unknown call is refused with the nearest one, with or without a token', async () => {
  const unknown = { ...listRecords, name: 'ListRecord' };
  const known = await refusal(unknown, STORES);
  expect(known).toMatchInlineSnapshot(`
    {
      "code": "UNIMPLEMENTED",
      "domain": "locmetrics",
      "message": "The service has no such call. Did you mean '/unacast.catalog.v3.CatalogQuery/ListRecords'?",
      "metadata": {
        "hint": "Did you mean '/unacast.catalog.v3.CatalogQuery/ListRecords'?",
        "requestId": "request-1",
      },
      "reason": "UNKNOWN_CALL",
      "requestId": "request-1",
    }
  `);
  const withoutToken = await refusal(unknown, STORES, { metadata: { authorization: '' } });
  expect(withoutToken).toEqual(known);
});

test.each(['/unacast.catalog.v9.CatalogQuery/ListRecords', '/', '/%41', '/../etc'])(
  'the path %s is not a call',
  async (path) => {
    expect(await send({ ':path': path })).toMatchObject({
      status: 200,
      headers: { 'grpc-status': '12' },
      message: expect.stringMatching(/^The service has no such call\. /),
    });
  },
);

test.each([
  '/unacast.catalog.v3.CatalogQuery/listRecords',
  '/CatalogQuery/ListRecords',
  '/CatalogQuery/listRecords',
])('the path %s is another spelling of the call', async (path) => {
  expect(
    (await send({ ':path': path, 'x-request-id': path.replaceAll('/', '_') })).headers,
  ).toEqual(expect.objectContaining({ 'grpc-status': '0' }));
  expect(log().at(-1)).toMatchObject({
    kind: 'request_completed',
    requestId: path.replaceAll('/', '_'),
    route: '/unacast.catalog.v3.CatalogQuery/ListRecords',
    status: 'OK',
  });
  expect(await scrape()).not.toMatch(/rpc_method="[^"]*listRecords|rpc_method="CatalogQuery/);
});

test('the spelling of the specification is known for every unary call', async () => {
  const services = [catalogV1.QueryService, catalogV1.CatalogService, catalogV3.CatalogQuery];
  for (const { typeName, methods } of [...services, mapsV1.MapService, healthV1.Health]) {
    for (const { name, methodKind } of methods) {
      if (methodKind !== 'unary') continue;
      const service = typeName.split('.').at(-1);
      const path = `/${service}/${name.charAt(0).toLowerCase()}${name.slice(1)}`;
      const { message } = await send({ ':path': path }, frame(Uint8Array.of(), 0));
      expect([path, message]).not.toEqual([path, expect.stringContaining('no such call')]);
    }
  }
});

test.each([
  ['/QueryService/searchMetricValue', "Did you mean '/QueryService/SearchMetricValues'?"],
  [
    '/unacast.catalog.v3.CatalogQuery/listRecord',
    "Did you mean '/unacast.catalog.v3.CatalogQuery/ListRecords'?",
  ],
  ['/queryService/searchMetricValues', "Did you mean '/QueryService/SearchMetricValues'?"],
  // Two services have this name.
  ['/ServerReflection/serverReflectionInfo', expect.stringMatching(/ServerReflection/)],
])('the path %s is refused with the nearest call', async (path, hint) => {
  const { headers, message } = await send({ ':path': path });
  expect(headers['grpc-status']).toBe('12');
  expect(message.replace('The service has no such call. ', '')).toEqual(hint);
});

test.each([['unacast.catalog.v1.QueryService/Rank', 'v1.Aggregates/SearchMetricAggregates']])(
  'the call %s of newer clients is not served yet',
  async (call, instead) => {
    const [service = '', method = ''] = call.split('/');
    const lower = method.charAt(0).toLowerCase() + method.slice(1);
    for (const path of [
      `/${call}`,
      `/${service}/${lower}`,
      `/${service.split('.').at(-1)}/${lower}`,
    ]) {
      const { headers, message } = await send({ ':path': path });
      expect(headers['grpc-status']).toBe('12');
      expect(message).toMatch(/^The call [a-zA-Z0-9./]+ is not served yet\. /);
      expect(message).toContain(`The call ${call} is`);
      expect(message).toContain(instead);
    }
  },
);

test.each(['the same', 'another'])('a call with two tokens, %s, is refused', async (second) => {
  const pseudo = { ':scheme': 'http', ':authority': 'localhost' };
  const headers = Object.entries({ ...pseudo, ...callHeaders() });
  const token = `Bearer ${data().token}`;
  const requestId = `twice-${second.replace(' ', '-')}`;
  // Node's client refuses to send this, so the frames of HTTP/2 are written by hand.
  const socket = connectSocket(Number(grpcAddress().split(':')[1]), '127.0.0.1');
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(http2Frame({ type: 4, flags: 0, stream: 0, bytes: Buffer.alloc(0) }));
  const written = [
    ...headers.filter(([name]) => name !== 'x-request-id'),
    ['x-request-id', requestId],
    ['authorization', second === 'another' ? 'Bearer lm_other' : token],
  ].map(([name = '', value = '']) => literalHeader(name, value));
  const END = 5;
  socket.write(http2Frame({ type: 1, flags: END, stream: 1, bytes: Buffer.concat(written) }));
  const refused = await until(() =>
    log().find((line) => line['requestId'] === requestId && 'reason' in line),
  );
  socket.destroy();
  expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'MALFORMED_HTTP' });
});

test.each(['abc', '', '5', 'S', '123456789S', '-1S', '+1S', '5X', '5s', '1.5S', '5 S', '5S5S'])(
  "the timeout '%s' is refused",
  async (timeout) => {
    expect(await send({ 'grpc-timeout': timeout })).toMatchObject({
      status: 200,
      headers: { 'grpc-status': '3' },
      message: `The metadata grpc-timeout is '${timeout}'. Send at most eight digits and a unit, H, M, S, m, u or n; a gRPC library does.`,
    });
  },
);

test.each(['99999999H', '99999999M', '99999999m', '30S', '00000030S', '99999999u'])(
  'the timeout %s is accepted',
  async (timeout) => {
    expect((await send({ 'grpc-timeout': timeout })).headers['grpc-status']).toBe('0');
  },
);

test('a timeout that has passed is the deadline', async () => {
  expect((await send({ 'grpc-timeout': '1n' })).headers['grpc-status']).toBe('4');
});

test.each(['foo', 'snappy', 'br', 'gzip,deflate'])(
  'the coding %s is refused with the supported ones',
  async (coding) => {
    expect(await send({ 'grpc-encoding': coding })).toMatchObject({
      status: 200,
      headers: { 'grpc-status': '12', 'grpc-accept-encoding': 'identity,deflate,gzip' },
      message: `The messages are compressed as '${coding}'. Compress them with gzip or deflate, or not at all.`,
    });
  },
);

test.each(['gzip', 'identity'])(
  'an uncompressed message may have the coding %s',
  async (coding) => {
    expect((await send({ 'grpc-encoding': coding })).headers['grpc-status']).toBe('0');
  },
);

test('a message that is compressed with the declared coding is read', async () => {
  const answer = await send({ 'grpc-encoding': 'gzip' }, frame(gzipSync(MESSAGE), 1));
  expect(answer.headers['grpc-status']).toBe('0');
});

test.each([{ 'grpc-encoding': 'identity' }, {}])(
  'a message with the compressed flag, under the headers %j, is refused as gRPC requires',
  async (headers) => {
    expect(await send(headers, frame(MESSAGE, 1))).toMatchObject({
      headers: { 'grpc-status': '13' },
      message:
        'The message is flagged as compressed, but no encoding is named. Name it in grpc-encoding, or send the message uncompressed.',
    });
    expect(log().slice(-2)).toMatchObject([
      { kind: 'request_refused', reason: 'COMPRESSION_NOT_NAMED' },
      { kind: 'request_completed', status: 'INTERNAL' },
    ]);
  },
);

test('a message with another flag value is malformed', async () => {
  expect(await send({}, frame(MESSAGE, 2))).toMatchObject({ headers: { 'grpc-status': '3' } });
});

test('a message that cannot be decompressed is malformed', async () => {
  const bytes = frame(Uint8Array.of(7), 1);
  expect(await send({ 'grpc-encoding': 'gzip' }, bytes)).toMatchObject({
    headers: { 'grpc-status': '3' },
    message: 'The message could not be decompressed. Send it without compression.',
  });
});

test.each([
  ['no message', Buffer.alloc(0)],
  ['half of a message', frame(MESSAGE, 0).subarray(0, 10)],
  ['half of the length of a message', frame(MESSAGE, 0).subarray(0, 3)],
  ['two messages', Buffer.concat([frame(MESSAGE, 0), frame(MESSAGE, 0)])],
  ['a message and half of another one', Buffer.concat([frame(MESSAGE, 0), Buffer.alloc(3)])],
])('a unary call with %s is malformed', async (_, bytes) => {
  expect(await send({}, bytes)).toMatchObject({
    headers: { 'grpc-status': '3' },
    message: expect.stringMatching(
      /^The call (has more than one message|ended before its message was complete)\. Send one length-prefixed/,
    ),
  });
});

test.each([
  ['no message', Buffer.alloc(0)],
  ['two messages', Buffer.alloc(10)],
  ['a message and half of another one', Buffer.alloc(8)],
])('a watch of the health with %s is malformed', async (_, bytes) => {
  expect(await send({ ':path': '/grpc.health.v1.Health/Watch' }, bytes)).toMatchObject({
    headers: { 'grpc-status': '3' },
  });
});

test('a message that arrives byte by byte is read', async () => {
  const session = connect(`http://${grpcAddress()}`);
  const stream = session.request(callHeaders());
  for (const byte of frame(MESSAGE, 0)) stream.write(Uint8Array.of(byte));
  stream.end();
  stream.resume();
  const trailers = await new Promise((resolve) => stream.on('trailers', resolve));
  expect(trailers).toMatchObject({ 'grpc-status': '0' });
  session.destroy();
});

test.each([
  ['of 2 MiB', {}, frame(new Uint8Array(2 ** 21), 0)],
  [
    'that grows to 2 MiB when it is decompressed',
    { 'grpc-encoding': 'gzip' },
    frame(gzipSync(new Uint8Array(2 ** 21)), 1),
  ],
  ['that announces 4 GB', {}, Uint8Array.of(0, 255, 255, 255, 255)],
])('a message %s is too large', async (_, headers, bytes) => {
  expect(await send(headers, bytes)).toMatchObject({
    headers: { 'grpc-status': '3' },
    message: 'The message is larger than 1 MiB. Split a long list of values over several requests.',
  });
});

test.each([
  ['one text of 20 KB', 1, 20_000],
  ['five texts of 12 KB', 5, 12_000],
  ['500 texts', 500, 40],
])('metadata of %s is refused with a status', async (_, count, length) => {
  expect(await send(manyHeaders(count, length))).toMatchObject({
    status: 200,
    headers: { 'grpc-status': '3' },
    message:
      'The metadata of the call are too large. Send at most 16 KiB of them; long filters go into the message.',
  });
});

test('300 short metadata entries are accepted', async () => {
  expect((await send(manyHeaders(300, 1))).headers['grpc-status']).toBe('0');
});

test.each([
  ['of 300 KB', 30, 10_000],
  ['of 3,000 texts', 3000, 1],
])('metadata %s ends the call, and the service still works', async (_, count, length) => {
  await expect(send(manyHeaders(count, length))).rejects.toThrow();
  expect((await ask(listRecords, STORES)).message.totalSize).toBe(3n);
});

test('calls that are refused at once do not count against later ones', async () => {
  const session = connect(`http://${grpcAddress()}`);
  for (let count = 0; count < 300; count += 1) {
    const stream = session.request({ ':method': 'PUT', ':path': '/x' }, { endStream: false });
    await new Promise((resolve) => stream.on('response', resolve));
  }
  const last = session.request(callHeaders());
  last.end(frame(MESSAGE, 0));
  last.resume();
  const trailers = await new Promise((resolve) => last.on('trailers', resolve));
  expect(trailers).toMatchObject({ 'grpc-status': '0' });
  session.destroy();
});

test('a call that is refused at once is in the log and the metrics, without texts of the caller', async () => {
  const secret = 'Quetzalcoatl';
  await send({ ':path': `/${secret}`, 'user-agent': 'odd/1' });
  expect(log().slice(-2)).toMatchObject([
    { kind: 'request_refused', requestId: 'raw', code: 'UNIMPLEMENTED', reason: 'UNKNOWN_CALL' },
    {
      kind: 'request_completed',
      requestId: 'raw',
      method: 'POST',
      route: '/_OTHER',
      status: 'UNIMPLEMENTED',
      clientAddress: '127.0.0.1',
      userAgent: 'odd/1',
    },
  ]);
  const metrics = await scrape();
  expect(metrics).toContain('rpc_method="_OTHER",rpc_response_status_code="UNIMPLEMENTED"');
  expect(metrics).toMatch(/^locmetrics_rpc_active_calls 0$/m);
  expect(metrics).not.toContain(secret);
});

type Headers = Readonly<Record<string, string | undefined>>;

type Answer = {
  readonly status: unknown;
  /** The received headers and trailers. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** `grpc-message`, decoded. */
  readonly message: string;
};

/** Sends a call as HTTP/2. The headers replace those of a valid call; undefined ones are left out. */
function send(headers: Headers, bytes: Uint8Array = frame(MESSAGE, 0)): Promise<Answer> {
  const session = connect(`http://${grpcAddress()}`, { maxSendHeaderBlockLength: 2 ** 24 });
  return new Promise<Answer>((resolve, reject) => {
    session.on('error', reject);
    const all = Object.entries({ ...callHeaders(), ...headers });
    const stream = session.request(
      Object.fromEntries(all.filter(([, value]) => value !== undefined)),
      // For some methods Node ends the stream at once.
      { endStream: false },
    );
    let received: Record<string, unknown> = {};
    const take = (given: object): void => {
      received = { ...received, ...given };
    };
    stream.on('response', take);
    stream.on('trailers', take);
    stream.on('error', reject);
    stream.on('close', () => {
      resolve({
        status: received[':status'],
        headers: received,
        message: decodeURIComponent(String(received['grpc-message'] ?? '')),
      });
    });
    stream.end(bytes);
    stream.resume();
  }).finally(() => session.destroy());
}

function callHeaders(): Headers {
  return {
    ':method': 'POST',
    ':path': '/unacast.catalog.v3.CatalogQuery/ListRecords',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${data().token}`,
    'x-request-id': 'raw',
  };
}

function manyHeaders(count: number, length: number): Headers {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`x-many-${index}`, 'x'.repeat(length)]),
  );
}

/** A message in the frame of gRPC: a flag, its length, its bytes. */
function frame(message: Uint8Array, flag: number): Uint8Array {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag, 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** RFC 9113 § 4.1. */
function http2Frame(frame: {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly bytes: Buffer;
}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(frame.bytes.length, 0, 3);
  head.writeUInt8(frame.type, 3);
  head.writeUInt8(frame.flags, 4);
  head.writeUInt32BE(frame.stream, 5);
  return Buffer.concat([head, frame.bytes]);
}

/** RFC 7541 § 6.2.2: a literal that is not indexed. The texts are shorter than 127 bytes. */
function literalHeader(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  return Buffer.concat([Buffer.of(0, key.length), key, Buffer.of(text.length), text]);
}
