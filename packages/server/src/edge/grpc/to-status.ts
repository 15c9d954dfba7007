import { create, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { Metadata, status as STATUS_CODES, type StatusObject } from '@grpc/grpc-js';
import { rpc } from '@locmetrics/contract/grpc';
import type { ErrorDetail, ServiceError } from '../../domain/service-error.ts';
import { cutText } from './cut-text.ts';

export const REQUEST_ID_KEY = 'x-request-id';
export const DETAILS_KEY = 'grpc-status-details-bin';
const DOMAIN = 'locmetrics';

/**
 * The status of a call that ends with an error. Only the log gets the cause.
 *
 * Some clients refuse trailers of more than 8 KiB, and each text may quote what the caller sent. So each
 * text is cut, by its size on the wire.
 */
export function toStatus(
  error: ServiceError,
  requestId: string,
): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const code = STATUS_CODES[error.code];
  const metadata = new Metadata();
  metadata.set(REQUEST_ID_KEY, requestId);
  const details = [
    anyPack(rpc.ErrorInfoSchema, toErrorInfo(error, requestId)),
    ...(error.details.length === 0
      ? []
      : [anyPack(rpc.BadRequestSchema, toBadRequest(error.details))]),
    ...(error.limit === undefined
      ? []
      : [anyPack(rpc.QuotaFailureSchema, toQuotaFailure(error.limit, error.message))]),
    ...(error.retryAfterSeconds === undefined
      ? []
      : [anyPack(rpc.RetryInfoSchema, toRetryInfo(error.retryAfterSeconds))]),
  ];
  // The Python library refuses details whose message differs from that of the status.
  const message = cutText(`${error.message} ${error.hint}`.trim(), MESSAGE_MAX);
  const status = create(rpc.StatusSchema, { code, message, details });
  metadata.set(DETAILS_KEY, Buffer.from(toBinary(rpc.StatusSchema, status)));
  return { code, details: message, metadata };
}

/** Together about 4 KB, including the third that Base64 adds to the details. */
const MESSAGE_MAX = { characters: 1000, bytes: 1200 };
const HINT_MAX = { characters: 200, bytes: 300 };
const VIOLATIONS_MAX = 3;
const VIOLATION_FIELD_MAX = { characters: 100, bytes: 100 };
const VIOLATION_TEXT_MAX = { characters: 200, bytes: 200 };

function toErrorInfo({ reason, hint }: ServiceError, requestId: string) {
  return create(rpc.ErrorInfoSchema, {
    reason,
    domain: DOMAIN,
    metadata: { requestId, ...(hint === '' ? {} : { hint: cutText(hint, HINT_MAX) }) },
  });
}

function toBadRequest(details: readonly ErrorDetail[]) {
  return create(rpc.BadRequestSchema, {
    fieldViolations: details.slice(0, VIOLATIONS_MAX).map(({ pointer, detail }) => ({
      field: cutText(toFieldPath(pointer), VIOLATION_FIELD_MAX),
      description: cutText(detail, VIOLATION_TEXT_MAX),
    })),
  });
}

function toQuotaFailure(limit: string, message: string) {
  return create(rpc.QuotaFailureSchema, {
    violations: [{ subject: limit, description: cutText(message, VIOLATION_TEXT_MAX) }],
  });
}

function toRetryInfo(seconds: number) {
  return create(rpc.RetryInfoSchema, { retryDelay: { seconds: BigInt(seconds) } });
}

/** Converts `/filters/0/fieldName` to `filters[0].field_name`, as named in the .proto files. */
function toFieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => (/^[0-9]+$/.test(part) ? `[${part}]` : `.${toSnakeCase(part)}`))
    .join('')
    .replace(/^\./, '');
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
