import { setTimeout as wait } from 'node:timers/promises';
import type { TileOutlines } from '@locmetrics/core/domain/outline';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { StopSignal } from '@locmetrics/core/runtime/stop';

const SOON_MS = 3_000;
const LOOK_AGAIN_MS = 50;

/**
 * The outlines of a layer, once they can be used: the file of a version that has just become current is checked first,
 * which takes a moment. Refused: outlines that are not there soon.
 */
export async function outlinesSoon(
  find: () => TileOutlines | undefined,
  signal: StopSignal,
): Promise<TileOutlines> {
  const untilMs = performance.now() + SOON_MS;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    signal.throwIfAborted();
    if (performance.now() >= untilMs) throw ServiceError.outlinesNotPrepared();
    await wait(LOOK_AGAIN_MS);
  }
}
