import { CHANGE_CHANNEL } from './change-log.ts';
import type { Postgres, PostgresConnection } from './open-postgres.ts';

/** Tells when something may have changed, as long as it is open. */
export type ChangeFollower = { readonly close: () => Promise<void> };

const POLL_EVERY_MS = 1_000;
const CONNECT_AGAIN_MS = 250;

/**
 * Calls `poll` after each notice of a change, after each connection, and every second besides, because a notice can be
 * lost with its connection. Calls never overlap: what comes during one is one call after it. What `poll` throws goes to
 * `onFailed`, as does a connection that cannot be made.
 */
export function followChanges(
  postgres: Pick<Postgres, 'connect'>,
  poll: () => Promise<void>,
  onFailed: (error: unknown) => void,
): ChangeFollower {
  let isClosed = false;
  let connection: PostgresConnection | undefined;
  let connectTimer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let isAsked = false;

  const lookOnce = (): void => {
    if (isClosed) return;
    if (polling !== undefined) {
      isAsked = true;
      return;
    }
    isAsked = false;
    polling = poll()
      .catch(onFailed)
      .finally(() => {
        polling = undefined;
        if (isAsked) lookOnce();
      });
  };
  const connectLater = (): void => {
    if (!isClosed) connectTimer = setTimeout(listen, CONNECT_AGAIN_MS);
  };
  const listen = async (): Promise<void> => {
    let opened: PostgresConnection | undefined;
    try {
      opened = await postgres.connect();
      opened.onNotice(() => lookOnce());
      opened.onLost(() => {
        connection = undefined;
        connectLater();
      });
      await opened.query(`LISTEN ${CHANGE_CHANNEL}`);
      if (isClosed) await opened.close();
      else connection = opened;
      lookOnce();
    } catch (error) {
      onFailed(error);
      if (connection === undefined) await opened?.close();
      connectLater();
    }
  };
  const timer = setInterval(lookOnce, POLL_EVERY_MS);
  const listening = listen();

  return {
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(connectTimer);
      await listening;
      await connection?.close();
      await polling;
    },
  };
}
