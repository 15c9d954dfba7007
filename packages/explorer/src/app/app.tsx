import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { I18nProvider } from 'react-aria-components';
import type { SessionStore } from '../session/session.ts';
import { SessionContext, useSessionState } from '../session/session-context.tsx';
import { Loading } from '../ui/loading.tsx';
import { type Connection, createConnection } from './connection.ts';
import { ConnectionContext } from './connection-notice.tsx';
import { createQueries } from './queries.ts';
import { createAppRouter } from './router.tsx';

/** Most pages are opened by somebody who is signed in. */
const SignIn = lazy(async () => ({ default: (await import('../session/sign-in.tsx')).SignIn }));

/** The whole page: who is signed in, and the view of the address. */
export function App({ store }: { readonly store: SessionStore }) {
  return (
    <I18nProvider locale="en-US">
      <SessionContext value={store}>
        <SignedIn store={store} />
      </SessionContext>
    </I18nProvider>
  );
}

function SignedIn({ store }: { readonly store: SessionStore }) {
  const state = useSessionState();
  const token = state.kind === 'signed-in' ? state.session.token : undefined;
  // Answers to one token are not shown with another.
  const parts = useMemo(() => {
    if (token === undefined) return undefined;
    const connection = createConnection();
    const queries = createQueries({ connection, onEnded: store.end });
    connection.onReturn(() => void queries.invalidateQueries());
    return { connection, queries, router: createAppRouter() };
  }, [token, store]);
  useEffect(() => parts && reloadLostViews(parts.connection), [parts]);
  if (state.kind === 'opening') return <Loading what="the explorer" />;
  if (state.kind === 'signed-out' || parts === undefined) {
    return (
      <Suspense>
        <SignIn ended={state.kind === 'signed-out' ? state.ended : undefined} />
      </Suspense>
    );
  }
  return (
    <ConnectionContext value={parts.connection}>
      <QueryClientProvider client={parts.queries}>
        <RouterProvider router={parts.router} />
      </QueryClientProvider>
    </ConnectionContext>
  );
}

/**
 * The script of a view could not be loaded: the service does not answer, or a new build replaced it. Once it answers,
 * the page is loaded again; its address and the token of the tab bring the view back.
 */
function reloadLostViews(connection: Connection): () => void {
  const lose = (): void => {
    connection.onReturn(() => location.reload());
    connection.lose();
  };
  addEventListener('vite:preloadError', lose);
  return () => removeEventListener('vite:preloadError', lose);
}
