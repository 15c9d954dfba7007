import type { Socket } from 'node:net';
import type { Observe } from '../observe/observation.ts';
import type { ListenerName } from './messages.ts';

/** A connection that was accepted and not read from. */
export type NewConnection = { readonly socket: Socket; readonly listener: ListenerName };

/** Connections that wait for a worker. Those that come to a full queue, or wait too long, are closed. */
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
  const waiting = new Map<NewConnection, NodeJS.Timeout>();
  const leave = (connection: NewConnection): void => {
    clearTimeout(waiting.get(connection));
    waiting.delete(connection);
  };
  const refuse = (connection: NewConnection): void => {
    leave(connection);
    connection.socket.destroy();
    const nowMs = performance.now();
    if (nowMs - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = nowMs;
    observe({ kind: 'connections_refused', waiting: waiting.size });
  };
  return {
    add: (connection) => {
      if (waiting.size >= WAITING_MAX) refuse(connection);
      else waiting.set(connection, setTimeout(refuse, WAIT_MAX_MS, connection));
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
