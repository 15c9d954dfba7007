import { randomUUID } from 'node:crypto';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { Stop } from '@locmetrics/core/runtime/stop';
import { type ExportContext, exportsOf } from '../../exports/export-context.ts';
import { CLAIM_MS, type ClaimedExport } from '../../exports/export-store.ts';
import type { Observe } from '../../observe/observation.ts';
import type { ServiceContext } from '../service-context.ts';
import { ClaimLostError, type RunningExport, runExport } from './run-export.ts';

/** Writes the exports of a data directory in this process, one at a time. */
export type ExportRunner = {
  /** Looks for one at once. */
  readonly wake: () => void;
  /** Stops the export that is being written: another process, or the next start, writes it from its beginning. */
  readonly close: () => Promise<void>;
};

/** How often a process looks for exports of others, and for those that have expired. */
const LOOK_EVERY_MS = 1000;
/** How often folders of exports that are gone are looked for. */
const SWEEP_EVERY_MS = 60_000;
/** A process that was killed three times while it wrote an export was probably killed by it. */
const ATTEMPTS_MAX = 3;

/** What becomes of an export, to its end. */
type Ended = {
  readonly outcome: 'completed' | 'failed' | 'lost' | 'put_off';
  readonly error?: unknown;
};

export function openExportRunner(
  service: ServiceContext,
  {
    observe,
    lookEveryMs = LOOK_EVERY_MS,
  }: { readonly observe: Observe; readonly lookEveryMs?: number },
): ExportRunner {
  const exports = exportsOf(service.exports);
  const { store, folder } = exports;
  const stop = new Stop();
  let running: Promise<void> | undefined;
  let sweptMs = Number.NEGATIVE_INFINITY;
  let isUsable = true;

  const look = async (): Promise<void> => {
    await removeExpired(exports);
    if (performance.now() - sweptMs > SWEEP_EVERY_MS) {
      sweptMs = performance.now();
      for (const id of await folder.list()) if (await isLeft(exports, id)) await folder.remove(id);
    }
    for (;;) {
      if (stop.aborted) return;
      const job = await store.claim(randomUUID(), Date.now());
      if (job === undefined) return;
      const { outcome } = await write(service, job, { stop, observe });
      // What the service cannot do now is tried again after a while.
      if (outcome === 'put_off') return;
    }
  };
  const wake = (): void => {
    if (stop.aborted) return;
    running ??= look()
      .then(() => {
        isUsable = true;
      })
      // The store cannot be used: its callers learn of it, and it is tried again.
      .catch((error: unknown) => {
        if (isUsable) observe({ kind: 'exports_unusable', error });
        isUsable = false;
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(wake, lookEveryMs).unref();
  wake();
  return {
    wake,
    close: async () => {
      clearInterval(timer);
      stop.abort(new ServiceError('NOT_READY', 'The service stops.'));
      await running;
    },
  };
}

/** Whether the files of an export are of no use: it was removed, has failed, or another node has written it since. */
async function isLeft({ store, node }: ExportContext, id: string): Promise<boolean> {
  const job = await store.find(id);
  return job === undefined || job.state === 'failed' || job.node !== node;
}

async function removeExpired({ store, folder }: ExportContext): Promise<void> {
  for (const id of await store.expired(Date.now())) {
    await store.remove(id);
    await folder.remove(id);
  }
}

/** Writes an export, and stores what has become of it. */
async function write(
  service: ServiceContext,
  job: ClaimedExport,
  { stop, observe }: { readonly stop: Stop; readonly observe: Observe },
): Promise<Ended> {
  const { store, folder, settings } = exportsOf(service.exports);
  const { id, claim, organisationId } = job;
  const startedMs = performance.now();
  const progress: RunningExport = { rowsWritten: 0, rowsCharged: job.rowsCharged, bytes: 0 };
  const own = new Stop();
  const pass = (): void => own.abort(stop.reason);
  stop.addEventListener('abort', pass);
  // A query may take longer than a claim lasts; and an export that was deleted stops its query.
  const renewing = setInterval(() => {
    void isRenewed().then((isKept) => {
      if (!isKept) own.abort(new ClaimLostError());
    });
  }, CLAIM_MS / 30).unref();
  const isRenewed = async (): Promise<boolean> => {
    try {
      return await store.renew(id, claim, { nowMs: Date.now(), ...progress });
    } catch {
      // The store cannot be used now. The next piece says so.
      return true;
    }
  };
  const ended = await attempt(service, { job, progress, signal: own });
  clearInterval(renewing);
  stop.removeEventListener('abort', pass);
  if (ended.outcome !== 'completed') await folder.removeClaim(id, claim);
  if ((await store.find(id)) === undefined) await folder.remove(id);
  if (ended.outcome === 'put_off') await store.release(id, claim);
  if (ended.outcome === 'failed') {
    const { reason, message } = toServiceError(ended.error);
    const nowMs = Date.now();
    const failure = { reason, message };
    await store.fail(id, claim, { nowMs, expiresMs: nowMs + settings.keepMs, failure });
  }
  observe({
    kind: 'export_ended',
    exportId: id,
    organisationId,
    outcome: ended.outcome,
    rows: progress.rowsWritten,
    bytes: progress.bytes,
    durationMs: Math.round(performance.now() - startedMs),
    ...(ended.error === undefined ? {} : { error: ended.error }),
  });
  return ended;
}

async function attempt(
  service: ServiceContext,
  {
    job,
    progress,
    signal,
  }: { readonly job: ClaimedExport; readonly progress: RunningExport; readonly signal: Stop },
): Promise<Ended> {
  if (job.attempts > ATTEMPTS_MAX) return { outcome: 'failed', error: new Error(ENDED_OFTEN) };
  try {
    await runExport(service, job, progress, signal);
    return { outcome: 'completed' };
  } catch (error) {
    if (error instanceof ClaimLostError || signal.reason instanceof ClaimLostError) {
      return { outcome: 'lost' };
    }
    return { outcome: signal.aborted || isForNow(error) ? 'put_off' : 'failed', error };
  }
}

/** Whether the same work may succeed later. */
function isForNow(error: unknown): boolean {
  const { code, reason } = toServiceError(error);
  return code === 'UNAVAILABLE' && reason !== 'DISK_FULL';
}

/** The store of exports throws other errors, of a disk or of a database. */
function toServiceError(error: unknown): ServiceError {
  return error instanceof ControlError ? error.toServiceError() : ServiceError.from(error);
}

const ENDED_OFTEN = `The process that wrote the export ended ${ATTEMPTS_MAX} times.`;
