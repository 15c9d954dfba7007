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

/** A port that nothing listened to a moment ago. */
export async function freePort(): Promise<number> {
  const { port, close } = await listenLocally(createServer());
  await close();
  return port;
}
