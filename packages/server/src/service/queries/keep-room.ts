import { statfs } from 'node:fs/promises';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { Stop, type StopSignal } from '@locmetrics/core/runtime/stop';

/** A publish and the records of usage need the last space of a disk. */
const ROOM_BYTES = 2 ** 30;
/** Of a small disk. */
const ROOM_SHARE = 0.05;
const CHECK_PERIOD_MS = 200;

/**
 * Runs work that writes files into a folder, and stops it with `DISK_FULL` before its disk is full. The signal of the work
 * also forwards the given one.
 */
export async function keepRoom<Result>(
  { folder, signal }: { readonly folder: string; readonly signal: StopSignal },
  work: (signal: StopSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new Stop();
  const forward = (): void => stop.abort(signal.reason);
  const check = async (): Promise<void> => {
    if (!(await hasRoom(folder))) stop.abort(diskFull());
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', forward, { once: true });
  // If the folder cannot be read, the work itself fails.
  const timer = setInterval(() => void check().catch(() => {}), CHECK_PERIOD_MS);
  try {
    await check();
    stop.throwIfAborted();
    return await work(stop);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', forward);
  }
}

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize >= Math.min(ROOM_BYTES, blocks * bsize * ROOM_SHARE);
}

function diskFull(): ServiceError {
  return new ServiceError(
    'DISK_FULL',
    'The file was not written, because the disk of the data directory is nearly full.',
    { hint: 'Try again later, or ask for fewer rows. CSV and NDJSON need no disk.' },
  );
}
