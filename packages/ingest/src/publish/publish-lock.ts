import type { PublishLock, VersionStore } from '@locmetrics/data-directory/versions/version-store';
import { PublishError } from '../problems/publish-error.ts';

/** Ensures that only one publish runs at a time in a data directory, or in the nodes that share one store. */
export async function takePublishLock(store: VersionStore): Promise<PublishLock> {
  const lock = await store.takePublishLock();
  if (lock !== undefined) return lock;
  throw new PublishError(
    store.isShared
      ? 'Another publish is running, perhaps on another node.'
      : 'Another publish is running in this data directory.',
    'Wait until it has ended, then publish again.',
  );
}
