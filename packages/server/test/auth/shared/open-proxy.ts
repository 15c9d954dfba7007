import { connect, createServer, type Socket } from 'node:net';

/** Stands between a node and PostgreSQL, and cuts connections. */
export type Proxy = {
  readonly url: string;
  /** Cuts the next connection that commits, after the commit is passed on or instead. */
  readonly cutAtCommit: (given: { readonly sends: boolean }) => void;
  /** Does something before the next statement with this text is passed on. */
  readonly beforeNext: (text: string, work: () => void) => void;
  readonly close: () => Promise<void>;
};

export async function openProxy(url: string): Promise<Proxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let before: { readonly text: string; readonly work: () => void } | undefined;
  let cut: { readonly sends: boolean } | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    upstream.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      if (before !== undefined && bytes.includes(before.text)) {
        before.work();
        before = undefined;
      }
      if (cut === undefined || !bytes.includes('COMMIT')) {
        upstream.write(bytes);
        return;
      }
      const { sends } = cut;
      cut = undefined;
      if (!sends) client.destroy();
      // The answer must not come back.
      else
        upstream
          .removeAllListeners('data')
          .once('data', () => client.destroy())
          .write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: url.replace(`:${target.port}/`, `:${port}/`),
    cutAtCommit: (given) => {
      cut = given;
    },
    beforeNext: (text, work) => {
      before = { text, work };
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
