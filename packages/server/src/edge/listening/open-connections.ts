import type { Socket } from 'node:net';

/** The connections of a server that are open. */
export type OpenConnections = {
  readonly add: (socket: Socket) => void;
  readonly all: () => Iterable<Socket>;
  /** Resolves when the last one has ended. */
  readonly ended: () => Promise<void>;
};

export function trackConnections(): OpenConnections {
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  return {
    add: (socket) => {
      if (socket.destroyed) return;
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve();
      });
    },
    all: () => sockets,
    ended: async () => {
      if (sockets.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
