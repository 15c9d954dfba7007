import type { Socket } from 'node:net';
import { setImmediate as lookAtConnections, setTimeout as passTime } from 'node:timers/promises';
import { trackConnections } from '../listening/open-connections.ts';
import type { HttpApp } from './http-app.ts';

const SWEEP_EVERY_MS = 50;

export type TakenConnections = {
  /** Notes a new connection, on which TLS may be spoken first. */
  readonly add: (socket: Socket) => void;
  /** Serves a connection on which HTTP is spoken. */
  readonly serve: (socket: Socket) => void;
  /** From now on each answer is the last of its connection. Resolves when all have ended, or after this long. */
  readonly drain: (graceMs: number) => Promise<void>;
  /** Ends each connection when its request is answered; resolves when all have ended. */
  readonly close: () => Promise<void>;
};

/** Serves connections that somebody else has accepted. Call it before the app is ready. */
export function takeConnections(app: HttpApp): TakenConnections {
  const { server } = app;
  const connections = trackConnections();
  let isClosing = false;
  app.addHook('onSend', async (_, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
  // Node's HTTP server begins here to watch its connections: their timeouts, and which are idle.
  server.emit('listening');
  return {
    add: connections.add,
    serve: (socket) => {
      server.emit('connection', socket);
      // What was connected before somebody looked at it begins paused.
      socket.resume();
    },
    drain: (graceMs) => {
      isClosing = true;
      return connections.endedWithin(graceMs);
    },
    close: async () => {
      let hasEnded = false;
      const ended = connections.ended().then(() => {
        hasEnded = true;
      });
      while (!hasEnded) {
        await Promise.race([ended, passTime(SWEEP_EVERY_MS)]);
        // A request that has arrived, but was not read yet, is read before its connection counts as idle.
        await lookAtConnections();
        server.closeIdleConnections();
        // On these no byte ever came. Node counts them as busy until its timeouts, and browsers and
        // load balancers open such connections in advance.
        for (const socket of connections.all()) if (socket.bytesRead === 0) socket.destroy();
      }
      // It never listened, which it says; what matters is that it stops to watch.
      server.close(() => {});
    },
  };
}
