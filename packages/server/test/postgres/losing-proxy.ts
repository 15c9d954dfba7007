import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to PostgreSQL that can lose a connection at its next commit. */
export type LosingProxy = {
  readonly url: string;
  /** `before`: the commit does not arrive. `after`: it is made, but its answer does not arrive. */
  readonly loseNextCommit: (when: 'before' | 'after') => void;
  /** Whether the connection was lost. */
  readonly hasLost: () => boolean;
  readonly close: () => Promise<void>;
};

export async function openLosingProxy(url: string): Promise<LosingProxy> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let losing: 'before' | 'after' | undefined;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => open.delete(socket));
    }
    client.once('close', () => database.destroy());
    database.once('close', () => client.destroy());
    let isLosing = false;
    client.on('data', (bytes) => {
      if (losing !== undefined && bytes.includes('COMMIT')) {
        const when = losing;
        losing = undefined;
        if (when === 'before') {
          client.destroy();
          return;
        }
        isLosing = true;
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (isLosing) client.destroy();
      else client.write(bytes);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const through = new URL(url);
  // It listens on a port, so its address is not a path.
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    loseNextCommit: (when) => {
      losing = when;
    },
    hasLost: () => losing === undefined,
    close: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
