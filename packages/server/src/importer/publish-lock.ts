import { type ProcessLock, takeProcessLock } from '../catalog/process-lock.ts';
import { PublishError } from './publish-error.ts';

/** Makes sure that one publish runs at a time in a data directory. */
export function takePublishLock(path: string): ProcessLock {
  const lock = takeProcessLock(path);
  if (lock !== undefined) return lock;
  throw new PublishError(
    'Another publish is running in this data directory.',
    'Wait until it has ended, then publish again.',
  );
}
