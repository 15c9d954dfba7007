import type { OutgoingHttpHeaders } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { rpc } from '@locmetrics/contract/grpc';
import type { ErrorCode, ErrorDetail, ServiceError } from '@locmetrics/core/errors/service-error';
import { cutText } from './cut-text.ts';

export const REQUEST_ID_KEY = 'x-request-id';
const DOMAIN = 'locmetrics';

/**
 * The status of a call that ends with an error, as trailers. Only the log gets the cause.
 *
 * Some clients refuse trailers of more than 8 KiB, and each text may quote what the caller sent. So each
 * text is cut, by its size on the wire.
 */
export function errorTrailers(error: ServiceError, requestId: string): OutgoingHttpHeaders {
  const code = STATUS_CODES[error.code];
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
  const status = toBinary(rpc.StatusSchema, create(rpc.StatusSchema, { code, message, details }));
  return {
    'grpc-status': code,
    'grpc-message': encodeURI(message),
    [REQUEST_ID_KEY]: requestId,
    'grpc-status-details-bin': Buffer.from(status).toString('base64'),
  };
}

/** https://github.com/grpc/grpc/blob/master/doc/statuscodes.md */
export const STATUS_CODES: Readonly<Record<ErrorCode, number>> = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
};

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
