import type { Socket } from 'node:net';
import { constants, createGzip } from 'node:zlib';
import { type LocalServer, serveLocally } from '../../../locmetrics/test/support/listen-locally.ts';

/**
 * A server whose connection ends after the first row of each stream, between two chunks and two lines, once the client
 * asks for `/break`: a runtime that meets the end before it has passed on the row may drop it. The row of the dataset
 * `gzip` is compressed, up to the end of a block.
 */
export function serveBrokenStreams(): Promise<LocalServer & { readonly url: string }> {
  const unbroken = new Set<Socket>();
  return serveLocally((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { 'access-control-allow-headers': 'authorization, content-type' });
      response.end();
      return;
    }
    if (request.url === '/break') {
      for (const socket of unbroken) socket.end();
      unbroken.clear();
      response.end();
      return;
    }
    response.setHeader('access-control-expose-headers', 'data-version');
    response.setHeader('data-version', 'v');
    const send = (bytes: string | Buffer) => {
      unbroken.add(request.socket);
      response.write(bytes);
    };
    if (!request.url?.includes('/gzip/')) {
      send('{"id":1}\n');
      return;
    }
    response.setHeader('content-encoding', 'gzip');
    const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
    gzip.write('{"id":1}\n');
    gzip.flush(() => send(gzip.read()));
  });
}
