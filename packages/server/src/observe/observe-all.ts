import type { Observe } from './observation.ts';

/** Passes each observation to all observers, in this order. */
export function observeAll(...observers: readonly Observe[]): Observe {
  return (observation) => {
    for (const observe of observers) observe(observation);
  };
}
