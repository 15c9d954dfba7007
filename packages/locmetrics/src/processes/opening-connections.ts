import type { ClientOf } from '@locmetrics/server/edge/listening/client-groups';
import { openCrowd } from '@locmetrics/server/edge/listening/crowd';
import type { NewConnection } from './connection-queue.ts';
import { isOpeningWhole } from './opening.ts';

/**
 * The accepted connections whose first bytes have not all arrived. They take no place in a worker, so connections that
 * send nothing, or half of a head, cannot keep out those that send a request.
 */
export type OpeningConnections = {
  readonly add: (connection: NewConnection) => void;
  /** Ends the oldest connection of the client with the most; false if there is none. */
  readonly endOne: () => boolean;
  /** Resolves when all have been passed or ended; those that are left after the time are ended. */
  readonly settle: (timeoutMs: number) => Promise<void>;
};

const OPENING_TIMEOUT_MS = 10_000;

/** A connection that is ended earlier than this may not have had the time to send anything. */
const HASTY_MS = 50;
const PAUSE_MS = 2;

/**
 * Blocks this process. Node cannot stop accepting, and accepts one connection of a port for each time that it reads all
 * others. So with few open files a flood waits in the backlog of the system, and each connection gets time to send.
 */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

export function openOpeningConnections({
  openingMax,
  clientOf,
  pass,
  refuseLate,
  onDisplaced,
}: {
  readonly openingMax: number;
  readonly clientOf: ClientOf;
  /** Called with each connection whose first bytes are there. */
  readonly pass: (connection: NewConnection) => void;
  /** Called with each connection whose first bytes did not arrive in time. */
  readonly refuseLate: (connection: NewConnection) => void;
  readonly onDisplaced: () => void;
}): OpeningConnections {
  const crowd = openCrowd<NewConnection>();
  const sinceMs = new WeakMap<NewConnection, number>();
  let onSettled: (() => void) | undefined;
  const leave = (connection: NewConnection): void => {
    crowd.remove(connection);
    if (crowd.size() === 0) onSettled?.();
  };
  const endOne = (): boolean => {
    const connection = crowd.first();
    if (connection === undefined) return false;
    leave(connection);
    connection.socket.destroy();
    onDisplaced();
    if (performance.now() - (sinceMs.get(connection) ?? 0) < HASTY_MS) pause();
    return true;
  };
  return {
    add: (connection) => {
      const { socket, listener } = connection;
      if (crowd.size() >= openingMax) endOne();
      crowd.add(connection, clientOf(socket.remoteAddress));
      sinceMs.set(connection, performance.now());
      let bytes: Buffer = Buffer.alloc(0);
      const stop = (): void => {
        clearTimeout(timer);
        socket.off('data', onData);
        socket.off('close', onClose);
        leave(connection);
      };
      const onClose = (): void => stop();
      const onData = (chunk: Buffer): void => {
        bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
        if (!isOpeningWhole(listener, bytes)) return;
        stop();
        socket.pause();
        // A full buffer makes Node stop reading at once, so that the worker reads all that follows.
        socket.unshift(bytes);
        pass({ ...connection, bytes });
      };
      const timer = setTimeout(() => {
        stop();
        refuseLate(connection);
      }, OPENING_TIMEOUT_MS);
      socket.on('data', onData);
      socket.once('close', onClose);
      socket.resume();
    },
    endOne,
    settle: async (timeoutMs) => {
      if (crowd.size() > 0) {
        const settled = Promise.withResolvers<void>();
        onSettled = settled.resolve;
        const timer = setTimeout(settled.resolve, timeoutMs);
        await settled.promise;
        clearTimeout(timer);
      }
      for (let left = crowd.first(); left !== undefined; left = crowd.first()) {
        leave(left);
        left.socket.destroy();
      }
    },
  };
}
