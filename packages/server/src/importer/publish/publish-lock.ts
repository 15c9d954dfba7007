import { type ProcessLock, takeProcessLock } from '../../versions/process-lock.ts';
import { PublishError } from '../problems/publish-error.ts';

/** Ensures that only one publish runs at a time in a data directory. */
export function takePublishLock(path: string): ProcessLock {
  // Garbage collection holds it for a moment, to ensure that no publish runs.
  const lock = takeProcessLock(path, 300);
  if (lock !== undefined) return lock;
  throw new PublishError(
    'Another publish is running in this data directory.',
    'Wait until it has ended, then publish again.',
  );
}
