import type { Socket } from 'node:net';
import { setTimeout as passTime } from 'node:timers/promises';

/** The connections of a server that are open. */
export type OpenConnections = {
  readonly add: (socket: Socket) => void;
  readonly all: () => Iterable<Socket>;
  /** A token was accepted on this connection: it is not ended to make room. */
  readonly trust: (peer: Peer) => void;
  /**
   * Ends up to so many connections on which no token was accepted, the oldest first; those that came
   * just now get time to send one. Gives how many.
   */
  readonly endStrangers: (connections: number) => number;
  /** Resolves when the last one has ended. */
  readonly ended: () => Promise<void>;
  /** Resolves when the last one has ended, or after this long. */
  readonly endedWithin: (timeoutMs: number) => Promise<void>;
};

/**
 * A stopping service accepts requests on its open connections for this long. A client that sends a request in the
 * moment in which its connection is closed would lose it.
 */
export const STOP_GRACE_MS = 500;

/** What tells connections apart, in plaintext and over TLS: an own port, and the other side. */
export type Peer = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
};

/** The time to agree on keys and to send a first request, before others are preferred. */
const STRANGER_GRACE_MS = 1000;

export function trackConnections(): OpenConnections {
  const sockets = new Set<Socket>();
  /** In the order in which they came. */
  const strangers = new Map<string, { readonly socket: Socket; readonly sinceMs: number }>();
  const waiting: (() => void)[] = [];
  const ended = async (): Promise<void> => {
    if (sockets.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    add: (socket) => {
      if (socket.destroyed) return;
      sockets.add(socket);
      const name = nameOf(socket);
      strangers.set(name, { socket, sinceMs: performance.now() });
      socket.once('close', () => {
        sockets.delete(socket);
        if (strangers.get(name)?.socket === socket) strangers.delete(name);
        if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve();
      });
    },
    all: () => sockets,
    trust: (peer) => strangers.delete(nameOf(peer)),
    endStrangers: (connections) => {
      const before = performance.now() - STRANGER_GRACE_MS;
      let ended = 0;
      for (const [name, { socket, sinceMs }] of strangers) {
        if (ended === connections || sinceMs > before) break;
        strangers.delete(name);
        socket.destroy();
        ended += 1;
      }
      return ended;
    },
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

function nameOf({ remoteAddress, remotePort, localPort }: Peer): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
