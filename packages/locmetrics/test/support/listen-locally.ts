import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { releaseLater } from './release.ts';

/** A server on a free port of this machine. */
export type LocalServer = {
  readonly port: number;
  /** Such as `127.0.0.1:40001`. */
  readonly address: string;
  /** Ends it with its connections. */
  readonly close: () => Promise<void>;
};

/** Lets a server listen until it is closed, or the test or the file ends. */
export async function listenLocally(server: Server): Promise<LocalServer> {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of connections) socket.destroy();
    await closed;
  };
  releaseLater(close);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Only the address of a pipe is a text.
  const { port } = server.address() as AddressInfo;
  return { port, address: `127.0.0.1:${port}`, close };
}

/** The same for a server of HTTP, or of HTTPS with a certificate. */
export async function serveLocally(
  listener: RequestListener,
  tls?: { readonly cert: string; readonly key: string },
): Promise<LocalServer & { readonly url: string }> {
  const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
  const listening = await listenLocally(server);
  return { ...listening, url: `http${tls === undefined ? '' : 's'}://${listening.address}` };
}

/**
 * A port that nothing listened to a moment ago. It is below those that systems give to outgoing connections and to servers
 * that leave the choice to them, so none of these takes it before a server of the test listens there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    const server = createServer();
    server.listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

const PORT_MIN = 20_000;
const PORT_MAX = 32_000;
