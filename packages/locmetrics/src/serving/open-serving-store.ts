import type { StoreFollower } from '@locmetrics/cluster/control/follow-store';
import type { Freshness } from '@locmetrics/cluster/control/freshness';
import { ControlError } from '@locmetrics/core/errors/control-error';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import {
  type ControlStore,
  type ControlStoreOptions,
  openControlStore,
} from '@locmetrics/server/auth/control-store';
import { LINK_SECRET } from '@locmetrics/server/exports/export-links';
import type { Observe } from '@locmetrics/server/observe/observation';
import { openStoreOfNodes, type StoreOfNodes } from '../compose/open-store-of-nodes.ts';
import type { Config } from '../config/settings.ts';

/** The control store of the primary process of a service, with its secrets. */
export type ServingStore = {
  readonly store: ControlStore;
  /** Absent for a store that this service has alone. */
  readonly shared?: SharedServing;
};

export type SharedServing = {
  /** Until when the mirror is fresh, for a worker that starts now. */
  readonly freshUntilMs: () => number;
  /** Follows the shared store until it is closed, and tells each later time until which the mirror is fresh. */
  readonly follow: (given: {
    readonly observe: Observe;
    readonly onFresh: (untilMs: number) => void;
    /** See `FollowOptions`. */
    readonly followToo: () => Promise<void>;
  }) => StoreFollower;
};

/** A poll that hangs must end well before the mirror counts as outdated. */
const POLL_TIMEOUT_MS = 10_000;

/**
 * Opens the control store of a service that starts. While the database of a shared one is away, the service starts with
 * a mirror that is fresh enough to answer requests.
 */
export async function openServingStore(
  directory: DataDirectory,
  config: Config,
  options: ControlStoreOptions,
): Promise<ServingStore> {
  if (config.control === undefined) {
    const store = openControlStore(directory.control, options);
    // Created once, so that all workers share it.
    store.secret(PAGE_TOKEN);
    return { store };
  }
  const store = await openStoreOfNodes(directory, config.control, {
    ...options,
    waitsForLock: false,
    timeoutMs: POLL_TIMEOUT_MS,
  });
  try {
    return await prepareShared(store, config);
  } catch (error) {
    await store.close();
    throw error;
  }
}

const PAGE_TOKEN = 'page-token';

async function prepareShared(
  store: StoreOfNodes,
  { controlAwayMaxMs }: Config,
): Promise<ServingStore> {
  const [{ followStore }, { freshForOf }, { machineMs, openFreshness, refuseUnlessFresh }] =
    await Promise.all([
      import('@locmetrics/cluster/control/follow-store'),
      import('@locmetrics/cluster/control/fresh-for'),
      import('@locmetrics/cluster/control/freshness'),
    ]);
  const freshForMs = freshForOf(controlAwayMaxMs);
  const freshness = openFreshness();
  let freshUntilMs = machineMs() + (await findFreshMs(store, freshForMs));
  freshness.extend(freshUntilMs);
  return {
    store: refuseUnlessFresh(store, freshness),
    shared: {
      freshUntilMs: () => freshUntilMs,
      follow: ({ observe, onFresh, followToo }) =>
        followStore({
          store,
          postgres: store.postgres,
          awayMaxMs: controlAwayMaxMs,
          followToo,
          onFresh: (untilMs) => {
            freshUntilMs = untilMs;
            freshness.extend(untilMs);
            onFresh(untilMs);
          },
          onAway: (error) => observe({ kind: 'control_away', error }),
          onBack: (awayMs) => observe({ kind: 'control_back', awayMs }),
          onLastUsedFailed: (error) => observe({ kind: 'last_used_failed', error }),
        }),
    },
  };
}

/** Brings the mirror up to date, if that is possible. Returns for how long it is fresh. */
async function findFreshMs(store: StoreOfNodes, freshForMs: number): Promise<number> {
  const { isStoreAway } = await import('@locmetrics/cluster/control/open-shared-store');
  try {
    await store.migrate();
    await store.bringUpToDate();
    await store.makeSecret(PAGE_TOKEN);
    await store.makeSecret(LINK_SECRET);
    return freshForMs;
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    const ageMs = Date.now() - (store.mirror().readRow()?.looked ?? 0);
    // A mirror of the future is one of another clock.
    if (ageMs >= 0 && ageMs < freshForMs) return freshForMs - ageMs;
    throw tooOld(error);
  }
}

function tooOld(cause: unknown): ControlError {
  const reason = cause instanceof Error ? `${cause.message} ` : '';
  return new ControlError(
    `${reason}The copy of the control store in the data directory was not up to date within --control-away-max, so tokens may have been revoked since.`,
    'Start the database of --control first.',
    { cause },
  );
}

/** The control store of a worker, and until when it is fresh; the primary has made it. */
export async function openWorkerStore(
  directory: DataDirectory,
  { control }: Config,
  { freshUntilMs, ...options }: ControlStoreOptions & { readonly freshUntilMs: number | undefined },
): Promise<{ readonly store: ControlStore; readonly freshness?: Freshness }> {
  if (control === undefined) return { store: openControlStore(directory.control, options) };
  const [{ openFreshness, refuseUnlessFresh }, store] = await Promise.all([
    import('@locmetrics/cluster/control/freshness'),
    openStoreOfNodes(directory, control, options),
  ]);
  const freshness = openFreshness();
  if (freshUntilMs !== undefined) freshness.extend(freshUntilMs);
  return { store: refuseUnlessFresh(store, freshness), freshness };
}
