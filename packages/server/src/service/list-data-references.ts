import { checkBillingContext } from '../auth/billing-context.ts';
import type { ListDataReferencesRequest } from '../domain/catalog-request.ts';
import type { CountedVersion } from '../domain/version.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The datasets that the caller may see, sorted by name, each with the extent of the visible records. */
export async function listDataReferences(
  { catalogFor, queryTimeoutMs, datasetExtents }: ServiceContext,
  request: ListDataReferencesRequest,
  { caller, signal: callerSignal }: Call,
): Promise<readonly CountedVersion[]> {
  checkBillingContext(caller, request.billingContext);
  const versions = [...catalogFor(caller).snapshot().datasets.values()];
  return runUntilDeadline({ callerSignal, timeoutMs: queryTimeoutMs }, (signal) =>
    Promise.all(versions.map((version) => datasetExtents.add(version, signal))),
  );
}
