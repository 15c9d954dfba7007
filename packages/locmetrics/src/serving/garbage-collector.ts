import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import { SwitchLockedError } from '@locmetrics/data-directory/versions/switch-lock';
import type {
  CollectedGarbage,
  VersionStore,
} from '@locmetrics/data-directory/versions/version-store';
import type { Observation, Observe } from '@locmetrics/server/observe/observation';

const COLLECT_EVERY_MS = 30_000;

/**
 * Removes versions that cannot be queried any more once no worker reads them. It does not apply the
 * retention: the commands that switch versions do, with their settings.
 */
export function openGarbageCollector({
  store,
  observe,
}: {
  readonly store: VersionStore;
  readonly observe: Observe;
}): { readonly close: () => Promise<void> } {
  let collecting: Promise<void> | undefined;
  let isFailing = false;
  const collect = async (): Promise<void> => {
    try {
      const { removed } = await collectGarbage(store, {
        now: Date.now(),
        waitMs: 0,
      });
      isFailing = false;
      if (removed.length > 0) observe(garbageRemoved(removed));
    } catch (error) {
      if (error instanceof SwitchLockedError) return;
      if (!isFailing) observe({ kind: 'garbage_failed', error });
      isFailing = true;
    }
  };
  const timer = setInterval(() => {
    collecting ??= collect().finally(() => {
      collecting = undefined;
    });
  }, COLLECT_EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await collecting;
    },
  };
}

export function garbageRemoved(removed: CollectedGarbage['removed']): Observation {
  const bytes = removed.reduce((sum, one) => sum + one.bytes, 0);
  return { kind: 'garbage_removed', paths: removed.map(({ path }) => path), bytes };
}
