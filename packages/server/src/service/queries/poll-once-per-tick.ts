import type { Catalog, CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';
import type { KnownCallers } from '../../auth/callers.ts';
import type { ControlStore } from '../../auth/control-store.ts';

/** Runs the rest of a request after a poll of what other processes change. */
export type PollFirst = (rest: () => void) => void;

/** For callers of the operations that share no polls: each use of the store and the catalog is a poll. */
export const POLL_AT_EACH_USE: PollFirst = (rest) => rest();

export type SharedPolls = {
  readonly pollFirst: PollFirst;
  readonly findCaller: ControlStore['findCaller'];
  /** The catalog as of the last poll. */
  readonly catalog: Catalog;
};

/**
 * Polls the control store and `current.json` once for all requests that arrived in a tick of the event
 * loop. The poll is after the last of them has arrived, so a revocation or a switch that was completed before a
 * request was sent holds for it.
 */
export function pollOncePerTick({
  store,
  catalog,
}: {
  readonly store: Pick<ControlStore, 'findCaller' | 'pollCallers'>;
  readonly catalog: Catalog;
}): SharedPolls {
  let arrived: (() => void)[] = [];
  let callers: KnownCallers | undefined;
  let snapshot: CatalogSnapshot | undefined;
  const poll = (): void => {
    callers = unlessItFails(store.pollCallers);
    snapshot = unlessItFails(catalog.snapshot);
    const rests = arrived;
    arrived = [];
    for (const rest of rests) rest();
  };
  return {
    pollFirst: (rest) => {
      if (arrived.push(rest) === 1) setImmediate(poll);
    },
    findCaller: (tokenText) => callers?.(tokenText) ?? store.findCaller(tokenText),
    catalog: { ...catalog, snapshot: () => snapshot ?? catalog.snapshot() },
  };
}

/** After a failed poll each request polls again by itself, and is refused for its own reason. */
function unlessItFails<Seen>(poll: () => Seen): Seen | undefined {
  try {
    return poll();
  } catch {
    return undefined;
  }
}
