import { useSyncExternalStore } from 'react';
import { readScheme, type Scheme, subscribeToScheme } from './scheme.ts';

/** The colour scheme that the page has now: what it draws itself, such as a canvas, must follow it. */
export function useScheme(): Scheme {
  return useSyncExternalStore(subscribeToScheme, readScheme);
}
