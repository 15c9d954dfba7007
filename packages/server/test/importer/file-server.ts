import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A server on this machine, on a free port, with an address such as `http://127.0.0.1:40001`. */
export async function serveFiles(
  listener: RequestListener,
  tls?: { readonly cert: string; readonly key: string },
): Promise<AsyncDisposable & { readonly address: string }> {
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    address: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
