import type { Caller } from '@locmetrics/core/domain/caller';
import type { Scope } from '@locmetrics/core/domain/scope';
import { ServiceError } from '@locmetrics/core/errors/service-error';

/** Refuses a caller whose token lacks the scope. */
export function checkScope({ scopes }: Caller, scope: Scope): void {
  if (!scopes.includes(scope)) throw new ScopeMissingError(scope);
}

/** The error for a missing scope; the HTTP challenge names the scope. */
export class ScopeMissingError extends ServiceError {
  readonly scope: Scope;

  constructor(scope: Scope) {
    super('SCOPE_MISSING', `The token does not have the scope '${scope}', which is required.`, {
      hint: `Use a token that has the scope '${scope}', or ask the data owner for one.`,
    });
    this.scope = scope;
  }
}
