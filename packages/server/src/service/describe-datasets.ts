import type { CountedVersion } from '@locmetrics/core/domain/version';
import type {
  GetDataReferenceRequest,
  ListDataReferencesRequest,
} from '@locmetrics/core/requests/catalog-request';
import { checkBillingContext } from '../auth/billing-context.ts';
import { findCurrentVersion } from './find-version.ts';
import { runUntilDeadline } from './queries/run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The current version of one dataset, with the extent of the records that the caller sees. */
export async function getDataReference(
  { catalogFor, queryTimeoutMs, datasetExtents }: ServiceContext,
  request: GetDataReferenceRequest,
  { caller, signal: callerSignal }: Call,
): Promise<CountedVersion> {
  checkBillingContext(caller, request.billingContext);
  const version = findCurrentVersion(request.dataReferenceName, catalogFor(caller).snapshot());
  const known = datasetExtents.known(version);
  if (known !== undefined) return known;
  return runUntilDeadline({ callerSignal, timeoutMs: queryTimeoutMs }, (signal) =>
    datasetExtents.add(version, signal),
  );
}

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
