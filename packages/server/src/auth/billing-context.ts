import type { Caller } from '@locmetrics/core/domain/caller';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { quoteInput } from './quote-input.ts';

/**
 * Throws a ServiceError BILLING_CONTEXT_DENIED if the request names another organisation than its token.
 * Absent or empty means the organisation of the token; an operation that requires a billing context checks
 * that itself. The store is not queried, so the answer does not reveal whether the other organisation
 * exists.
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
