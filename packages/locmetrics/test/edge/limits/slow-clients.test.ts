import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { notes } from '../notes.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer, type ServerOptions, type TestServer } from '../test-server.ts';

/** About 20 MB of JSON on one page: more than the system buffers for a client that reads nothing. */
const ROWS = 1000;
const noteOf = (row: number): string => `note ${row} of many `.repeat(1000);
const NOTE_LENGTH_MIN = noteOf(0).length;
const ALL = { dataReferenceName: 'long.notes', pageSize: 10_000 };
const FIRST = { dataReferenceName: 'long.notes', pageSize: 1 };

let data: TestData;
let server: TestServer;
const sockets = new Set<Socket>();

beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(notes(ROWS, noteOf));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await server.close();
});
afterAll(() => data.remove());

const serve = async (options: ServerOptions): Promise<void> => {
  server = await openTestServer(data, options);
};

/** A connection that requests all notes. Its bytes are read only if the test reads them. */
function askWithoutReading(requestId: string, request: object = ALL): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.add(socket);
  socket.on('error', () => {});
  socket.write(requestFor(requestId, request));
  return socket;
}

function requestFor(requestId: string, request: object): string {
  const body = JSON.stringify(request);
  return `POST /v3/catalog/listRecords HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${requestId}\r\nAuthorization: Bearer ${data.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** For a client whose answers wait while the test does something else. */
const PATIENT: ServerOptions = { taking: { stallTimeoutMs: 600_000 } };

const endOf = (requestId: string) =>
  server.log().filter((line) => line['requestId'] === requestId && line['status'] !== undefined)[0];
const hasEnded = (requestId: string) => expect.poll(() => endOf(requestId)).toBeDefined();

test('an answer that the client does not read is cut', async () => {
  await serve({ taking: { stallTimeoutMs: 300 } });
  askWithoutReading('stuck');
  await hasEnded('stuck');
  expect(endOf('stuck')).toMatchObject({
    level: 30,
    kind: 'request_completed',
    status: 499,
    rows: ROWS,
    cut: 'stalled',
  });
});

test('an answer that is read slowly continues, until it is too slow', {
  tags: 'slow',
}, async () => {
  await serve({ taking: { stallTimeoutMs: 1000, graceMs: 2000, bytesPerSecondMin: 2 ** 30 } });
  const socket = askWithoutReading('slow');
  const timer = setInterval(() => {
    // Unread bytes stay in the socket, and no more bytes are read from the system.
    socket.read(64 * 1024);
  }, 20);
  await hasEnded('slow');
  clearInterval(timer);
  expect(endOf('slow')).toMatchObject({ status: 499, cut: 'too_slow' });
  expect(endOf('slow')?.['durationMs']).toBeGreaterThanOrEqual(2000);
});

test('a client that reads in time gets the whole answer, also after an idle time', {
  tags: 'slow',
}, async () => {
  await serve({ taking: { stallTimeoutMs: 1000 } });
  const socket = askWithoutReading('patient');
  await once(socket, 'readable');
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await expect.poll(() => bytes).toBeGreaterThan(ROWS * NOTE_LENGTH_MIN);
  await untilOtherIsCut();
  expect(socket.closed).toBe(false);
  expect(endOf('patient')).toMatchObject({ status: 200 });
  expect(endOf('patient')).not.toHaveProperty('cut');
});

test('answers that wait on their connection stay as they are while others are made', {
  tags: 'slow',
}, async () => {
  await serve(PATIENT);
  /** 50 notes, about a megabyte: less than the system buffers, so many wait on one connection. */
  const partFrom = (row: number) => ({
    dataReferenceName: 'long.notes',
    pageSize: 50,
    filters: [{ fieldName: 'id', operator: '>=', value: String(row) }],
  });
  const rows = Array.from({ length: 19 }, (_, part) => part * 50);
  const notesFrom = (row: number) =>
    Array.from({ length: 50 }, (_, index) => [String(row + index), noteOf(row + index)]);

  const waiting = askWithoutReading('part-0', partFrom(0));
  for (const row of rows.slice(1)) waiting.write(requestFor(`part-${row}`, partFrom(row)));
  await expect.poll(() => endOf('part-0')).toBeDefined();
  for (const row of rows.toReversed()) {
    const { body } = await server.post('listRecords', partFrom(row));
    expect(notesIn(body)).toEqual(notesFrom(row));
  }
  expect(rows.filter((row) => endOf(`part-${row}`) === undefined)).not.toEqual([]);
  const answers = await readAnswers(waiting, rows.length);
  for (const [index, answer] of answers.entries()) {
    expect(notesIn(JSON.parse(answer))).toEqual(notesFrom(rows[index] ?? 0));
  }
});

/** Waits until a client that reads nothing is cut: others that were would be, too. */
async function untilOtherIsCut(): Promise<void> {
  askWithoutReading('other');
  await hasEnded('other');
  expect(endOf('other')).toMatchObject({ cut: 'stalled' });
}

function notesIn(body: { readonly records?: unknown }): unknown {
  const records = body.records as readonly { readonly fields: Readonly<Record<string, string>> }[];
  return records.map(({ fields }) => [fields['id'], fields['note']]);
}

/** The bodies of so many answers on a connection, which have a length. */
async function readAnswers(socket: Socket, count: number): Promise<readonly string[]> {
  const bodies: string[] = [];
  let text = '';
  socket.setEncoding('latin1');
  for await (const chunk of socket) {
    text += chunk;
    for (;;) {
      const head = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1]);
      if (head < 4 || text.length < head + length) break;
      bodies.push(text.slice(head, head + length));
      text = text.slice(head + length);
    }
    if (bodies.length === count) return bodies;
  }
  throw new Error(`The connection ended after ${bodies.length} answers.`);
}

test('a half-sent request after another one does not count as an unread answer', async () => {
  await serve({ taking: { stallTimeoutMs: 300 } });
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.add(socket);
  let answers = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answers += text;
  });
  const head = `POST /v3/catalog/listDataReferences HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${data.token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`;
  socket.write(`${head}{}${head}{`);
  await untilOtherIsCut();
  socket.write('}');
  await expect.poll(() => answers.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(2);
});

test('unread answers block large pages for a time, but never small ones', {
  tags: 'slow',
}, async () => {
  await serve({ answers: { unsentMaxBytes: 32 * 2 ** 20 }, taking: { stallTimeoutMs: 2000 } });
  const stuck = Array.from({ length: 5 }, (_, index) => `stuck-${index}`);
  for (const requestId of stuck) askWithoutReading(requestId);
  await server.grpc.ask(catalogV3.CatalogQuery.method.listRecords, FIRST);
  const { status } = await server.post('listRecords', FIRST);
  expect(status).toBe(200);
  expect(stuck.filter((requestId) => endOf(requestId) !== undefined)).toEqual([]);
  const patient = await server.post('listRecords', ALL);
  expect(patient.body.records).toHaveLength(ROWS);
  // All earlier requests were answered, three at a time.
  expect(stuck.map((requestId) => endOf(requestId)?.['cut'])).toContain('stalled');
  for (const requestId of stuck) await hasEnded(requestId);
  expect(stuck.map((requestId) => endOf(requestId)?.['cut'])).toEqual(Array(5).fill('stalled'));
});

test('without a queue, a request for a large page is refused with a retry time', {
  tags: 'slow',
}, async () => {
  await serve({
    answers: { unsentMaxBytes: 2 ** 20, waitingMax: 0 },
    taking: { stallTimeoutMs: 1000 },
  });
  askWithoutReading('stuck');
  const ask = async () => (await server.post('listRecords', { ...ALL, pageSize: 101 })).status;
  await expect.poll(ask).toBe(503);
  await hasEnded('stuck');
  await expect.poll(ask).toBe(200);
});

test('a gRPC call that the client does not read is cut, and another call on its connection continues', async () => {
  await serve({ taking: { stallTimeoutMs: 300 } });
  const session = connectHttp2(`http://${server.grpcAddress}`);
  const stuck = callOver(session, 'stuck-call', ALL);
  const closed = new Promise((resolve) => stuck.once('close', resolve));
  await hasEnded('stuck-call');
  expect(endOf('stuck-call')).toMatchObject({ status: 'CANCELLED', cut: 'stalled' });
  await closed;
  expect(stuck.rstCode).toBe(constants.NGHTTP2_CANCEL);
  expect(server.log().filter(({ kind }) => kind === 'request_failed')).toEqual([]);

  const other = callOver(session, 'other-call', FIRST);
  let bytes = 0;
  other.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await new Promise((resolve) => other.once('close', resolve));
  expect(bytes).toBeGreaterThan(NOTE_LENGTH_MIN);
  session.close();
});

test('gRPC answers that wait on their connection stay as they are while others are made', {
  tags: 'slow',
}, async () => {
  await serve(PATIENT);
  /** 100 notes, about 1.5 MB: more than the window of a stream. */
  const partFrom = (row: number) => ({
    dataReferenceName: 'long.notes',
    pageSize: 100,
    filters: [{ fieldName: 'id', operator: '>=', value: String(row) }],
  });
  const rows = [0, 100, 200, 300, 400, 500, 600];
  const notesFrom = (row: number) =>
    Array.from({ length: 100 }, (_, index) => [String(row + index), noteOf(row + index)]);
  const notesInMessage = ({ records }: catalogV3.ListRecordsResponse) =>
    records.map(({ fields }) => [fields['id'], fields['note']]);

  const session = connectHttp2(`http://${server.grpcAddress}`);
  const waiting = rows.map((row) => callOver(session, `part-${row}`, partFrom(row)));
  await Promise.all(
    waiting.map((call) => new Promise((resolve) => call.once('response', resolve))),
  );
  for (const row of rows.toReversed()) {
    const { message } = await server.grpc.ask(
      catalogV3.CatalogQuery.method.listRecords,
      partFrom(row),
    );
    expect(notesInMessage(message)).toEqual(notesFrom(row));
  }
  expect(rows.filter((row) => endOf(`part-${row}`) !== undefined)).toEqual([]);
  for (const [index, call] of waiting.entries()) {
    const framed = Buffer.concat(await call.toArray());
    const message = fromBinary(catalogV3.ListRecordsResponseSchema, framed.subarray(5));
    expect(notesInMessage(message)).toEqual(notesFrom(rows[index] ?? 0));
  }
  session.close();
});

test('a gRPC caller who leaves while the answer is sent does not count as a failure of the service', async () => {
  await serve({});
  const session = connectHttp2(`http://${server.grpcAddress}`);
  const left = callOver(session, 'left-call', ALL);
  await new Promise((resolve) => left.once('response', resolve));
  left.close(constants.NGHTTP2_CANCEL);
  await hasEnded('left-call');
  expect(endOf('left-call')).toMatchObject({ level: 30, status: 'CANCELLED' });
  expect(server.log().filter(({ kind }) => kind === 'request_failed')).toEqual([]);
  session.close();
});

test('a gRPC connection that the client does not read is closed', { tags: 'slow' }, async () => {
  await serve({ answers: { unsentMaxBytes: 1 }, taking: { stallTimeoutMs: 300 } });
  const [host, port] = server.grpcAddress.split(':');
  const socket = connect({ host: host ?? '', port: Number(port) });
  sockets.add(socket);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  // The windows are so large that only the connection itself limits, and there are enough calls to fill it.
  socket.write(http2Start());
  for (let stream = 1; stream < 40; stream += 2) socket.write(http2Call(stream));
  await expect
    .poll(() => server.log().filter(({ cut }) => cut === 'stalled').length)
    .toBeGreaterThan(0);
  // Its unread answers count until it is closed, and a large page waits for that.
  const patient = await server.post('listRecords', ALL);
  expect(patient.body.records).toHaveLength(ROWS);
  socket.resume();
  await closed;
});

/** Sends a call as HTTP/2. The answer is read only if the test reads it. */
function callOver(session: ClientHttp2Session, requestId: string, request: RecordsRequest) {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/unacast.catalog.v3.CatalogQuery/ListRecords',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${data.token}`,
    'x-request-id': requestId,
  });
  stream.end(grpcMessage(request));
  return stream;
}

type RecordsRequest = MessageInitShape<typeof catalogV3.ListRecordsRequestSchema>;

function grpcMessage(request: RecordsRequest): Buffer {
  const { ListRecordsRequestSchema } = catalogV3;
  const bytes = toBinary(ListRecordsRequestSchema, create(ListRecordsRequestSchema, request));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** RFC 9113: the preface, settings with the largest window of a stream, and that of the connection. */
function http2Start(): Buffer {
  const largest = 2 ** 31 - 1;
  const settings = Buffer.alloc(6);
  settings.writeUInt16BE(4, 0);
  settings.writeUInt32BE(largest, 2);
  const window = Buffer.alloc(4);
  window.writeUInt32BE(largest - 65_535, 0);
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame({ type: 4, flags: 0, stream: 0, payload: settings }),
    frame({ type: 8, flags: 0, stream: 0, payload: window }),
  ]);
}

function http2Call(stream: number): Buffer {
  const headers = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': '/unacast.catalog.v3.CatalogQuery/ListRecords',
    ':authority': 'a',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${data.token}`,
  };
  // RFC 7541 § 6.2.2: literal fields without indexing, each length in one byte.
  const block = Object.entries(headers).flatMap(([name, value]) => [
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
  return Buffer.concat([
    frame({ type: 1, flags: 4, stream, payload: Buffer.concat(block) }),
    frame({ type: 0, flags: 1, stream, payload: grpcMessage(ALL) }),
  ]);
}

function frame(given: {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(given.payload.length, 0, 3);
  head.writeUInt8(given.type, 3);
  head.writeUInt8(given.flags, 4);
  head.writeUInt32BE(given.stream, 5);
  return Buffer.concat([head, given.payload]);
}
