import type { Client } from './client.ts';
import { ExportFailedError } from './errors.ts';
import type { CreateRecordsExportRequest, RecordsExport } from './generated/schemas.ts';
import { pause } from './retry.ts';
import type { CallOptions } from './send.ts';

export type ExportOptions = CallOptions & {
  /** Called with the new export, and each time the client has asked for it. */
  readonly onProgress?: ((progress: RecordsExport) => void) | undefined;
};

const FIRST_WAIT_MS = 200;
const WAIT_MAX_MS = 5_000;
const WAIT_GROWTH = 1.5;

/** Creates an export, and asks for it until it has ended. An export that nobody waits for any more is deleted. */
export async function awaitExport(
  calls: Pick<Client, 'createRecordsExport' | 'getRecordsExport' | 'deleteRecordsExport'>,
  request: CreateRecordsExportRequest,
  { signal, onProgress }: ExportOptions = {},
): Promise<RecordsExport> {
  let found = await calls.createRecordsExport(request, { signal });
  const { id } = found;
  try {
    onProgress?.(found);
    for (let waitMs = FIRST_WAIT_MS; found.status === 'RUNNING'; waitMs *= WAIT_GROWTH) {
      await pause(Math.min(waitMs, WAIT_MAX_MS), signal);
      found = await calls.getRecordsExport({ id }, { signal });
      onProgress?.(found);
    }
  } catch (error) {
    // The error that ended the wait is the one to know.
    await calls.deleteRecordsExport({ id }).catch(() => {});
    throw error;
  }
  if (found.status === 'FAILED') throw new ExportFailedError(found);
  return found;
}
