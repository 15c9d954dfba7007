import { checkBillingContext } from '../auth/billing-context.ts';
import type { ListDataReferencesRequest } from '../domain/catalog-request.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The datasets the caller may see, in the order of their names. */
export function listDataReferences(
  context: ServiceContext,
  request: ListDataReferencesRequest,
  call: Call,
): readonly DatasetVersion[] {
  checkBillingContext(call.caller, request.billingContext);
  return [...context.catalog.snapshot().datasets.values()];
}
