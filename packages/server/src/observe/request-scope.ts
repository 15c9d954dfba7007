import { AsyncLocalStorage } from 'node:async_hooks';
import { NO_TRACE, type RequestTrace, runInSpan, type SpanName } from './trace.ts';

/**
 * The request that is being answered, for whoever observes what happens on its behalf. It decides
 * nothing: so it need not be a parameter of every function between the edge and the engine.
 */
export type RequestScope = { readonly requestId: string; readonly trace: RequestTrace };

const scopes = new AsyncLocalStorage<RequestScope>();

export function runInScope<Result>(scope: RequestScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Undefined where nobody asked, for example in a command. */
export function currentScope(): RequestScope | undefined {
  return scopes.getStore();
}

/** Runs a part of the request that is being answered, which waits for nothing. */
export function inSpan<Result>(name: SpanName, work: () => Result): Result {
  return runInSpan(scopes.getStore()?.trace ?? NO_TRACE, name, work);
}
