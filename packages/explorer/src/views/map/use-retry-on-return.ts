import { useContext, useEffect, useRef } from 'react';
import { ConnectionContext } from '../../app/connection-notice.tsx';

/** Once the service answers again, the tiles that got no answer are asked for again. */
export function useRetryOnReturn(retry: () => void): void {
  const connection = useContext(ConnectionContext);
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
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
