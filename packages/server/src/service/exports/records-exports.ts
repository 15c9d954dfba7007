import type {
  CreateExportRequest,
  ExportView,
  RecordsExport,
} from '@locmetrics/core/domain/records-export';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { checkBillingContext } from '../../auth/billing-context.ts';
import { BASE32, randomText } from '../../auth/random-text.ts';
import { checkSpace } from '../../exports/check-space.ts';
import { type ExportContext, exportsOf } from '../../exports/export-context.ts';
import { signLink } from '../../exports/export-links.ts';
import { EXPORT_ROWS_MAX } from '../../exports/export-settings.ts';
import { countRecords } from '../count-records.ts';
import { inSlot } from '../read-stream.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { pinRecordsStream } from '../stream-records.ts';
import { checkExport } from './job-rights.ts';

/**
 * Creates a job that writes the records of a request. Refused: what a stream refuses, a prefix or limit that is not
 * valid; more records than an export may have, or than the limits of the organisation leave; too many exports of the
 * organisation that have not ended; files that take all the space of exports.
 */
export async function createRecordsExport(
  context: ServiceContext,
  asked: CreateExportRequest,
  call: Call,
): Promise<ExportView> {
  const exports = exportsOf(context.exports);
  const { format, filenamePrefix, limit, ...request } = asked;
  checkPrefix(filenamePrefix);
  checkLimit(limit);
  const { caller } = call;
  const { plan } = pinRecordsStream(context, request, { caller, asGeojson: format === 'geojson' });
  const total = await inSlot({ context, call }, 0, (signal) =>
    countRecords(context.engine, plan, signal),
  );
  const rows = limit === 0 ? total : Math.min(limit, total);
  checkRows(rows);
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
    request: { ...request, asOf: plan.version.version },
    format,
    filenamePrefix,
    limit,
    rows,
  };
  const { unfinishedMax } = exports.settings;
  if (!(await exports.store.add(created, unfinishedMax))) throw tooManyExports(unfinishedMax);
  exports.wake();
  return viewOf(exports, await findOwn(exports, id, call));
}

const ID_LENGTH = 26;

/** An export of the token. Refused: one that does not exist, has expired, or is of another token. */
export async function getRecordsExport(
  context: ServiceContext,
  { id }: { readonly id: string },
  call: Call,
): Promise<ExportView> {
  const exports = exportsOf(context.exports);
  return viewOf(exports, await checkExport(context, await findOwn(exports, id, call)));
}

/** All exports of the token, the newest first. */
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
  for (const job of own) checked.push(viewOf(exports, await checkExport(context, job)));
  return checked;
}

/** Cancels an export that has not ended, and removes its files. */
export async function deleteRecordsExport(
  { exports: own }: ServiceContext,
  { id }: { readonly id: string },
  call: Call,
): Promise<void> {
  const exports = exportsOf(own);
  await findOwn(exports, id, call);
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

async function findOwn(
  { store }: Pick<ExportContext, 'store'>,
  id: string,
  { caller }: Pick<Call, 'caller'>,
): Promise<RecordsExport> {
  const found = await store.find(id);
  if (found?.tokenId === caller.tokenId && !hasExpired(found, Date.now())) return found;
  throw ServiceError.atPointer(
    'EXPORT_NOT_FOUND',
    '/id',
    id === '' ? 'The id of the export is missing.' : `There is no export '${id.slice(0, 100)}'.`,
    'listRecordsExports lists those that the token created. An export is removed when it has expired.',
  );
}

export function hasExpired(
  { expiresMs }: Pick<RecordsExport, 'expiresMs'>,
  nowMs: number,
): boolean {
  return expiresMs !== undefined && expiresMs <= nowMs;
}

function viewOf({ publicUrl, linkKey }: ExportContext, job: RecordsExport): ExportView {
  const { id, files, expiresMs = 0 } = job;
  const expires = Math.floor(expiresMs / 1000);
  const key = files.length === 0 ? undefined : linkKey();
  const origin = publicUrl() ?? '';
  const linkTo = (file: string): string =>
    key === undefined ? '' : origin + signLink({ exportId: id, file, expires }, key);
  const links = files.map(({ name }) => linkTo(name));
  return { ...job, links };
}

function checkPrefix(prefix: string): void {
  if (/^[A-Za-z0-9._-]{0,100}$/.test(prefix)) return;
  throw ServiceError.atPointer(
    'INVALID_EXPORT',
    '/fileConfig/filenamePrefix',
    `The prefix '${prefix.slice(0, 120)}' is not one of file names.`,
    'Use 1 to 100 of A-Z, a-z, 0-9, ., _ and -.',
  );
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

function checkRows(rows: number): void {
  if (rows <= EXPORT_ROWS_MAX) return;
  const count = (number: number): string => number.toLocaleString('en-US');
  throw new ServiceError(
    'TOO_MANY_RECORDS',
    `The request matches ${count(rows)} records. An export has at most ${count(EXPORT_ROWS_MAX)}.`,
    { hint: 'Send filters, or a limit.' },
  );
}

function tooManyExports(unfinishedMax: number): ServiceError {
  return new ServiceError(
    'TOO_MANY_EXPORTS',
    `The organisation has ${unfinishedMax} exports that have not ended, the maximum.`,
    { hint: 'Wait until one has ended, or delete one.', retryAfterSeconds: 5 },
  );
}
