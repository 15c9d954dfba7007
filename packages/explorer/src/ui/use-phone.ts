import { useSyncExternalStore } from 'react';

/** As in the styles. */
const PHONE = '(max-width: 48rem)';

export function isPhone(): boolean {
  return matchMedia(PHONE).matches;
}

/** Whether the window is as narrow as that of a phone: what takes much room is then folded. */
export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(PHONE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
