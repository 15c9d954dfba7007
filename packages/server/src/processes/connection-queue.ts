import type { Socket } from 'node:net';
import type { ListenerName } from './messages.ts';

/** A connection that was accepted and not read from. */
export type NewConnection = { readonly socket: Socket; readonly listener: ListenerName };

/**
 * Connections that wait for a worker. Those that wait too long are refused, and the one that waits longest
 * makes room in a full queue: clients that have gone are not noticed, because nobody reads from them.
 */
export type ConnectionQueue = {
  readonly add: (connection: NewConnection) => void;
  /** The one that waits longest. */
  readonly take: () => NewConnection | undefined;
  readonly waiting: () => number;
  readonly close: () => void;
};

const WAIT_MAX_MS = 30_000;

export function openConnectionQueue({
  waitingMax,
  refuse,
}: {
  readonly waitingMax: number;
  readonly refuse: (connection: NewConnection) => void;
}): ConnectionQueue {
  const waiting = new Map<NewConnection, NodeJS.Timeout>();
  const leave = (connection: NewConnection): void => {
    clearTimeout(waiting.get(connection));
    waiting.delete(connection);
  };
  const giveUp = (connection: NewConnection): void => {
    leave(connection);
    refuse(connection);
  };
  return {
    add: (connection) => {
      const [first] = waiting.keys();
      if (first !== undefined && waiting.size >= waitingMax) giveUp(first);
      waiting.set(connection, setTimeout(giveUp, WAIT_MAX_MS, connection));
    },
    take: () => {
      const [first] = waiting.keys();
      if (first !== undefined) leave(first);
      return first;
    },
    waiting: () => waiting.size,
    close: () => {
      for (const connection of waiting.keys()) {
        leave(connection);
        connection.socket.destroy();
      }
    },
  };
}
