import { useContext, useEffect, useRef } from 'react';
import { ConnectionContext } from '../../app/connection-notice.tsx';
import { useSession } from '../../session/session-context.tsx';

/**
 * Once the service answers again, the tiles that got no answer are asked for again; and those that were refused, once rows of
 * the limits may be used for them.
 */
export function useRetryOnReturn(retry: () => void): void {
  const connection = useContext(ConnectionContext);
  const { looking } = useSession();
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  useEffect(
    () =>
      looking.subscribe(() => {
        if (looking.state() === 'charged') latest.current();
      }),
    [looking],
  );
  useEffect(() => {
    if (connection === undefined) return undefined;
    let wasLost = connection.isLost();
    return connection.subscribe(() => {
      const isLost = connection.isLost();
      if (wasLost && !isLost) latest.current();
      wasLost = isLost;
    });
  }, [connection]);
}
