import { Code, type ConnectError } from '@connectrpc/connect';
import {
  ConnectionError,
  type LocmetricsError,
  PageTokenExpiredError,
  ServiceError,
  UnexpectedAnswerError,
} from '../../errors.ts';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from '../../generated/messages/google/rpc/error_details_pb.js';

const DOMAIN = 'locmetrics';

/** The error of a call, as the client over HTTP throws it. */
export function toClientError(error: ConnectError, baseUrl: string): LocmetricsError {
  const [info] = error.findDetails(ErrorInfoSchema);
  if (info?.domain === DOMAIN) return toServiceError(error, info);
  if (isConnectionLost(error) || isOfNode(error.cause)) {
    return new ConnectionError(`gRPC at ${baseUrl} got no answer: ${error.rawMessage.trim()}.`, {
      cause: error.cause ?? error,
    });
  }
  return new UnexpectedAnswerError(
    `The answer with code ${codeName(error.code)} is not from Locmetrics: ${error.rawMessage}. Check that the url of the client is the gRPC address, and check any proxy in between.`,
    undefined,
  );
}

/**
 * Whether the connection could not be opened, or broke. Connect has three codes for that; a request that the caller
 * cancelled does not come here.
 */
export function isConnectionLost({ code }: ConnectError): boolean {
  return code === Code.Unavailable || code === Code.Aborted || code === Code.Canceled;
}

function toServiceError(
  error: ConnectError,
  { reason, metadata }: { readonly reason: string; readonly metadata: { [key: string]: string } },
): ServiceError {
  const hint = metadata['hint'] ?? '';
  const [request] = error.findDetails(BadRequestSchema);
  const [quota] = error.findDetails(QuotaFailureSchema);
  const [retry] = error.findDetails(RetryInfoSchema);
  const ofReason = reason === 'PAGE_TOKEN_EXPIRED' ? PageTokenExpiredError : ServiceError;
  return new ofReason(
    {
      status: undefined,
      code: codeName(error.code),
      reason,
      detail: withoutHint(error.rawMessage, hint),
      hint,
      errors: request?.fieldViolations.map(({ field, description }) => ({
        pointer: toPointer(field),
        detail: description,
      })),
      limit: quota?.violations[0]?.subject,
      requestId: metadata['requestId'] ?? error.metadata.get('x-request-id') ?? '',
    },
    retry?.retryDelay === undefined ? undefined : Number(retry.retryDelay.seconds) * 1000,
  );
}

/** The message of a status ends with the hint, unless it was cut. */
function withoutHint(message: string, hint: string): string {
  return hint !== '' && message.endsWith(` ${hint}`) ? message.slice(0, -hint.length - 1) : message;
}

/** Converts `filters[0].field_name`, as named in the .proto files, to `/filters/0/fieldName`. */
function toPointer(field: string): string {
  return field
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .map((part) => `/${part.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}`)
    .join('');
}

/** The name of gRPC, such as `INVALID_ARGUMENT`. */
function codeName(code: Code): string {
  // Connect spells it with one L.
  if (code === Code.Canceled) return 'CANCELLED';
  return Code[code].replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Whether a connection failed, such as with ECONNREFUSED or because its certificate is not trusted. */
function isOfNode(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
}
