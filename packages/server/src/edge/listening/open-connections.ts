import type { Socket } from 'node:net';
import { setTimeout as passTime } from 'node:timers/promises';

/** The connections of a server that are open. */
export type OpenConnections = {
  readonly add: (socket: Socket) => void;
  readonly all: () => Iterable<Socket>;
  /** Resolves when the last one has ended. */
  readonly ended: () => Promise<void>;
  /** Resolves when who connected or was answered just now has had the time for another request. */
  readonly grace: () => Promise<void>;
};

const GRACE_MS = 500;

export function trackConnections(): OpenConnections {
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const ended = async (): Promise<void> => {
    if (sockets.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
  };
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
    ended,
    grace: async () => {
      await Promise.race([ended(), passTime(GRACE_MS)]);
    },
  };
}
