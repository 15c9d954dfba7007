import cluster, { type Worker } from 'node:cluster';

/**
 * Starts a process for a worker. Gives undefined, and tells the error a moment later, where the system
 * cannot: it has no descriptor or no process left.
 */
export function forkWorker(
  environment: Readonly<Record<string, string | number>>,
  onFailed: (error: Error) => void,
): Worker | undefined {
  const worker = fork(environment, onFailed);
  // One that was not started has no other event, and would stay in the list for ever.
  worker?.on('error', (error) => {
    if (worker.process.pid === undefined) onFailed(error);
  });
  if (worker === undefined || worker.process.pid !== undefined) return worker;
  delete cluster.workers?.[worker.id];
  return undefined;
}

/** Some errors of the system are thrown, and others are events. */
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
