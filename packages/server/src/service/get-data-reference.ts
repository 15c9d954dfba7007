import { checkBillingContext } from '../auth/billing-context.ts';
import type { GetDataReferenceRequest } from '../domain/catalog-request.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import { findCurrentVersion } from './find-version.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** One dataset, as it is now. */
export function getDataReference(
  context: ServiceContext,
  request: GetDataReferenceRequest,
  call: Call,
): DatasetVersion {
  checkBillingContext(call.caller, request.billingContext);
  return findCurrentVersion(request.dataReferenceName, context.catalog.snapshot());
}
