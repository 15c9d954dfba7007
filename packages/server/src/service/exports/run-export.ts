import { licenceText } from '@locmetrics/core/domain/licence';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { isNoSpace } from '@locmetrics/data-directory/sqlite/disk-full';
import { checkSpace } from '../../exports/check-space.ts';
import { exportsOf } from '../../exports/export-context.ts';
import type { ClaimedExport } from '../../exports/export-store.ts';
import type { MeteredPieces } from '../meter.ts';
import { keepRoom } from '../queries/keep-room.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import type { StreamPiece } from '../streams/read-ahead.ts';
import type { TableStream } from '../streams/stream-records.ts';
import { exportPartOf } from './export-part-of.ts';
import { callerOfExport } from './job-rights.ts';
import { openParts } from './open-parts.ts';
import { type PinnedExport, pinExport } from './pin-export.ts';

/** An export that another process has, or that was deleted: its work is of no use. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

/** What is known of an export that is being written. */
export type RunningExport = { rowsWritten: number; rowsCharged: number; bytes: number };

/**
 * Writes the files of an export, as a stream that is charged as it is written. What an earlier claim has charged is not
 * charged again: the store learns of a charge before it is made, so that a kill in between can only forget one piece.
 *
 * Throws a ClaimLostError, or a ServiceError that says why the export fails.
 */
export async function runExport(
  context: ServiceContext,
  job: ClaimedExport,
  progress: RunningExport,
  signal: StopSignal,
): Promise<void> {
  try {
    await writeMetered(context, job, progress, signal);
  } catch (error) {
    throw isNoSpace(error) ? diskFull(error) : error;
  }
}

async function writeMetered(
  context: ServiceContext,
  job: ClaimedExport,
  progress: RunningExport,
  signal: StopSignal,
): Promise<void> {
  const { folder } = exportsOf(context.exports);
  const { id, claim, request, format, limit } = job;
  await folder.make();
  await folder.remove(id, claim);
  const caller = callerOfExport(context, job);
  const pinned = pinExport(context, request, { caller, format, limit });
  const uncharged = Math.max(0, job.rows - job.rowsCharged);
  const usage = await context.meter.openJob({ caller, requestId: id }, uncharged);
  try {
    await keepRoom({ folder: folder.root, signal }, (stop) =>
      write(context, { job, pinned, call: { caller, signal: stop }, usage, progress }),
    );
  } finally {
    usage.end();
  }
}

async function write(
  context: ServiceContext,
  {
    job,
    pinned,
    call,
    usage,
    progress,
  }: {
    readonly job: ClaimedExport;
    readonly pinned: PinnedExport;
    readonly call: Call;
    readonly usage: MeteredPieces;
    readonly progress: RunningExport;
  },
): Promise<void> {
  const exports = exportsOf(context.exports);
  const { store, folder, settings } = exports;
  const { id, claim, request, format, limit, filenamePrefix } = job;
  const { keepMs = settings.keepMs } = job;
  const operation = OPERATIONS[request.kind];
  const table = await pinned.open(call);
  const parts = openParts({
    folder: folder.ofClaim(id, claim),
    prefix: filenamePrefix,
    extension: format,
    openPart: exportPartOf(format, table, {
      bytesMax: settings.partMaxBytes,
      openFile: context.tableFiles.open,
      signal: call.signal,
    }),
  });
  try {
    for await (const piece of firstRows(table.pieces, limit)) {
      call.signal.throwIfAborted();
      callerOfExport(context, job);
      const bytes = await parts.add(piece);
      progress.rowsWritten += piece.size;
      progress.bytes = parts.bytes();
      const charged = progress.rowsCharged;
      progress.rowsCharged = Math.max(charged, progress.rowsWritten);
      if (!(await store.renew(id, claim, { nowMs: Date.now(), ...progress })))
        throw new ClaimLostError();
      const rows = progress.rowsCharged - charged;
      if (rows > 0) await usage.add({ operation, request, rows, bytes });
      await checkSpace(exports);
    }
    const files = await parts.finish(licenceOf(table));
    const nowMs = Date.now();
    const ended = { nowMs, expiresMs: nowMs + Math.min(keepMs, settings.keepMs), files };
    const { rowsWritten } = progress;
    if (!(await store.complete(id, claim, { ...ended, rowsWritten }))) throw new ClaimLostError();
  } finally {
    await parts.close();
  }
}

function licenceOf({ metadata: { licences } }: Pick<TableStream, 'metadata'>): string | undefined {
  if (licences.length === 0) return undefined;
  return licences.map((licence) => `${licenceText(licence)}\n`).join('');
}

/** The names of its usage. */
const OPERATIONS = { records: 'createRecordsExport', values: 'downloadMetric' } as const;

/** The pieces of the first rows; 0: all. */
async function* firstRows(
  pieces: AsyncGenerator<StreamPiece, void>,
  limit: number,
): AsyncGenerator<StreamPiece, void> {
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  for await (const piece of pieces) {
    if (piece.size < left) {
      left -= piece.size;
      yield piece;
      continue;
    }
    yield { ...piece, size: Math.min(left, piece.size) };
    return;
  }
}

function diskFull(cause: unknown): ServiceError {
  return new ServiceError('DISK_FULL', 'The disk of the service is full.', {
    hint: 'Try again later, or get the records as a stream.',
    cause,
  });
}
