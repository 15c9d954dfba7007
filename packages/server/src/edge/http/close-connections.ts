import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const SWEEP_EVERY_MS = 50;

/**
 * Closes the connections that would keep a stopping server waiting: those that stay open between
 * two requests, and those on which no byte ever came. Node counts the latter as busy until its
 * timeouts, and browsers and load balancers open such connections in advance.
 */
export function watchConnections(server: Server): {
  /** Runs the stop of the server and closes what becomes idle meanwhile. */
  readonly closeDuring: (stop: () => Promise<void>) => Promise<void>;
} {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const sweep = (): void => {
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  return {
    closeDuring: async (stop) => {
      const timer = setInterval(sweep, SWEEP_EVERY_MS);
      try {
        await stop();
      } finally {
        clearInterval(timer);
      }
    },
  };
}
