import type { Caller } from '@locmetrics/core/domain/caller';
import type { RecordsExport } from '@locmetrics/core/domain/records-export';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { type ExportContext, exportsOf } from '../../exports/export-context.ts';
import type { ServiceContext } from '../service-context.ts';

/**
 * The caller of an export as its token is now. Refused, as its files are then: a token that was revoked or has expired,
 * a suspended organisation, other rights, a version that was withdrawn, a dataset that was removed.
 */
export function callerOfExport(
  { catalogFor, exports }: Pick<ServiceContext, 'catalogFor' | 'exports'>,
  { tokenId, rights, request }: RecordsExport,
): Caller {
  const lookup = exportsOf(exports).findCallerById(tokenId);
  if (!lookup.isAccepted) throw ended('The token of the export is no longer accepted.');
  const { caller } = lookup;
  if (caller.rights.fingerprint !== rights) throw ended('The rights of the caller have changed.');
  const catalog = catalogFor(caller);
  const { dataReferenceName, asOf } = request;
  const isPublished = catalog.snapshot().datasets.has(dataReferenceName);
  if (isPublished && !catalog.isWithdrawn(dataReferenceName, asOf)) return caller;
  throw new ServiceError(
    'VERSION_NOT_FOUND',
    `The version ${asOf} of ${dataReferenceName} was withdrawn.`,
    { hint: 'Create another export.' },
  );
}

function ended(message: string): ServiceError {
  return new ServiceError('EXPORT_ENDED', message, { hint: 'Create another export.' });
}

/** Ends an export whose caller may not have its files any more. Returns it as it is then. */
export async function checkExport(
  context: Pick<ServiceContext, 'catalogFor' | 'exports'>,
  job: RecordsExport,
): Promise<RecordsExport> {
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

function endedView(job: RecordsExport, { reason, message }: ServiceError): RecordsExport {
  return { ...job, state: 'failed', files: [], failure: { reason, message } };
}

/** Fails an export, and removes its files. */
async function withdrawExport(
  { store, folder, settings }: Pick<ExportContext, 'store' | 'folder' | 'settings'>,
  { id }: RecordsExport,
  { reason, message }: ServiceError,
): Promise<void> {
  const nowMs = Date.now();
  const failure = { reason, message };
  await store.withdraw(id, { nowMs, expiresMs: nowMs + settings.keepMs, failure });
  await folder.remove(id);
}
