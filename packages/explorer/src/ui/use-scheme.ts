import { useSyncExternalStore } from 'react';

/** The colour scheme that the page has now: what it draws itself, such as a canvas, must follow it. */
export function useScheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, readScheme);
}

const SYSTEM_DARK = '(prefers-color-scheme: dark)';

function subscribe(listener: () => void): () => void {
  const system = matchMedia(SYSTEM_DARK);
  const chosen = new MutationObserver(listener);
  system.addEventListener('change', listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
  return () => {
    system.removeEventListener('change', listener);
    chosen.disconnect();
  };
}

function readScheme(): 'light' | 'dark' {
  const { scheme } = document.documentElement.dataset;
  if (scheme === 'light' || scheme === 'dark') return scheme;
  return matchMedia(SYSTEM_DARK).matches ? 'dark' : 'light';
}
