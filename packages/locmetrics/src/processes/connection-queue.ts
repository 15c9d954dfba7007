import type { Socket } from 'node:net';
import type { ListenerName } from './messages.ts';

/** An accepted connection. */
export type NewConnection = {
  readonly socket: Socket;
  readonly listener: ListenerName;
  /** The bytes that were read from it. */
  readonly bytes?: Buffer;
};

/**
 * The queue of connections that wait for a worker. A connection that waits too long is refused. In a full
 * queue the oldest connection is refused, because it is the most likely to be dead: closed connections are
 * not detected while nothing is read from them.
 */
export type ConnectionQueue = {
  readonly add: (connection: NewConnection) => void;
  /** Takes the oldest connection. */
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
