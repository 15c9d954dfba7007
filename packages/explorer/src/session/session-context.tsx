import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Session, SessionState, SessionStore } from './session.ts';

export const SessionContext = createContext<SessionStore | undefined>(undefined);

export function useSessionStore(): SessionStore {
  const store = useContext(SessionContext);
  if (store === undefined) throw new Error('The page has no session store.');
  return store;
}

export function useSessionState(): SessionState {
  const store = useSessionStore();
  return useSyncExternalStore(store.subscribe, store.current);
}

/** The session of a view. Views are shown only to those who are signed in. */
export function useSession(): Session {
  const state = useSessionState();
  if (state.kind !== 'signed-in') throw new Error('Nobody is signed in.');
  return state.session;
}
