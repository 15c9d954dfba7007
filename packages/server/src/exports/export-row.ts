import { EXPORT_FORMAT_KEYS } from '@locmetrics/core/domain/export-format';
import { ERROR_TABLE, type ErrorReason } from '@locmetrics/core/errors/service-error';
import type { StreamRecordsRequest } from '@locmetrics/core/requests/catalog-request';
import type { ExportedRequest, ExportJob, WrittenFile } from '@locmetrics/core/requests/export-job';
import {
  readInteger,
  readJson,
  readOptionalInteger,
  readOptionalText,
  readText,
  type SqliteRow,
  StoredValueError,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { ClaimedExport } from './export-store.ts';

export function toClaimed(row: SqliteRow): ClaimedExport {
  return {
    ...toExport(row),
    rowsCharged: readInteger(row, 'rows_charged'),
    attempts: readInteger(row, 'attempts'),
    claim: readText(row, 'claim'),
  };
}

const STATES = ['waiting', 'running', 'completed', 'failed'] as const;

export function toExport(row: SqliteRow): ExportJob {
  const reason = readOptionalText(row, 'failure_reason');
  return {
    id: readText(row, 'id'),
    organisationId: readText(row, 'organisation'),
    tokenId: readText(row, 'token'),
    rights: readText(row, 'rights'),
    state: readOneOf(row, 'state', STATES),
    createdMs: readInteger(row, 'created'),
    updatedMs: readInteger(row, 'updated'),
    expiresMs: readOptionalInteger(row, 'expires'),
    // Only this file has written it.
    request: toRequest(readJson(row, 'request') as ExportedRequest | StreamRecordsRequest),
    format: readOneOf(row, 'format', EXPORT_FORMAT_KEYS),
    filenamePrefix: readText(row, 'filename_prefix'),
    limit: readInteger(row, 'row_limit'),
    keepMs: readOptionalInteger(row, 'keep'),
    rows: readInteger(row, 'rows'),
    rowsWritten: readInteger(row, 'rows_written'),
    claim: readOptionalText(row, 'claim'),
    node: row['node'] === undefined ? undefined : readText(row, 'node'),
    // Only this file has written it.
    files: readJson(row, 'files') as readonly WrittenFile[],
    failure:
      reason === undefined
        ? undefined
        : { reason: toReason(reason), message: readText(row, 'failure_message') },
  };
}

/** The first exports, all of records, had no kind. */
function toRequest(stored: ExportedRequest | StreamRecordsRequest): ExportedRequest {
  return 'kind' in stored ? stored : { kind: 'records', ...stored };
}

function readOneOf<Name extends string>(
  row: SqliteRow,
  column: string,
  names: readonly Name[],
): Name {
  const text = readText(row, column);
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new StoredValueError(`The database has an unknown value in column '${column}'.`);
}

/** A reason of a newer version is an internal error. */
function toReason(text: string): ErrorReason {
  // Object.keys of a closed record are its keys.
  const reasons = Object.keys(ERROR_TABLE) as readonly ErrorReason[];
  return reasons.find((reason) => reason === text) ?? 'INTERNAL';
}
