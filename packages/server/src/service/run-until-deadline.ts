import { ServiceError } from '../domain/service-error.ts';
import { Stop, type StopSignal } from '../runtime/stop.ts';

/**
 * Runs a query with a signal that aborts at the deadline or when the caller cancels. The error says
 * which of the two it was. If the signal of the caller aborts with a ServiceError, that error is kept: the
 * deadline of the caller can pass too.
 */
export async function runUntilDeadline<Result>(
  limits: { readonly callerSignal: StopSignal; readonly timeoutMs: number },
  query: (signal: StopSignal) => Promise<Result>,
): Promise<Result> {
  const { callerSignal, timeoutMs } = limits;
  const stop = new Stop();
  const leave = (): void => {
    const { reason } = limits.callerSignal;
    stop.abort(
      reason instanceof ServiceError
        ? reason
        : new ServiceError('CANCELLED', 'The caller cancelled before the answer was ready.'),
    );
  };
  const timer = setTimeout(() => {
    stop.abort(
      new ServiceError('DEADLINE_EXCEEDED', `The query took longer than ${timeoutMs} ms.`, {
        hint: 'Narrow the filters, or ask for fewer records.',
      }),
    );
  }, timeoutMs);
  if (callerSignal.aborted) leave();
  callerSignal.addEventListener('abort', leave, { once: true });
  try {
    stop.throwIfAborted();
    return await query(stop);
  } catch (error) {
    // One of several concurrent queries may have failed; the others are stopped.
    stop.abort(new ServiceError('CANCELLED', 'The request has ended.'));
    throw error;
  } finally {
    clearTimeout(timer);
    callerSignal.removeEventListener('abort', leave);
  }
}
