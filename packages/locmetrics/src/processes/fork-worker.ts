import cluster, { type Worker } from 'node:cluster';

/**
 * Starts a process for a worker. If the system has no descriptor or process left, returns undefined and
 * reports the error asynchronously.
 */
export function forkWorker(
  environment: Readonly<Record<string, string | number>>,
  onFailed: (error: Error) => void,
): Worker | undefined {
  const worker = fork(environment, onFailed);
  // A process that could not be started has no other event, and would stay in the list forever.
  worker?.on('error', (error) => {
    if (worker.process.pid === undefined) onFailed(error);
  });
  if (worker === undefined || worker.process.pid !== undefined) return worker;
  delete cluster.workers?.[worker.id];
  return undefined;
}

/** Some system errors are thrown, others are events. */
function fork(
  environment: Readonly<Record<string, string | number>>,
  onFailed: (error: Error) => void,
): Worker | undefined {
  try {
    return cluster.fork(environment);
  } catch (error) {
    queueMicrotask(() => onFailed(error instanceof Error ? error : new Error(String(error))));
    return undefined;
  }
}
