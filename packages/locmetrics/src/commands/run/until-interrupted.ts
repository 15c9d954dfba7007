import { InterruptedError } from '../../cli/interrupted-error.ts';

/** Runs work that SIGINT and SIGTERM abort, so that it can clean up. */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupted = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void =>
    interrupted.abort(new InterruptedError(signal));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await work(interrupted.signal);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
