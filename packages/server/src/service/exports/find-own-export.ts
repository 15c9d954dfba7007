import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { ExportJob } from '@locmetrics/core/requests/export-job';
import type { ExportContext } from '../../exports/export-context.ts';
import type { Call } from '../service-context.ts';

/** An export of the token. Refused: one that does not exist, has expired, or is of another token. */
export async function findOwnExport(
  { store }: Pick<ExportContext, 'store'>,
  id: string,
  { caller }: Pick<Call, 'caller'>,
): Promise<ExportJob> {
  const found = await store.find(id);
  if (found?.tokenId === caller.tokenId && !hasExpired(found, Date.now())) return found;
  throw ServiceError.atPointer(
    'EXPORT_NOT_FOUND',
    '/id',
    id === '' ? 'The id of the export is missing.' : `There is no export '${id.slice(0, 100)}'.`,
    'listRecordsExports lists those that the token created. An export is removed when it has expired.',
  );
}

export function hasExpired({ expiresMs }: Pick<ExportJob, 'expiresMs'>, nowMs: number): boolean {
  return expiresMs !== undefined && expiresMs <= nowMs;
}
