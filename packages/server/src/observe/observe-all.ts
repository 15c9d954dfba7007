import type { Observe } from './observation.ts';

/** Has each observation told to all of them, in this order. */
export function observeAll(...observers: readonly Observe[]): Observe {
  return (observation) => {
    for (const observe of observers) observe(observation);
  };
}
