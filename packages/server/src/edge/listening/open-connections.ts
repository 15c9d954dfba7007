import type { Socket } from 'node:net';
import { setTimeout as passTime } from 'node:timers/promises';

/** The connections of a server that are open. */
export type OpenConnections = {
  readonly add: (socket: Socket) => void;
  readonly all: () => Iterable<Socket>;
  /** Resolves when the last one has ended. */
  readonly ended: () => Promise<void>;
  /** Resolves when the last one has ended, or after this long. */
  readonly endedWithin: (timeoutMs: number) => Promise<void>;
};

/**
 * Who connected or was answered just before the service stops has this long to ask again; a client that
 * uses a connection in the moment in which it is ended loses its request.
 */
export const STOP_GRACE_MS = 500;

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
    endedWithin: async (timeoutMs) => {
      const timeUp = new AbortController();
      await Promise.race([
        ended(),
        passTime(timeoutMs, undefined, { signal: timeUp.signal }).catch(() => {}),
      ]);
      timeUp.abort();
    },
  };
}
