import type { Problem } from '@locmetrics/contract';
import type { ErrorDetail, ServiceError } from '@locmetrics/core/errors/service-error';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/**
 * The problem document (RFC 9457) of an error. The cause is only for the log.
 *
 * The `type` is a URN, because the service has no fixed address to link to.
 */
export function toProblem(
  error: ServiceError,
  request: {
    readonly path: string;
    readonly requestId: string;
    /** The error's details with the pointers as the caller wrote them. */
    readonly details: readonly ErrorDetail[];
  },
): Problem {
  return {
    type: `urn:locmetrics:problem:${error.reason}`,
    title: error.title,
    status: error.httpStatus,
    detail: cut(error.message),
    instance: request.path,
    code: error.code,
    reason: error.reason,
    ...(error.hint === '' ? {} : { hint: error.hint }),
    ...(request.details.length === 0 ? {} : { errors: request.details.map(cutDetail) }),
    ...(error.limit === undefined ? {} : { limit: error.limit }),
    requestId: request.requestId,
  };
}

/** Messages quote input of the caller, which can be up to 1 MiB long. */
const TEXT_LENGTH_MAX = 1000;

function cutDetail({ pointer, detail }: ErrorDetail): ErrorDetail {
  return { pointer: cut(pointer), detail: cut(detail) };
}

function cut(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX)}…`;
}
