import type { CreateExportRequest, ExportView } from '@locmetrics/core/domain/records-export';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { exportsOf } from '../../exports/export-context.ts';
import { fileTimeoutMs } from '../in-file-place.ts';
import { runUntilDeadline } from '../run-until-deadline.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { createRecordsExport, getRecordsExport, removeExport } from './records-exports.ts';

/**
 * Creates an export, and waits until its files are complete. Refused: what `createRecordsExport` refuses, and what fails
 * the export. If the caller leaves, the export is removed; if it takes longer than a request may, it goes on.
 */
export async function fileDownload(
  context: ServiceContext,
  request: CreateExportRequest,
  call: Call,
): Promise<ExportView> {
  const { id, rows } = await createRecordsExport(context, request, call);
  const ended = await untilEnded(context, { id, rows }, call);
  if (ended.failure === undefined) return ended;
  throw new ServiceError(ended.failure.reason, ended.failure.message);
}

async function untilEnded(
  context: ServiceContext,
  { id, rows }: Pick<ExportView, 'id' | 'rows'>,
  call: Call,
): Promise<ExportView> {
  const { signal: callerSignal } = call;
  const timeoutMs = fileTimeoutMs(context.queryTimeoutMs, rows);
  try {
    return await runUntilDeadline({ callerSignal, timeoutMs }, async (signal) => {
      for (;;) {
        const found = await getRecordsExport(context, { id }, call);
        if (found.state === 'completed' || found.state === 'failed') return found;
        await pause(LOOK_EVERY_MS, signal);
        signal.throwIfAborted();
      }
    });
  } catch (error) {
    // Nobody learns of its files.
    if (callerSignal.aborted) await removeExport(exportsOf(context.exports), id);
    else if (error instanceof ServiceError && error.reason === 'DEADLINE_EXCEEDED') {
      throw stillRunning(id, error);
    }
    throw error;
  }
}

/** Another process may write the files. */
const LOOK_EVERY_MS = 100;

/** Resolves after a time, or once the signal aborts. */
function pause(ms: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

function stillRunning(id: string, cause: ServiceError): ServiceError {
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    'The files are not complete within the time that a request may take.',
    {
      hint: `They are still being written: ask for the export '${id}' with getRecordsExport. For large results, use createRecordsExport.`,
      cause,
    },
  );
}
