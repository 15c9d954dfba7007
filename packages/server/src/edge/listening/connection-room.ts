import type { Socket } from 'node:net';
import type { ClientOf } from './client-groups.ts';
import { openCrowd } from './crowd.ts';

/** The room for the connections of a process, over all its listeners. */
export type ConnectionRoom = {
  /** Makes room by ending a connection without an accepted token; false if there is none. */
  readonly make: () => boolean;
  /** Counts the connection until it closes; false if its client has too many already, all with an accepted token. */
  readonly enter: (socket: Socket) => boolean;
  /** Marks a connection that has had an answer without an accepted token: of its client, it is ended first. */
  readonly expend: (peer: Peer) => void;
  /** Marks progress: of the connections of its client it is now the last one to be ended. */
  readonly renew: (peer: Peer) => void;
  /** Marks a connection with an accepted token, which is never ended for another one. */
  readonly trust: (peer: Peer) => void;
};

/** Identifies a connection, in plaintext and over TLS: the local port and the remote address. */
export type Peer = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
};

/**
 * A connection without an accepted token is a stranger. If there are too many connections, a stranger of the client
 * with the most strangers is ended: a flood ends its own connections, and the strangers of others stay.
 */
export function openConnectionRoom({
  connectionsMax,
  perClientMax,
  clientOf,
  onDisplaced,
}: {
  readonly connectionsMax: number;
  /** For all connections of a client, with and without an accepted token. */
  readonly perClientMax: number;
  readonly clientOf: ClientOf;
  /** Called when a stranger was ended for another connection. */
  readonly onDisplaced: () => void;
}): ConnectionRoom {
  const strangers = openCrowd<string>();
  const entered = new Map<string, Entered>();
  const perClient = new Map<string, number>();

  const leave = (name: string, { socket, client }: Entered): void => {
    if (entered.get(name)?.socket !== socket) return;
    entered.delete(name);
    strangers.remove(name);
    if (client === undefined) return;
    const left = (perClient.get(client) ?? 1) - 1;
    if (left === 0) perClient.delete(client);
    else perClient.set(client, left);
  };
  const displace = (name: string | undefined): boolean => {
    const displaced = name === undefined ? undefined : entered.get(name);
    if (name === undefined || displaced === undefined) return false;
    leave(name, displaced);
    displaced.socket.destroy();
    onDisplaced();
    return true;
  };

  return {
    make: () => entered.size < connectionsMax || displace(strangers.first()),
    enter: (socket) => {
      const client = clientOf(socket.remoteAddress);
      const isFull = client !== undefined && (perClient.get(client) ?? 0) >= perClientMax;
      if (isFull && !displace(strangers.firstOf(client))) return false;
      const name = nameOf(socket);
      entered.set(name, { socket, client });
      strangers.add(name, client);
      if (client !== undefined) perClient.set(client, (perClient.get(client) ?? 0) + 1);
      socket.once('close', () => leave(name, { socket, client }));
      return true;
    },
    renew: (peer) => strangers.renew(nameOf(peer)),
    expend: (peer) => strangers.expend(nameOf(peer)),
    trust: (peer) => strangers.remove(nameOf(peer)),
  };
}

type Entered = { readonly socket: Socket; readonly client: string | undefined };

function nameOf({ remoteAddress, remotePort, localPort }: Peer): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
