import { setImmediate as nextLoopTick, setTimeout as passTime } from 'node:timers/promises';
import type { ConnectionRoom } from '../../listening/connection-room.ts';
import { type ConnectionServer, takeConnections } from '../../listening/take-connections.ts';
import type { CertificateSource } from '../../listening/tls/certificate-source.ts';
import type { HttpApp } from '../http-app.ts';
import { stateOf } from '../request/request-state.ts';
import { turnAway } from './turn-away.ts';

const SWEEP_EVERY_MS = 50;

export type ServedConnections = Omit<ConnectionServer, 'close'> & {
  /**
   * Drains the connections: each answer from now on is the last of its connection, and connections that are
   * idle after the grace time are closed. Resolves when all have ended.
   */
  readonly close: (graceMs: number) => Promise<void>;
};

/** Serves connections that were accepted elsewhere. Call it before the app is ready. */
export function serveConnections(
  app: HttpApp,
  certificate: CertificateSource | undefined,
  room: ConnectionRoom | undefined,
): ServedConnections {
  const { server } = app;
  let isClosing = false;
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  // This event makes Node's HTTP server track its connections: their timeouts, and which are idle.
  server.emit('listening');
  const { accept, acceptTls, open, endHandshakes } = takeConnections({
    certificate,
    protocol: 'http/1.1',
    serve: (socket) => server.emit('connection', socket),
    room,
    refuse: turnAway,
  });
  // This runs after the token check, and before a body that may take long to arrive.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { socket } = request.raw;
    if (stateOf(request).caller === undefined) room?.renew(socket);
    else room?.trust(socket);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (stateOf(request).caller === undefined) room?.expend(request.raw.socket);
    done();
  });
  return {
    accept,
    acceptTls,
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
        // A request that has already arrived is read before its connection counts as idle.
        await nextLoopTick();
        server.closeIdleConnections();
        // Connections without any received byte are closed. Node counts them as busy until its timeouts,
        // and browsers and load balancers open such connections in advance.
        for (const socket of open.all()) if (open.isSilent(socket)) socket.destroy();
      }
      // The error that it never listened is ignored; the call stops the tracking.
      server.close(() => {});
    },
  };
}
