import { setImmediate as lookAtConnections, setTimeout as passTime } from 'node:timers/promises';
import type { OpenConnections } from '../listening/open-connections.ts';
import { type TakenConnections, takeConnections } from '../listening/take-connections.ts';
import type { CertificateSource } from '../listening/tls/certificate-source.ts';
import type { HttpApp } from './http-app.ts';
import { stateOf } from './request-state.ts';

const SWEEP_EVERY_MS = 50;

export type ServedConnections = Pick<TakenConnections, 'accept' | 'acceptTls'> & {
  /** Ends up to so many connections on which no token was accepted yet; gives how many. */
  readonly makeRoom: OpenConnections['endStrangers'];
  /**
   * From now on each answer is the last of its connection. Those that are idle after the grace are
   * ended; resolves when all have ended.
   */
  readonly close: (graceMs: number) => Promise<void>;
};

/** Serves connections that somebody else has accepted. Call it before the app is ready. */
export function serveConnections(
  app: HttpApp,
  certificate: CertificateSource | undefined,
): ServedConnections {
  const { server } = app;
  let isClosing = false;
  app.addHook('onSend', async (_, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  // Node's HTTP server begins here to watch its connections: their timeouts, and which are idle.
  server.emit('listening');
  const { accept, acceptTls, open, endHandshakes } = takeConnections({
    certificate,
    protocol: 'http/1.1',
    serve: (socket) => server.emit('connection', socket),
  });
  // After the token, and before a body that may take long to come.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (stateOf(request).caller !== undefined) open.trust(request.raw.socket);
    done();
  });
  return {
    accept,
    acceptTls,
    makeRoom: open.endStrangers,
    close: async (graceMs) => {
      isClosing = true;
      await open.endedWithin(graceMs);
      endHandshakes();
      let hasEnded = false;
      const ended = open.ended().then(() => {
        hasEnded = true;
      });
      while (!hasEnded) {
        await Promise.race([ended, passTime(SWEEP_EVERY_MS)]);
        // A request that has arrived, but was not read yet, is read before its connection counts as idle.
        await lookAtConnections();
        server.closeIdleConnections();
        // On these no byte ever came. Node counts them as busy until its timeouts, and browsers and
        // load balancers open such connections in advance.
        for (const socket of open.all()) if (socket.bytesRead === 0) socket.destroy();
      }
      // It never listened, which it says; what matters is that it stops to watch.
      server.close(() => {});
    },
  };
}
