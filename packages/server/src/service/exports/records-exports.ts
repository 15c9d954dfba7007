import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { CreateExportRequest, ExportView } from '@locmetrics/core/requests/export-job';
import { checkBillingContext } from '../../auth/billing-context.ts';
import { type ExportContext, exportsOf } from '../../exports/export-context.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { checkFilenamePrefix } from './check-filename-prefix.ts';
import { createExport } from './create-export.ts';
import { findOwnExport, hasExpired } from './find-own-export.ts';
import { checkExport } from './job-rights.ts';
import { toExportView } from './to-export-view.ts';

/**
 * Creates a job that writes the records of a request. Refused: what `createExport` refuses, a prefix or limit that is
 * not valid.
 */
export async function createRecordsExport(
  context: ServiceContext,
  { format, filenamePrefix, limit, ...request }: CreateExportRequest,
  call: Call,
): Promise<ExportView> {
  checkFilenamePrefix(filenamePrefix, '/fileConfig/filenamePrefix');
  checkLimit(limit);
  const written = { format, filenamePrefix, limit, keepMs: undefined };
  return createExport(context, { ...written, request: { kind: 'records', ...request } }, call);
}

/**
 * An export of the token, of records or of metric values. Refused: one that does not exist, has expired, or is of
 * another token.
 */
export async function getRecordsExport(
  context: ServiceContext,
  { id }: { readonly id: string },
  call: Call,
): Promise<ExportView> {
  const exports = exportsOf(context.exports);
  return toExportView(exports, await checkExport(context, await findOwnExport(exports, id, call)));
}

/** All exports of the token, the newest first, those of metric values too: each counts towards the exports it may have. */
export async function listRecordsExports(
  context: ServiceContext,
  { billingContext }: { readonly billingContext: string },
  { caller }: Call,
): Promise<readonly ExportView[]> {
  checkBillingContext(caller, billingContext);
  const exports = exportsOf(context.exports);
  const nowMs = Date.now();
  const all = await exports.store.list(caller.tokenId);
  const own = all.filter((job) => !hasExpired(job, nowMs));
  const checked: ExportView[] = [];
  for (const job of own) checked.push(toExportView(exports, await checkExport(context, job)));
  return checked;
}

/** Cancels an export that has not ended, and removes its files. */
export async function deleteRecordsExport(
  { exports: own }: ServiceContext,
  { id }: { readonly id: string },
  call: Call,
): Promise<void> {
  const exports = exportsOf(own);
  await findOwnExport(exports, id, call);
  await removeExport(exports, id);
}

/** Removes an export with its files; its process stops to write it. */
export async function removeExport(
  { store, folder }: Pick<ExportContext, 'store' | 'folder'>,
  id: string,
): Promise<void> {
  await store.remove(id);
  await folder.remove(id);
}

function checkLimit(limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 0) return;
  throw ServiceError.atPointer(
    'INVALID_EXPORT',
    '/limit',
    `The limit is ${limit}.`,
    'Send the largest number of records to write, or leave it out for all.',
  );
}
