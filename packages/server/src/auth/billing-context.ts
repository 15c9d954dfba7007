import type { Caller } from '../domain/caller.ts';
import { ServiceError } from '../domain/service-error.ts';
import { quoteInput } from './quote-input.ts';

/**
 * Throws a ServiceError BILLING_CONTEXT_DENIED when the request names another organisation than the
 * one of its token. Absent or empty means the token's organisation; whether an operation requires
 * one is that operation's to check. No store is asked, so nothing tells whether the other
 * organisation exists.
 */
export function checkBillingContext(caller: Caller, billingContext: string | undefined): void {
  if (billingContext === undefined || billingContext === '') return;
  if (billingContext === caller.organisationId) return;
  throw new ServiceError(
    'BILLING_CONTEXT_DENIED',
    `The billing context ${quoteInput(billingContext)} is not the organisation of the token.`,
    { hint: 'Send the id of the organisation that the token was issued to.' },
  );
}
