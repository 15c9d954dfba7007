import { ServiceError } from '@locmetrics/core/errors/service-error';
import { Stop, type StopSignal } from '@locmetrics/core/runtime/stop';

/** The time that the queries of a request have. */
export type Deadline = {
  /** Aborts at the deadline, or when the caller cancels. */
  readonly signal: StopSignal;
  /** Stops the queries that still run, because another one has failed. */
  readonly stop: () => void;
  readonly end: () => void;
};

type Limits = { readonly callerSignal: StopSignal; readonly timeoutMs: number };

/**
 * Opens the deadline of a request. The reason of its signal says whether it passed or the caller cancelled. If the
 * signal of the caller aborts with a ServiceError, that error is kept: the deadline of the caller can pass too. A caller
 * that has gone already is refused.
 */
export function openDeadline({ callerSignal, timeoutMs }: Limits): Deadline {
  const stop = new Stop();
  const leave = (): void => {
    const { reason } = callerSignal;
    stop.abort(
      reason instanceof ServiceError
        ? reason
        : new ServiceError('CANCELLED', 'The caller cancelled before the answer was ready.'),
    );
  };
  if (callerSignal.aborted) leave();
  stop.throwIfAborted();
  const timer = setTimeout(() => {
    stop.abort(
      new ServiceError('DEADLINE_EXCEEDED', `The query took longer than ${timeoutMs} ms.`, {
        hint: 'Narrow the filters, or ask for fewer records.',
      }),
    );
  }, timeoutMs);
  callerSignal.addEventListener('abort', leave, { once: true });
  return {
    signal: stop,
    stop: () => stop.abort(new ServiceError('CANCELLED', 'The request has ended.')),
    end: () => {
      clearTimeout(timer);
      callerSignal.removeEventListener('abort', leave);
    },
  };
}

/** Runs queries with a signal that aborts at the deadline or when the caller cancels. */
export async function runUntilDeadline<Result>(
  limits: Limits,
  query: (signal: StopSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = openDeadline(limits);
  try {
    return await query(deadline.signal);
  } catch (error) {
    deadline.stop();
    throw error;
  } finally {
    deadline.end();
  }
}
