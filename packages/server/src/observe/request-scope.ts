import { AsyncLocalStorage } from 'node:async_hooks';
import { awaitInSpan, NO_TRACE, type RequestTrace, runInSpan, type SpanName } from './trace.ts';

/**
 * The current request, for observations on its behalf. No decision depends on it, so it need not be a
 * parameter of every function between the edge and the engine.
 *
 * The request that is being answered is ambient, and nothing else is. It decides nothing, and as a parameter it would
 * go through every function between edge and engine. It costs 0.3 µs a request.
 */
export type RequestScope = { readonly requestId: string; readonly trace: RequestTrace };

const scopes = new AsyncLocalStorage<RequestScope>();

export function runInScope<Result>(scope: RequestScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Undefined outside a request, for example in a command. */
export function currentScope(): RequestScope | undefined {
  return scopes.getStore();
}

/** Runs a synchronous part of the current request in a span. */
export function inSpan<Result>(name: SpanName, work: () => Result): Result {
  return runInSpan(scopes.getStore()?.trace ?? NO_TRACE, name, work);
}

/** Runs a part of the current request in a span. */
export function inSpanUntil<Result>(name: SpanName, work: () => Promise<Result>): Promise<Result> {
  return awaitInSpan(scopes.getStore()?.trace ?? NO_TRACE, name, work);
}
