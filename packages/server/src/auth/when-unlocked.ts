import { setTimeout as passTime } from 'node:timers/promises';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';

const WAIT_MS = 5_000;
const RETRY_AFTER_MS = 20;

/**
 * Makes a change in a store that does not wait for locks (`waitsForLock: false`): retries for some seconds
 * without blocking the event loop.
 */
export async function whenUnlocked<Result>(
  change: () => Result | Promise<Result>,
): Promise<Result> {
  const giveUpAtMs = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!isLocked(error) || performance.now() > giveUpAtMs) throw error;
    }
    await passTime(RETRY_AFTER_MS);
  }
}

function isLocked(error: unknown): boolean {
  const known = error instanceof ControlError ? error.toServiceError() : error;
  return known instanceof ServiceError && known.reason === 'CONTROL_STORE_LOCKED';
}
