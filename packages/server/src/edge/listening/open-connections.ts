import type { Socket } from 'node:net';
import { setTimeout as passTime } from 'node:timers/promises';

/** The open connections of a server. */
export type OpenConnections = {
  readonly add: (socket: Socket) => void;
  readonly all: () => Iterable<Socket>;
  /** Marks a connection with an accepted token, so that it is not closed to make room. */
  readonly trust: (peer: Peer) => void;
  /**
   * Ends up to this many connections without an accepted token, oldest first. New connections get time to
   * send a token. Returns how many were ended.
   */
  readonly endStrangers: (connections: number) => number;
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

/** Identifies a connection, in plaintext and over TLS: the local port and the remote address. */
export type Peer = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
};

/** The time for the handshake and a first request, before other connections are preferred. */
const STRANGER_GRACE_MS = 1000;

export function trackConnections(): OpenConnections {
  const sockets = new Set<Socket>();
  /** In the order of their arrival. */
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
