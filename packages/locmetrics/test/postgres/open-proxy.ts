import { openRelay } from '../support/open-relay.ts';

/** A way to PostgreSQL that can cut connections. */
export type PostgresProxy = {
  readonly url: string;
  /** Cuts the next connection that commits: `before` the commit arrives, or `after` it, so that its answer does not. */
  readonly cutAtCommit: (when: 'before' | 'after') => void;
  /** Whether the connection was cut. */
  readonly hasCut: () => boolean;
  /** Does something before the next statement with this text is passed on. */
  readonly beforeNext: (text: string, work: () => void) => void;
  readonly close: () => Promise<void>;
};

export async function openProxy(url: string): Promise<PostgresProxy> {
  const target = new URL(url);
  let before: { readonly text: string; readonly work: () => void } | undefined;
  let cut: 'before' | 'after' | undefined;
  const { port, close } = await openRelay(target.host, (client, database) => {
    let isCommitting = false;
    database.once('close', () => client.destroy());
    database.on('data', (bytes) => {
      if (isCommitting) client.destroy();
      else client.write(bytes);
    });
    client.on('data', (bytes) => {
      if (before !== undefined && bytes.includes(before.text)) {
        before.work();
        before = undefined;
      }
      if (cut !== undefined && bytes.includes('COMMIT')) {
        const when = cut;
        cut = undefined;
        if (when === 'before') {
          client.destroy();
          return;
        }
        isCommitting = true;
      }
      database.write(bytes);
    });
  });
  return {
    url: url.replace(`:${target.port}/`, `:${port}/`),
    cutAtCommit: (when) => {
      cut = when;
    },
    hasCut: () => cut === undefined,
    beforeNext: (text, work) => {
      before = { text, work };
    },
    close,
  };
}
