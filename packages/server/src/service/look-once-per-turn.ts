import type { Catalog, CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';
import type { KnownCallers } from '../auth/callers.ts';
import type { ControlStore } from '../auth/control-store.ts';

/** Runs the rest of a request after a look at what other processes change. */
export type LookFirst = (rest: () => void) => void;

/** For callers of the operations that share no looks: each use of the store and the catalog is a look. */
export const LOOK_AT_EACH_USE: LookFirst = (rest) => rest();

export type SharedLooks = {
  readonly lookFirst: LookFirst;
  readonly findCaller: ControlStore['findCaller'];
  /** The catalog as of the last look. */
  readonly catalog: Catalog;
};

/**
 * Looks at the control store and at `current.json` once for all requests that arrived in a turn of the event
 * loop. The look is after the last of them has arrived, so a revocation or a switch that was completed before a
 * request was sent holds for it.
 */
export function lookOncePerTurn({
  store,
  catalog,
}: {
  readonly store: Pick<ControlStore, 'findCaller' | 'lookAtCallers'>;
  readonly catalog: Catalog;
}): SharedLooks {
  let arrived: (() => void)[] = [];
  let callers: KnownCallers | undefined;
  let snapshot: CatalogSnapshot | undefined;
  const look = (): void => {
    callers = unlessItFails(store.lookAtCallers);
    snapshot = unlessItFails(catalog.snapshot);
    const rests = arrived;
    arrived = [];
    for (const rest of rests) rest();
  };
  return {
    lookFirst: (rest) => {
      if (arrived.push(rest) === 1) setImmediate(look);
    },
    findCaller: (tokenText) => callers?.(tokenText) ?? store.findCaller(tokenText),
    catalog: { ...catalog, snapshot: () => snapshot ?? catalog.snapshot() },
  };
}

/** After a failed look each request looks again by itself, and is refused for its own reason. */
function unlessItFails<Seen>(look: () => Seen): Seen | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
