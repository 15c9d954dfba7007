import { ERROR_TABLE } from '@locmetrics/core/errors/service-error';
import type { DescribedRoute } from './collect-routes.ts';
import type { JsonSchema, OpenApiObject } from './json-schema.ts';

/** The statuses that a route can refuse a request with, in ascending order. */
export function refusalsOf({
  method,
  path,
  isPublic,
  openapi,
}: DescribedRoute): readonly RefusalStatus[] {
  const statuses: readonly RefusalStatus[] = [
    ...EVERYWHERE,
    ...(method === 'get' ? [] : ([413] as const)),
    // Limits do not apply to the admin interface, nor to callers that are not known yet.
    ...(isPublic || path.startsWith('/v1/admin/') ? [] : ([429] as const)),
    ...openapi.refusals,
  ];
  return statuses.toSorted((one, other) => one - other);
}

export function referToRefusal(status: RefusalStatus): OpenApiObject {
  return { $ref: `#/components/responses/${RESPONSES[status].name}` };
}

/** The responses that routes refer to, by their names. */
export function describeRefusals(
  problem: JsonSchema,
  exampleOf: (status: string) => unknown,
): OpenApiObject {
  return Object.fromEntries(
    Object.entries(RESPONSES).map(([status, { name, description, ...rest }]) => {
      const example = exampleOf(status);
      const reasons = reasonsOf(Number(status));
      const response = {
        description: `${description} \`reason\` is ${reasons.join(', ')}.`,
        headers: { 'X-Request-Id': REQUEST_ID, ...('headers' in rest ? rest.headers : {}) },
        content: {
          'application/problem+json': {
            schema: problem,
            ...(example === undefined ? {} : { example }),
          },
        },
      };
      return [name, response];
    }),
  );
}

export const REQUEST_ID = {
  required: true,
  description: 'The id of the request: that of its header X-Request-Id, or a new one.',
  schema: { type: 'string' },
} as const;

const RETRY_AFTER = {
  required: true,
  description: 'The seconds to wait before a retry.',
  schema: { type: 'integer' },
} as const;

const RESPONSES = {
  400: { name: 'BadRequest', description: 'The request is not valid.' },
  401: {
    name: 'Unauthenticated',
    description: 'The request has no token, or one that is not accepted.',
    headers: {
      'WWW-Authenticate': {
        required: true,
        description: 'RFC 6750: the scheme, and the problem with the token.',
        schema: { type: 'string' },
      },
    },
  },
  403: { name: 'Forbidden', description: 'The token may not be used for this request.' },
  404: {
    name: 'NotFound',
    description:
      'Something that the request names does not exist, or is not visible to the caller.',
  },
  406: {
    name: 'NotAcceptable',
    description: 'The request does not accept the media type or an encoding of the answer.',
  },
  408: { name: 'RequestTimeout', description: 'The request did not arrive in time.' },
  409: { name: 'Conflict', description: 'The request contradicts what exists.' },
  413: { name: 'BodyTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not declared as JSON in UTF-8.' },
  429: {
    name: 'TooManyRequests',
    description: 'A limit of the organisation is reached.',
    headers: {
      'Retry-After': {
        ...RETRY_AFTER,
        required: false,
        description: `${RETRY_AFTER.description} Absent where waiting does not help.`,
      },
    },
  },
  431: { name: 'HeadersTooLarge', description: 'The URL and the headers are too large.' },
  500: { name: 'InternalError', description: 'The service failed.' },
  503: {
    name: 'Unavailable',
    description: 'The service cannot answer now.',
    headers: { 'Retry-After': RETRY_AFTER },
  },
  504: { name: 'DeadlineExceeded', description: 'The query took too long.' },
} as const;

type RefusalStatus = keyof typeof RESPONSES;

const EVERYWHERE = [400, 401, 403, 406, 408, 415, 431, 500, 503] as const;

/** The reasons that apply to HTTP, which has no protobuf message. */
function reasonsOf(status: number): readonly string[] {
  return Object.entries(ERROR_TABLE)
    .filter(([reason, row]) => row.httpStatus === status && reason !== 'MALFORMED_MESSAGE')
    .map(([reason]) => `\`${reason}\``);
}
