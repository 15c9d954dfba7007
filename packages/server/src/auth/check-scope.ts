import type { Caller } from '../domain/caller.ts';
import type { Scope } from '../domain/scope.ts';
import { ServiceError } from '../domain/service-error.ts';

/** Refuses a caller whose token may not be used for this. */
export function checkScope({ scopes }: Caller, scope: Scope): void {
  if (!scopes.includes(scope)) throw new ScopeMissingError(scope);
}

/** Says which scope is missing, for the challenge that HTTP answers with. */
export class ScopeMissingError extends ServiceError {
  readonly scope: Scope;

  constructor(scope: Scope) {
    super('SCOPE_MISSING', `The token has not the scope '${scope}', which this needs.`, {
      hint: `Use a token that has the scope '${scope}', or ask the data owner for one.`,
    });
    this.scope = scope;
  }
}
