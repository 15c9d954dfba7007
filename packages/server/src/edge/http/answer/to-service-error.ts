import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { sizeText } from '@locmetrics/core/errors/size-text';
import type { FastifyError } from 'fastify';
import type { HttpLimits } from '../http-limits.ts';
import { toInvalidRequest } from '../request/validation-error.ts';

/** Converts an error of Fastify or a handler to a ServiceError. */
export function toServiceError(
  error: FastifyError,
  { bodyMaxBytes }: Pick<HttpLimits, 'bodyMaxBytes'>,
): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof ControlError) return error.toServiceError();
  if (error.validation !== undefined) return toInvalidRequest(error.validation);
  if (REFUSED_PATHS.has(error.name)) return malformedPath();
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError(
        'BODY_TOO_LARGE',
        `The body is larger than ${sizeText(bodyMaxBytes)}.`,
        { hint: 'Split a long list of values over several requests.' },
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body is not declared as JSON.', {
        hint: 'Send the header Content-Type: application/json.',
      });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ServiceError(
        'MALFORMED_JSON',
        'The length of the body differs from Content-Length.',
        { hint: 'Leave Content-Length to the HTTP library.' },
      );
    // A path with `..`, a backslash or a null byte below the address of a file.
    case 'FST_STATIC_FORBIDDEN_PATH':
    case 'FST_ERR_BAD_URL':
      return malformedPath();
    case 'ECONNRESET':
    case 'ECONNABORTED':
      return new ServiceError('CANCELLED', 'The caller disconnected before the body was complete.');
    default:
      return ServiceError.from(error);
  }
}

/** The errors of the plugin of files for paths that it finds malformed itself; they have no code. */
const REFUSED_PATHS: ReadonlySet<string> = new Set(['BadRequestError', 'ForbiddenError']);

function malformedPath(): ServiceError {
  return new ServiceError('ROUTE_NOT_FOUND', 'The path of the URL is malformed.', {
    hint: '/openapi.json lists the paths.',
  });
}
