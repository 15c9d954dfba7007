import { ConnectionError, ServiceError } from '@locmetrics/client';
import { useContext, useState } from 'react';
import { ConnectionContext } from '../../app/connection-notice.tsx';
import { useSessionStore } from '../../session/session-context.tsx';

/** Errors of tiles are treated as those of all other requests: a refused token ends the session. */
export function useMapErrors() {
  const store = useSessionStore();
  const connection = useContext(ConnectionContext);
  const [error, setError] = useState<unknown>();
  const onError = (next: unknown): void => {
    if (next instanceof ConnectionError) connection?.lose();
    else if (next instanceof ServiceError && next.status === 401) store.end(next);
    else setError(next);
  };
  return { error, onError, clearError: () => setError(undefined) };
}
