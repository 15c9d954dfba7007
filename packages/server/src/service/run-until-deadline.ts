import { ServiceError } from '../domain/service-error.ts';

/**
 * Runs a query with a signal that aborts at the deadline or when the caller goes away, and with the
 * error that says which of the two it was. A caller's signal that aborts with a ServiceError says
 * itself which: the caller's own deadline can pass too.
 */
export async function runUntilDeadline<Result>(
  limits: { readonly callerSignal: AbortSignal; readonly timeoutMs: number },
  query: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { callerSignal, timeoutMs } = limits;
  const controller = new AbortController();
  const leave = (): void => {
    const { reason } = limits.callerSignal;
    controller.abort(
      reason instanceof ServiceError
        ? reason
        : new ServiceError('CANCELLED', 'The caller went away before the answer was ready.'),
    );
  };
  const timer = setTimeout(() => {
    controller.abort(
      new ServiceError('DEADLINE_EXCEEDED', `The query took longer than ${timeoutMs} ms.`, {
        hint: 'Narrow the filters, or ask for fewer records.',
      }),
    );
  }, timeoutMs);
  if (callerSignal.aborted) leave();
  callerSignal.addEventListener('abort', leave, { once: true });
  try {
    controller.signal.throwIfAborted();
    return await query(controller.signal);
  } finally {
    clearTimeout(timer);
    callerSignal.removeEventListener('abort', leave);
    // Of several queries at once one may have failed: the others have nobody to answer to.
    controller.abort(new ServiceError('CANCELLED', 'The request has ended.'));
  }
}
