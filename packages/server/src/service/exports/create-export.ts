import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { AskedExport, ExportJob, ExportView } from '@locmetrics/core/requests/export-job';
import { BASE32, randomText } from '../../auth/random-text.ts';
import { checkSpace } from '../../exports/check-space.ts';
import { exportsOf } from '../../exports/export-context.ts';
import { EXPORT_ROWS_MAX } from '../../exports/export-settings.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { inSlot } from '../streams/read-stream.ts';
import { findOwnExport } from './find-own-export.ts';
import { pinExport } from './pin-export.ts';
import { toExportView } from './to-export-view.ts';

/** A job that is asked for. */
export type AskedJob = Pick<ExportJob, 'format' | 'filenamePrefix' | 'limit' | 'keepMs'> & {
  readonly request: AskedExport;
};

/**
 * Creates a job that writes the rows of a request. Refused: what a stream of them refuses; more rows than an export may
 * have, or than the limits of the organisation leave; too many exports of the organisation that have not ended; files
 * that take all the space of exports.
 */
export async function createExport(
  context: ServiceContext,
  { request: asked, ...written }: AskedJob,
  call: Call,
): Promise<ExportView> {
  const exports = exportsOf(context.exports);
  const { caller } = call;
  const { format, limit } = written;
  const { request, count } = pinExport(context, asked, { caller, format, limit });
  const total = await inSlot({ context, call }, 0, async (signal) => count(signal));
  const rows = limit === 0 ? total : Math.min(limit, total);
  checkRows(rows, asked.kind);
  await checkSpace(exports);
  const id = randomText({ alphabet: BASE32, length: ID_LENGTH });
  // Refused: more rows than are left. They are charged as they are written.
  const usage = await context.meter.openJob({ caller, requestId: id }, rows);
  usage.end();
  const created = {
    id,
    organisationId: caller.organisationId,
    tokenId: caller.tokenId,
    rights: caller.rights.fingerprint,
    createdMs: Date.now(),
    request,
    ...written,
    rows,
  };
  const { unfinishedMax } = exports.settings;
  if (!(await exports.store.add(created, unfinishedMax))) throw tooManyExports(unfinishedMax);
  exports.wake();
  return toExportView(exports, await findOwnExport(exports, id, call));
}

const ID_LENGTH = 26;

/** How to get a result that has too many rows. */
const HINTS = {
  records: 'Send filters, or a limit.',
  values: 'Get the values in parts: send filters to GET …/values.csv.',
} as const;

function checkRows(rows: number, kind: AskedExport['kind']): void {
  if (rows <= EXPORT_ROWS_MAX) return;
  const count = (number: number): string => number.toLocaleString('en-US');
  throw new ServiceError(
    'TOO_MANY_RECORDS',
    `The request matches ${count(rows)} ${kind}. An export has at most ${count(EXPORT_ROWS_MAX)}.`,
    { hint: HINTS[kind] },
  );
}

function tooManyExports(unfinishedMax: number): ServiceError {
  return new ServiceError(
    'TOO_MANY_EXPORTS',
    `The organisation has ${unfinishedMax} exports that have not ended, the maximum.`,
    { hint: 'Wait until one has ended, or delete one.', retryAfterSeconds: 5 },
  );
}
