import type { Socket } from 'node:net';
import type { Observe } from '../observe/observation.ts';
import type { ListenerName } from './messages.ts';

/** A connection that was accepted and not read from. */
export type NewConnection = { readonly socket: Socket; readonly listener: ListenerName };

/**
 * Connections that wait for a worker. Those that wait too long are closed, and the one that waits longest
 * makes room in a full queue: clients that have gone are not noticed, because nobody reads from them.
 */
export type ConnectionQueue = {
  readonly add: (connection: NewConnection) => void;
  /** The one that waits longest. */
  readonly take: () => NewConnection | undefined;
  readonly close: () => void;
};

const WAITING_MAX = 1000;
const WAIT_MAX_MS = 30_000;

/** A flood is told once in a while, not once for each connection. */
const TELL_EVERY_MS = 10_000;

export function openConnectionQueue(observe: Observe): ConnectionQueue {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let refused = 0;
  const waiting = new Map<NewConnection, NodeJS.Timeout>();
  const leave = (connection: NewConnection): void => {
    clearTimeout(waiting.get(connection));
    waiting.delete(connection);
  };
  const refuse = (connection: NewConnection): void => {
    leave(connection);
    connection.socket.destroy();
    refused += 1;
    const nowMs = performance.now();
    if (nowMs - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = nowMs;
    observe({ kind: 'connections_refused', connections: refused });
    refused = 0;
  };
  return {
    add: (connection) => {
      const [first] = waiting.keys();
      if (first !== undefined && waiting.size >= WAITING_MAX) refuse(first);
      waiting.set(connection, setTimeout(refuse, WAIT_MAX_MS, connection));
    },
    take: () => {
      const [first] = waiting.keys();
      if (first !== undefined) leave(first);
      return first;
    },
    close: () => {
      for (const connection of waiting.keys()) {
        leave(connection);
        connection.socket.destroy();
      }
    },
  };
}
