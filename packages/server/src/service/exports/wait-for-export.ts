import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { ExportView } from '@locmetrics/core/requests/export-job';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { exportsOf } from '../../exports/export-context.ts';
import { runUntilDeadline } from '../queries/run-until-deadline.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { fileTimeoutMs } from '../streams/in-file-place.ts';
import { getRecordsExport, removeExport } from './records-exports.ts';

/** An export to wait for, and what a caller whose result is too large should do. */
type WaitedExport = {
  readonly created: Pick<ExportView, 'id' | 'rows'>;
  readonly forLarge: string;
};

/**
 * Waits until the files of an export are complete. Refused: what fails the export. If the caller leaves, the export is
 * removed; if it takes longer than a request may, it goes on.
 */
export async function waitForExport(
  context: ServiceContext,
  awaited: WaitedExport,
  call: Call,
): Promise<ExportView> {
  const ended = await untilEnded(context, awaited, call);
  if (ended.failure === undefined) return ended;
  throw new ServiceError(ended.failure.reason, ended.failure.message);
}

async function untilEnded(
  context: ServiceContext,
  { created: { id, rows }, forLarge }: WaitedExport,
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
      throw stillRunning({ id, forLarge }, error);
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

function stillRunning(
  { id, forLarge }: { readonly id: string; readonly forLarge: string },
  cause: ServiceError,
): ServiceError {
  return new ServiceError(
    'DEADLINE_EXCEEDED',
    'The files are not complete within the time that a request may take.',
    {
      hint: `They are still being written: ask for the export '${id}' with getRecordsExport. For large results, ${forLarge}.`,
      cause,
    },
  );
}
