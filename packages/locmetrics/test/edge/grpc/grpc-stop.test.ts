import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { delay } from '../../support/delay.ts';
import { openRelay } from '../../support/open-relay.ts';
import { until } from '../../support/until.ts';
import { SHOPS } from '../shops.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer } from '../test-server.ts';

/** A client far away: each of its bytes arrives this much later, and each of the server's too. */
const DELAY_MS = 60;
/** Longer than a call takes on a busy machine. */
const GRACE_MS = 60_000;
/** Enough for some call to be under way whenever the service stops. */
const CLIENTS = 8;

let data: TestData;
beforeEach(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterEach(async () => data.remove());

test('a stopping service closes connections while they have a call, so that none is lost on its way', async () => {
  const server = await openTestServer(data);
  const line = await openSlowLine(server.grpcAddress);
  const answered = new Set<number>();
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    await delay((index / CLIENTS) * 2 * DELAY_MS);
    return callUntilClosed(connect(`http://${line.address}`), () => answered.add(index));
  });
  await until(() => answered.size === CLIENTS);
  await server.close(GRACE_MS);
  for (const answers of await Promise.all(clients)) {
    expect(new Set(answers)).toEqual(new Set(['0']));
  }
});

test('a connection whose calls are all answered is not closed, even if a stream is still open', async () => {
  const server = await openTestServer(data);
  const line = await openSlowLine(server.grpcAddress);
  const session = connect(`http://${line.address}`);
  // The answer comes before the end of the request.
  const refused = openCall(session, 'none');
  await once(refused, 'response');
  expect(refused.closed).toBe(false);
  const stopped = server.close(GRACE_MS);
  expect(await callUntilClosed(session)).toEqual(['0']);
  refused.close();
  await stopped;
});

/** Makes one call after the other, as a proxy does, until the connection is closed. */
async function callUntilClosed(session: ClientHttp2Session, onAnswer = () => {}) {
  session.on('error', () => {});
  const answers: unknown[] = [];
  while (!session.closed && !session.destroyed) {
    answers.push(await call(session, data.token));
    onAnswer();
  }
  return answers;
}

function openSlowLine(target: string) {
  return openRelay(target, (near, far) => {
    sendLater(near, far);
    sendLater(far, near);
  });
}

function sendLater(from: Duplex, to: Duplex): void {
  from.on('data', (bytes) => void delay(DELAY_MS).then(() => to.write(bytes)));
  from.on('end', () => void delay(DELAY_MS).then(() => to.end()));
}

/** The status of a call, or the error of its stream. */
async function call(session: ClientHttp2Session, token: string): Promise<unknown> {
  const stream = openCall(session, token);
  stream.end(Buffer.alloc(5));
  stream.resume();
  let status: unknown;
  stream.on('trailers', (trailers) => {
    status = trailers['grpc-status'];
  });
  try {
    await once(stream, 'close');
    return status;
  } catch (error) {
    return error;
  }
}

/** Sends the headers of a call. */
function openCall(session: ClientHttp2Session, token: string): ClientHttp2Stream {
  return session.request({
    ':method': 'POST',
    ':path': '/unacast.catalog.v3.CatalogQuery/ListDataReferences',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${token}`,
  });
}
