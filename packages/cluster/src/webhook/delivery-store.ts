import { takeProcessLock } from '@locmetrics/data-directory/files/process-lock';
import {
  type CurrentFile,
  readCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readWebhookState, replaceWebhookState, type WebhookState } from './webhook-state.ts';

/** The last delivered switch, and the lock of the delivering process: of a data directory, or of all nodes. */
export type DeliveryStore = {
  /** Undefined if another process holds it for as long as `waitMs`. */
  readonly takeLock: (
    waitMs: number,
  ) => Promise<{ readonly release: () => void | Promise<void> } | undefined>;
  /** The current versions in truth, and not in a mirror that is behind. */
  readonly readCurrent: () => Promise<CurrentFile>;
  readonly readState: () => Promise<WebhookState | undefined>;
  /** False if it is no longer as before, because another process has taken the lock; then nothing is changed. */
  readonly replaceState: (
    before: WebhookState | undefined,
    state: WebhookState,
  ) => Promise<boolean>;
};

/** `webhook.json`, and a lock beside it. */
export function fileDelivery(directory: DataDirectory): DeliveryStore {
  return {
    takeLock: async (waitMs) => takeProcessLock(directory.webhook.lock, waitMs),
    readCurrent: async () => readCurrentFile(directory.current),
    readState: async () => readWebhookState(directory),
    replaceState: async (_, state) => {
      await replaceWebhookState(directory, state);
      return true;
    },
  };
}
