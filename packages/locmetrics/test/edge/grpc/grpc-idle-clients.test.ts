import { type ClientHttp2Session, connect } from 'node:http2';
import type { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { openRelay } from '../../support/open-relay.ts';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';

/** Clients that are idle between two calls, such as a program that computes for minutes. */
const { data, grpcAddress } = useTestServer((to) => to.publishFiles(SHOPS));

afterEach(() => {
  vi.useRealTimers();
});

test('a client that answers no ping between two calls keeps its connection', async () => {
  const line = await openLine(grpcAddress());
  // The timers of the connection are those that exist when it opens.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const session = connect(`http://${line.address}`);
  expect(await call(session)).toBe('0');
  line.pause();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  line.resume();
  expect(await call(session)).toBe('0');
  session.destroy();
  await line.close();
});

/** A proxy connection that can be silenced, because libraries answer pings automatically. */
async function openLine(target: string) {
  const sockets: Socket[] = [];
  const { address, close } = await openRelay(target, (near, far) => {
    near.pipe(far).pipe(near);
    sockets.push(near, far);
  });
  return {
    address,
    close,
    pause: () => {
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      for (const socket of sockets) socket.resume();
    },
  };
}

/** The status of a call, or the error of its stream. */
function call(session: ClientHttp2Session): Promise<unknown> {
  return new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/unacast.catalog.v3.CatalogQuery/ListDataReferences',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${data().token}`,
    });
    stream.on('trailers', (trailers) => resolve(trailers['grpc-status']));
    stream.on('error', resolve);
    session.on('error', resolve);
    session.on('goaway', resolve);
    stream.end(Buffer.alloc(5));
    stream.resume();
  });
}
