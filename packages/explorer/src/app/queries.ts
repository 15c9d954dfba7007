import { ConnectionError, ServiceError } from '@locmetrics/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import type { Connection } from './connection.ts';

/** A version is immutable, but another may be published: what was read stays fresh this long. */
const FRESH_MS = 30_000;

/**
 * Keeps answers while they are on the screen. Requests that nobody waits for are cancelled; the client itself repeats
 * those that can be repeated.
 */
export function createQueries({
  connection,
  onEnded,
}: {
  readonly connection: Connection;
  /** The service no longer accepts the token. */
  readonly onEnded: (error: ServiceError) => void;
}): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        if (error instanceof ConnectionError) connection.lose();
        if (error instanceof ServiceError && error.status === 401) onEnded(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: false,
        networkMode: 'always',
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
