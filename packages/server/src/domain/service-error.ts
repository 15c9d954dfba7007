/** The gRPC status codes that this service uses. */
export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'FAILED_PRECONDITION'
  | 'RESOURCE_EXHAUSTED'
  | 'CANCELLED'
  | 'INTERNAL'
  | 'UNIMPLEMENTED'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED';

type ErrorRow = {
  readonly code: ErrorCode;
  readonly httpStatus: number;
  /** A short title, the same for every occurrence. */
  readonly title: string;
  /** The meaning and the action for the caller, for the reference page. */
  readonly meaning: string;
};

/** The table of all errors: reason → gRPC code, HTTP status, title and meaning. */
export const ERROR_TABLE = {
  MALFORMED_JSON: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'The body is not JSON',
    meaning: 'The body is not valid JSON. Send a JSON object in UTF-8, or no body at all.',
  },
  MALFORMED_MESSAGE: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Not a message of the call',
    meaning:
      'The bytes of a gRPC request are not a valid message of the call. Use a client generated from the .proto files.',
  },
  COMPRESSION_NOT_NAMED: {
    code: 'INTERNAL',
    httpStatus: 400,
    title: 'Compressed without an encoding',
    meaning:
      'The message of a gRPC call is flagged as compressed, but `grpc-encoding` names no encoding; gRPC demands this code. Name the encoding, or send the message uncompressed.',
  },
  UNSUPPORTED_COMPRESSION: {
    code: 'UNIMPLEMENTED',
    httpStatus: 415,
    title: 'Compression not supported',
    meaning:
      'The messages of a gRPC call use a compression that the service does not support. `grpc-accept-encoding` of the answer lists the supported ones.',
  },
  UNKNOWN_CALL: {
    code: 'UNIMPLEMENTED',
    httpStatus: 501,
    title: 'No such call',
    meaning:
      'The path of a gRPC request is not a call of the service. Reflection lists the services and their calls; the hint names the nearest one.',
  },
  UNKNOWN_REQUEST_FIELD: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Unknown field in the request',
    meaning:
      'The request has a field that the operation does not know; unknown fields are never ignored. The hint names the nearest known one.',
  },
  DUPLICATE_REQUEST_FIELD: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Duplicate request field',
    meaning:
      'The same field appears twice in one object of the request, or both in snake_case and in lowerCamelCase. Send it once.',
  },
  INVALID_REQUEST: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid request',
    meaning:
      'A field of the request is missing or has the wrong type or structure. `errors` lists them.',
  },
  INVALID_PAGE_SIZE: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid page size',
    meaning: 'The page size is negative. Leave it out for 100; at most 10,000 are returned.',
  },
  UNKNOWN_FIELD: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Unknown field of the dataset',
    meaning:
      'The dataset has no such field. getDataReference lists its fields; the hint names the nearest one.',
  },
  INVALID_FIELD: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid field selection',
    meaning:
      'A selected field is named twice, or its source is not the published source column. Name it once and leave the source out.',
  },
  UNSUPPORTED_OPERATOR: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Operator not supported by the field',
    meaning:
      'The operator is unknown or not among the supportedOperators of the field. The hint lists them.',
  },
  INVALID_FILTER_VALUE: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid value in a filter',
    meaning:
      'The value of a filter is missing, is given in the wrong member, or is not valid for the type of its field.',
  },
  BILLING_CONTEXT_MISSING: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'No billing context',
    meaning:
      'A request for metric values must name the organisation that is billed. Send the id of your own as billingContext.',
  },
  UNKNOWN_COMPONENT: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Unknown address component',
    meaning:
      'The layer or catalog has no such address component. GetLayer and ListAddressComponents list them; the hint names the nearest one.',
  },
  UNKNOWN_DIMENSION: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Unknown dimension',
    meaning:
      'The metric or catalog has no such dimension. GetMetric lists those of a metric; the hint names the nearest one.',
  },
  UNKNOWN_MEASURE: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Unknown measure',
    meaning:
      'The metric has no value of this name. GetMetric lists them; the hint names the nearest one.',
  },
  UNSUPPORTED_FILTER: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Filter not supported',
    meaning:
      'The metric or component does not support the filter: a free-form component, a related filter on a metric without a related layer, or a value filter on a category.',
  },
  INVALID_PERIOD: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid period',
    meaning: 'A day of a period does not exist, or the period ends before it starts.',
  },
  INVALID_BOUNDING_BOX: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid bounding box',
    meaning:
      'A degree is out of range or minLat is greater than maxLat. minLng greater than maxLng is allowed: such a box crosses the antimeridian.',
  },
  UNAVAILABLE_OPTION: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Option not available for the dataset',
    meaning: 'The dataset says `available: false` for this option. Leave the option out.',
  },
  INVALID_OPTION: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid option',
    meaning: 'The value of an option is not supported, or contradicts another option.',
  },
  INVALID_SEARCH_TERM: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid search term',
    meaning: 'The search term is not well-formed text. Send Unicode text, or leave it out.',
  },
  INVALID_AS_OF: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid asOf',
    meaning: 'asOf is neither a calendar date YYYY-MM-DD nor the name of a version.',
  },
  INVALID_PAGE_TOKEN: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid page token',
    meaning:
      'The page token was not made by this service or belongs to another request. Only the page size may change between pages: repeat the first request to start again.',
  },
  TOKEN_MISSING: {
    code: 'UNAUTHENTICATED',
    httpStatus: 401,
    title: 'No token',
    meaning: 'The request has no token. Send the header `Authorization: Bearer <token>`.',
  },
  TOKEN_INVALID: {
    code: 'UNAUTHENTICATED',
    httpStatus: 401,
    title: 'Token not accepted',
    meaning:
      'The token is unknown, expired or revoked. Ask the data owner for a new one; `locmetrics token create` creates tokens.',
  },
  ORGANISATION_SUSPENDED: {
    code: 'PERMISSION_DENIED',
    httpStatus: 403,
    title: 'Organisation suspended',
    meaning:
      'The token is valid, but the data owner has suspended its organisation; all its tokens are refused. Ask the data owner to resume it; `locmetrics org resume` does, and the same tokens work again.',
  },
  BILLING_CONTEXT_DENIED: {
    code: 'PERMISSION_DENIED',
    httpStatus: 403,
    title: 'Billing context not allowed',
    meaning:
      'The billing context is not the organisation of the token. Send the id of your own organisation.',
  },
  FILTER_NOT_ALLOWED: {
    code: 'PERMISSION_DENIED',
    httpStatus: 403,
    title: 'Filter outside the rights',
    meaning:
      'The rights of the organisation list the allowed values of a filter or ids of features, and the request names another one, whether it exists or not. GetMetric shows the list as your_lens; with bestEffortQueryWhenNotAllowed the answer contains the allowed part.',
  },
  SIGN_IN_CODE_INVALID: {
    code: 'UNAUTHENTICATED',
    httpStatus: 401,
    title: 'Sign-in code not accepted',
    meaning:
      'The code of a sign-in link was used, has expired, or never existed. Make a new link with `locmetrics explore`, or sign in with a token.',
  },
  SIGN_IN_NOT_LOCAL: {
    code: 'PERMISSION_DENIED',
    httpStatus: 403,
    title: 'Sign-in from another machine',
    meaning:
      'A sign-in link works only in a browser on the machine of the service, without a proxy between. Its code was not used. Sign in with a token instead.',
  },
  SCOPE_MISSING: {
    code: 'PERMISSION_DENIED',
    httpStatus: 403,
    title: 'Scope missing',
    meaning:
      'The token is valid, but lacks the scope that the detail names. Ask the data owner for a token with this scope; `locmetrics token create --scope` sets the scopes.',
  },
  DATA_REFERENCE_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such data reference',
    meaning:
      'No dataset of this name is visible to the caller. listDataReferences lists those that are.',
  },
  CATALOG_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such catalog',
    meaning:
      'No catalog of this id is visible to the caller. `GET /v1/catalogs` lists those that are, over gRPC ListCatalogs.',
  },
  METRIC_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such metric',
    meaning:
      'The catalog has no metric of this id that is visible to the caller. `GET /v1/catalogs/{catalogId}/metrics` lists those that are, over gRPC ListMetrics.',
  },
  LAYER_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such layer',
    meaning:
      'No metric of the catalog that is visible to the caller has a layer of this id. The description of a metric names its layer: `GET /v1/catalogs/{catalogId}/metrics/{metricId}`, over gRPC GetMetric.',
  },
  VERSION_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such version',
    meaning:
      'The version, or the one that was current on the date, does not exist or is no longer kept.',
  },
  ORGANISATION_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such organisation',
    meaning:
      'A request to the admin interface names an organisation that does not exist. The hint names the nearest id.',
  },
  TOKEN_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such token',
    meaning:
      'A request to the admin interface names a token that does not exist. The hint names the nearest id.',
  },
  GRANT_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such grant',
    meaning:
      'A request to the admin interface names a grant that does not exist. The hint names the nearest id.',
  },
  INVALID_GRANT: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid grant',
    meaning:
      'The pattern of a grant is not valid, or the grant narrows something that its pattern does not match. `errors` lists the problems.',
  },
  INVALID_LIMIT: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Invalid limit',
    meaning:
      'A limit of an organisation is negative, too large or not a whole number, or requires another limit.',
  },
  ORGANISATION_EXISTS: {
    code: 'ALREADY_EXISTS',
    httpStatus: 409,
    title: 'The organisation already exists',
    meaning: 'An organisation with this id already exists. Choose another id, or leave it out.',
  },
  GRANT_EXISTS: {
    code: 'ALREADY_EXISTS',
    httpStatus: 409,
    title: 'The grant already exists',
    meaning:
      'The organisation already has a grant with the same pattern for overlapping days. Remove it first, or choose other days.',
  },
  OWN_ORGANISATION: {
    code: 'FAILED_PRECONDITION',
    httpStatus: 409,
    title: 'An organisation cannot suspend itself',
    meaning:
      'A request to the admin interface would suspend the organisation of its own token, and no token could resume it. On the machine of the service, `locmetrics org suspend` can.',
  },
  SWITCH_REFUSED: {
    code: 'FAILED_PRECONDITION',
    httpStatus: 409,
    title: 'The switch of versions is refused',
    meaning:
      'A request to the admin interface would switch to a version that is damaged, does not fit the other datasets, or takes from grants what they name; or there is none to switch to. Nothing was switched; the detail says why.',
  },
  TOKEN_ENDED: {
    code: 'FAILED_PRECONDITION',
    httpStatus: 409,
    title: 'The token has ended',
    meaning:
      'A token that is revoked, expired or already replaced cannot be rotated. The hint says what to do instead.',
  },
  CONTROL_STORE_LOCKED: {
    code: 'UNAVAILABLE',
    httpStatus: 503,
    title: 'The control store is locked',
    meaning:
      'Another process locked the control store for longer than the lock timeout. Nothing was changed; try again.',
  },
  CONTROL_STORE_UNUSABLE: {
    code: 'UNAVAILABLE',
    httpStatus: 503,
    title: 'The control store cannot be used',
    meaning:
      'The file of tokens and grants is missing or damaged, or is being replaced: the detail says which. No token can be checked until it is back. Try again after a second.',
  },
  DISK_FULL: {
    code: 'UNAVAILABLE',
    httpStatus: 503,
    title: 'The disk is full',
    meaning:
      'The admin interface could not make a change, because the disk of the data directory is full. Nothing was changed. Free some space; tokens can still be revoked, grants removed and organisations suspended.',
  },
  ROUTE_NOT_FOUND: {
    code: 'NOT_FOUND',
    httpStatus: 404,
    title: 'No such path',
    meaning: 'The service has no resource at this path. /openapi.json lists all paths.',
  },
  METHOD_NOT_ALLOWED: {
    code: 'UNIMPLEMENTED',
    httpStatus: 405,
    title: 'Method not allowed',
    meaning:
      'The path exists, but not with this method; gRPC has only POST. The header `Allow` lists the methods.',
  },
  MALFORMED_HTTP: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 400,
    title: 'Not an HTTP request',
    meaning:
      'The bytes are not an HTTP/1.1 request: perhaps TLS or HTTP/2 was sent to the plaintext port. Or the header `Host` is missing or invalid, or `Host` or `Authorization` appears twice. Send HTTP/1.1, with each of them once.',
  },
  REQUEST_TIMEOUT: {
    code: 'DEADLINE_EXCEEDED',
    httpStatus: 408,
    title: 'The request did not arrive in time',
    meaning:
      'The request did not arrive in time. Its head must arrive within 10 seconds, and the whole request within 30. Send it faster, or in smaller parts.',
  },
  HEADERS_TOO_LARGE: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 431,
    title: 'The headers are too large',
    meaning:
      'The address and the headers, or the metadata of a gRPC call, are larger than 16 KiB together. Send fewer of them.',
  },
  BODY_TOO_LARGE: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 413,
    title: 'The body is too large',
    meaning:
      'The body, or the message of a gRPC call, is larger than 1 MiB. Split the values of a long filter over several requests.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 415,
    title: 'Media type not supported',
    meaning:
      'The body is not declared as JSON, or a gRPC call not as gRPC. Send the header `Content-Type: application/json`, or `application/grpc` with gRPC.',
  },
  NOT_ACCEPTABLE: {
    code: 'INVALID_ARGUMENT',
    httpStatus: 406,
    title: 'No acceptable encoding',
    meaning:
      'The header `Accept-Encoding` excludes every supported encoding, and the uncompressed answer too. Leave it out, or include zstd, br, gzip or identity.',
  },
  PAGE_TOKEN_EXPIRED: {
    code: 'FAILED_PRECONDITION',
    httpStatus: 400,
    title: 'The page token has expired',
    meaning:
      'The data version of the first page is no longer kept, or the rights of the caller changed. Repeat the first request to start again.',
  },
  LIMIT_EXCEEDED: {
    code: 'RESOURCE_EXHAUSTED',
    httpStatus: 429,
    title: 'A limit of the organisation is reached',
    meaning:
      'The organisation of the token has reached a limit: of requests a second, of requests at the same time, or of rows in a day or month (UTC). The message names the limit, and `Retry-After` is the time to wait. If an answer has more rows than are left, ask for a smaller page.',
  },
  CANCELLED: {
    code: 'CANCELLED',
    httpStatus: 499,
    title: 'Cancelled by the caller',
    meaning:
      'The caller cancelled the request or disconnected before the answer was ready, and the query was stopped; or the caller did not read the answer in time.',
  },
  DEADLINE_EXCEEDED: {
    code: 'DEADLINE_EXCEEDED',
    httpStatus: 504,
    title: 'The request took too long',
    meaning: 'The query was stopped at its deadline. Narrow the filters or ask for fewer fields.',
  },
  OVERLOADED: {
    code: 'UNAVAILABLE',
    httpStatus: 503,
    title: 'The service is overloaded',
    meaning: 'Too many requests are queued. Try again after a second.',
  },
  USAGE_NOT_RECORDED: {
    code: 'UNAVAILABLE',
    httpStatus: 503,
    title: 'Usage cannot be recorded',
    meaning:
      'The usage of the request could not be recorded, and a request is only answered if its usage is recorded. Try again after a second; the operator finds the cause in the log of the service.',
  },
  NOT_READY: {
    code: 'UNAVAILABLE',
    httpStatus: 503,
    title: 'Not ready',
    meaning:
      'The service is starting or shutting down, or a part of it does not respond: the detail says which. Try again after a second.',
  },
  INTERNAL: {
    code: 'INTERNAL',
    httpStatus: 500,
    title: 'Internal error',
    meaning: 'The service failed. Report the requestId to the operator of the service.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorReason = keyof typeof ERROR_TABLE;

/** An invalid part of the input: a JSON pointer into the request, and the problem. */
export type ErrorDetail = { readonly pointer: string; readonly detail: string };

/**
 * The only error that callers see.
 *
 * - `message`: what happened, with the value that caused it; a whole sentence.
 * - `hint`: the action to take.
 * - `details`: the invalid parts of the input.
 * - `limit`: the name of the limit of the organisation that was reached, for programs.
 * - `cause`: for the log of the operator, never for the caller.
 */
export class ServiceError extends Error {
  readonly reason: ErrorReason;
  readonly hint: string;
  readonly details: readonly ErrorDetail[];
  readonly limit: string | undefined;
  readonly #retryAfterSeconds: number | undefined;

  constructor(
    reason: ErrorReason,
    message: string,
    options: {
      readonly hint?: string;
      readonly details?: readonly ErrorDetail[];
      readonly limit?: string;
      /** Default: depends on the reason. */
      readonly retryAfterSeconds?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.reason = reason;
    this.hint = options.hint ?? '';
    this.details = options.details ?? [];
    this.limit = options.limit;
    this.#retryAfterSeconds = options.retryAfterSeconds;
  }

  get code(): ErrorCode {
    return ERROR_TABLE[this.reason].code;
  }

  get httpStatus(): number {
    return ERROR_TABLE[this.reason].httpStatus;
  }

  get title(): string {
    return ERROR_TABLE[this.reason].title;
  }

  /** The time to wait before a retry; undefined if a retry does not help. */
  get retryAfterSeconds(): number | undefined {
    return this.#retryAfterSeconds ?? (this.code === 'UNAVAILABLE' ? 1 : undefined);
  }

  /** An error about one part of the input. */
  static atPointer(
    reason: ErrorReason,
    pointer: string,
    message: string,
    hint: string,
  ): ServiceError {
    return new ServiceError(reason, message, { hint, details: [{ pointer, detail: message }] });
  }

  /** The error itself if it is a ServiceError, else an internal error with it as the cause. */
  static from(error: unknown): ServiceError {
    return error instanceof ServiceError
      ? error
      : new ServiceError('INTERNAL', 'The service failed to answer.', {
          hint: 'Try again. If the error persists, report the requestId to the operator of the service.',
          cause: error,
        });
  }
}
