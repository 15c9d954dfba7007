import type { Caller } from '@locmetrics/core/domain/caller';
import { metricName } from '@locmetrics/core/domain/metric';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { ExportedRequest, ExportJob } from '@locmetrics/core/requests/export-job';
import { type ExportContext, exportsOf } from '../../exports/export-context.ts';
import type { ServiceContext } from '../service-context.ts';

/**
 * The caller of an export as its token is now. Refused, as its files are then: a token that was revoked or has expired,
 * a suspended organisation, other rights, a version that was withdrawn, a dataset or metric that was removed.
 */
export function callerOfExport(
  { catalogFor, exports }: Pick<ServiceContext, 'catalogFor' | 'exports'>,
  { tokenId, rights, request }: ExportJob,
): Caller {
  const lookup = exportsOf(exports).findCallerById(tokenId);
  if (!lookup.isAccepted) throw ended('The token of the export is no longer accepted.');
  const { caller } = lookup;
  if (caller.rights.fingerprint !== rights) throw ended('The rights of the caller have changed.');
  const catalog = catalogFor(caller);
  const { name, isPublished, madeOf } = sourceOf(request, catalog.snapshot());
  const isWithdrawn = madeOf.some((part) => catalog.isWithdrawn(part.dataset, part.version));
  if (isPublished && !isWithdrawn) return caller;
  throw new ServiceError(
    'VERSION_NOT_FOUND',
    `The version ${request.asOf} of ${name} was withdrawn.`,
    { hint: 'Create another export.' },
  );
}

/** The dataset or the metric of an export, and the versions of datasets that its rows are made of. */
function sourceOf(request: ExportedRequest, { datasets, metrics }: Seen) {
  if (request.kind === 'records') {
    const { dataReferenceName: name, asOf: version } = request;
    return { name, isPublished: datasets.has(name), madeOf: [{ dataset: name, version }] };
  }
  const name = metricName(request);
  return { name, isPublished: metrics.has(name), madeOf: request.madeOf };
}

/** What a caller sees now. */
type Seen = ReturnType<ReturnType<ServiceContext['catalogFor']>['snapshot']>;

function ended(message: string): ServiceError {
  return new ServiceError('EXPORT_ENDED', message, { hint: 'Create another export.' });
}

/** Ends an export whose caller may not have its files any more. Returns it as it is then. */
export async function checkExport(
  context: Pick<ServiceContext, 'catalogFor' | 'exports'>,
  job: ExportJob,
): Promise<ExportJob> {
  if (job.state === 'failed') return job;
  try {
    callerOfExport(context, job);
    return job;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The node that has the job ends it. Another one may not know its version yet.
    if (job.node !== exportsOf(context.exports).node) return endedView(job, error);
    await withdrawExport(exportsOf(context.exports), job, error);
    return (await exportsOf(context.exports).store.find(job.id)) ?? job;
  }
}

function endedView(job: ExportJob, { reason, message }: ServiceError): ExportJob {
  return { ...job, state: 'failed', files: [], failure: { reason, message } };
}

/** Fails an export, and removes its files. */
async function withdrawExport(
  { store, folder, settings }: Pick<ExportContext, 'store' | 'folder' | 'settings'>,
  { id }: ExportJob,
  { reason, message }: ServiceError,
): Promise<void> {
  const nowMs = Date.now();
  const failure = { reason, message };
  await store.withdraw(id, { nowMs, expiresMs: nowMs + settings.keepMs, failure });
  await folder.remove(id);
}
