import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { type DeliveryStore, fileDelivery } from './delivery-store.ts';
import { newWebhookState } from './webhook-state.ts';

const START_WAIT_MS = 1000;

/** If there is no delivery state yet, starts it after this switch. */
export async function startDelivery(
  directory: DataDirectory,
  told: number,
  store: DeliveryStore = fileDelivery(directory),
): Promise<void> {
  if ((await store.readState()) !== undefined) return;
  const lock = await store.takeLock(START_WAIT_MS);
  // A process that holds the lock for this long is already delivering.
  if (lock === undefined) return;
  try {
    if ((await store.readState()) === undefined) {
      await store.replaceState(undefined, newWebhookState(told));
    }
  } finally {
    await lock.release();
  }
}
