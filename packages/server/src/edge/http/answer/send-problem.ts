import type { ServiceError } from '@locmetrics/core/errors/service-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observe } from '../../../observe/observation.ts';
import { observeError } from '../../../service/queries/observe-error.ts';
import { toWrittenPointers } from '../request/read-spelling.ts';
import { stateOf } from '../request/request-state.ts';
import { challengeOf } from './challenge.ts';
import { PROBLEM_MEDIA_TYPE, toProblem } from './to-problem.ts';

export type SendProblem = (
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
) => void;

/** Answers a request with an error and observes it. */
export function problemSender(observe: Observe): SendProblem {
  return (error, request, reply) => {
    observeError(observe, error, request.id);
    stateOf(request).reason = error.reason;
    const challenge = challengeOf(error);
    if (challenge !== undefined) reply.header('www-authenticate', challenge);
    if (error.reason === 'UNSUPPORTED_MEDIA_TYPE') {
      for (const [name, value] of acceptedBody(request.headers)) reply.header(name, value);
    }
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    const details = toWrittenPointers(error.details, stateOf(request).writtenPointers);
    const problem = toProblem(error, {
      path: calledPathOf(request),
      requestId: request.id,
      details,
    });
    reply.code(error.httpStatus).type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem));
  };
}

/** The accepted form of a refused body (RFC 9110 § 15.5.16): not coded, or else JSON. */
function acceptedBody(
  headers: FastifyRequest['headers'],
): readonly (readonly [name: string, value: string])[] {
  const { 'content-encoding': coding = 'identity' } = headers;
  return coding.toLowerCase() === 'identity'
    ? [['accept', 'application/json']]
    : [['accept-encoding', 'identity']];
}

/** The path that the caller used, without the query, which can contain any text. */
export function calledPathOf(request: FastifyRequest): string {
  return `${stateOf(request).pathPrefix}${pathOf(request)}`;
}

/** The path of the route, without the prefix that a proxy or the base path adds. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '';
}
