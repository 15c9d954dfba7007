import type { CreateExportRequest, ExportView } from '@locmetrics/core/requests/export-job';
import type { Call, ServiceContext } from '../service-context.ts';
import { createRecordsExport } from './records-exports.ts';
import { waitForExport } from './wait-for-export.ts';

/** Creates an export of records, and waits for it. Refused: what `createRecordsExport` and `waitForExport` refuse. */
export async function fileDownload(
  context: ServiceContext,
  request: CreateExportRequest,
  call: Call,
): Promise<ExportView> {
  const created = await createRecordsExport(context, request, call);
  return waitForExport(context, { created, forLarge: 'use createRecordsExport' }, call);
}
