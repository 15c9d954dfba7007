import type { Socket } from 'node:net';
import { setTimeout as passTime } from 'node:timers/promises';
import type { ConnectionRoom } from './connection-room.ts';

/** The open connections of a server. */
export type OpenConnections = {
  /** False if there is no room for it. */
  readonly add: (socket: Socket) => boolean;
  readonly all: () => Iterable<Socket>;
  /** Whether nothing has arrived on it, neither here nor in the process that accepted it. */
  readonly isSilent: (socket: Socket) => boolean;
  /** Resolves when the last one has ended. */
  readonly ended: () => Promise<void>;
  /** Resolves when the last one has ended, or after this long. */
  readonly endedWithin: (timeoutMs: number) => Promise<void>;
};

/**
 * A stopping service accepts requests on its open connections for this long. Otherwise a client that sends a
 * request just when its connection is closed would lose it.
 */
export const STOP_GRACE_MS = 500;

/** `room`: counts them, over all servers of the process. Default: no limit. */
export function trackConnections(room?: Pick<ConnectionRoom, 'enter'>): OpenConnections {
  const sockets = new Set<Socket>();
  const passedWithBytes = new WeakSet<Socket>();
  const waiting: (() => void)[] = [];
  const ended = async (): Promise<void> => {
    if (sockets.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    add: (socket) => {
      if (socket.destroyed || room?.enter(socket) === false) return false;
      sockets.add(socket);
      if (socket.readableLength > 0) passedWithBytes.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve();
      });
      return true;
    },
    all: () => sockets,
    isSilent: (socket) => socket.bytesRead === 0 && !passedWithBytes.has(socket),
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
