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

/** Makes rows with a gRPC code and an HTTP status. */
function rowOf(code: ErrorCode, httpStatus: number) {
  return (title: string, meaning: string): ErrorRow => ({ code, httpStatus, title, meaning });
}

const invalid = rowOf('INVALID_ARGUMENT', 400);
const unauthenticated = rowOf('UNAUTHENTICATED', 401);
const denied = rowOf('PERMISSION_DENIED', 403);
const notFound = rowOf('NOT_FOUND', 404);
const conflict = rowOf('FAILED_PRECONDITION', 409);
const unavailable = rowOf('UNAVAILABLE', 503);

/** The table of all errors: reason → gRPC code, HTTP status, title and meaning. */
export const ERROR_TABLE = {
  MALFORMED_JSON: invalid(
    'The body is not JSON',
    'The body is not valid JSON. Send a JSON object in UTF-8, or no body at all.',
  ),
  MALFORMED_MESSAGE: invalid(
    'Not a message of the call',
    'The bytes of a gRPC request are not a valid message of the call. Use a client generated from the .proto files.',
  ),
  COMPRESSION_NOT_NAMED: rowOf('INTERNAL', 400)(
    'Compressed without an encoding',
    'The message of a gRPC call is flagged as compressed, but `grpc-encoding` names no encoding; the gRPC specification requires this code. Name the encoding, or send the message uncompressed.',
  ),
  UNSUPPORTED_COMPRESSION: rowOf('UNIMPLEMENTED', 415)(
    'Compression not supported',
    'The messages of a gRPC call use a compression that the service does not support. `grpc-accept-encoding` of the response lists the supported compressions.',
  ),
  UNKNOWN_CALL: rowOf('UNIMPLEMENTED', 501)(
    'No such call',
    'The path of a gRPC request is not a call of the service, or is one that it does not serve yet. Reflection lists the services and their calls; the hint names the nearest one, or what to do instead.',
  ),
  UNKNOWN_REQUEST_FIELD: invalid(
    'Unknown field in the request',
    'The request has a field that the operation does not know or does not serve yet; unknown fields are never ignored. The hint names the nearest known one, or what to do instead.',
  ),
  DUPLICATE_REQUEST_FIELD: invalid(
    'Duplicate request field',
    'The same field appears twice in one object of the request, or both in snake_case and in lowerCamelCase. Send it once.',
  ),
  INVALID_REQUEST: invalid(
    'Invalid request',
    'A field of the request is missing, or has the wrong type or structure. `errors` lists these fields.',
  ),
  INVALID_PAGE_SIZE: invalid(
    'Invalid page size',
    'The page size is negative. Leave it out for 100; at most 10,000 are returned.',
  ),
  UNKNOWN_FIELD: invalid(
    'Unknown field of the dataset',
    'The dataset has no such field. getDataReference lists its fields; the hint names the nearest one.',
  ),
  INVALID_FIELD: invalid(
    'Invalid field selection',
    'A selected field is named twice, or its source is not the published source column. Name it once and leave the source out.',
  ),
  UNSUPPORTED_OPERATOR: invalid(
    'Operator not supported by the field',
    'The operator is unknown or not among the supportedOperators of the field. The hint lists them.',
  ),
  INVALID_FILTER_VALUE: invalid(
    'Invalid value in a filter',
    'The value of a filter is missing, is given in the wrong member, or is not valid for the type of its field.',
  ),
  INVALID_AGGREGATION: invalid(
    'Invalid aggregation',
    'A field of a request for groups is neither grouped by nor aggregated, or its type does not support the aggregation or the bucket.',
  ),
  NOT_ADDITIVE: invalid(
    'Values cannot be added up',
    'A request for groups or map tiles has a sum of values that cannot be added up over periods or places, or computes aggregates over totals together with their parts. Ask for MAX, MEDIAN or AVG, in tiles for mean, or group by or filter on the field that the hint names.',
  ),
  TOO_MANY_GROUPS: rowOf('RESOURCE_EXHAUSTED', 429)(
    'Too many groups',
    'The records have more than 1,000,000 groups, or statistics more than 100,000 dates. Filter the records, or group by fewer fields or longer periods.',
  ),
  INVALID_EXPORT: invalid(
    'Invalid export',
    'The prefix of the file names, the limit or the time to keep the files of an export is not valid.',
  ),
  EXPORT_DESTINATION_UNSUPPORTED: rowOf('UNIMPLEMENTED', 501)(
    'Destination not supported',
    'Exports are written to files, not to BigQuery. Leave bigqueryConfig out, and load the files.',
  ),
  EXPORTS_OFF: rowOf('UNIMPLEMENTED', 501)(
    'Exports are turned off',
    'The service writes no exports: the operator has set their space to 0, or it is one of several nodes and has no --node-url. Get the whole result as a stream.',
  ),
  TOO_MANY_RECORDS: rowOf('RESOURCE_EXHAUSTED', 429)(
    'Too many records for an export',
    'The request matches more than 100,000,000 records. Filter them, or send a limit.',
  ),
  TOO_MANY_EXPORTS: rowOf('RESOURCE_EXHAUSTED', 429)(
    'Too many exports that have not ended',
    'The organisation has as many waiting and running exports as it may have. Wait until one has ended, or delete one.',
  ),
  EXPORT_SPACE_EXHAUSTED: rowOf('RESOURCE_EXHAUSTED', 429)(
    'No space for exports',
    'The files of all exports take the space that the operator has set (`--export-space`). Delete exports that you no longer need, or get the records as a stream.',
  ),
  EXPORT_ENDED: conflict(
    'The export has ended',
    'The token of the export was revoked or has expired, or its rights have changed. Create another export.',
  ),
  STATISTICS_UNAVAILABLE: rowOf('FAILED_PRECONDITION', 400)(
    'No statistics of the dataset',
    'Statistics count the places of each observation date, but the records of the dataset have no period or no place, or you may not see them. List the records, or group them by other fields.',
  ),
  INVALID_FILTER_LOGIC: invalid(
    'Invalid filter logic',
    'filterLogic is not an expression of the filters, such as `$0 AND ($1 OR NOT $2)`, or does not use all of them. The message names the position.',
  ),
  BILLING_CONTEXT_MISSING: invalid(
    'No billing context',
    'A request for metric values must name the organisation that is billed. Send the id of your organisation as billingContext.',
  ),
  UNKNOWN_COMPONENT: invalid(
    'Unknown address component',
    'The layer or catalog has no such address component. GetLayer and ListAddressComponents list them; the hint names the nearest one.',
  ),
  UNKNOWN_DIMENSION: invalid(
    'Unknown dimension',
    'The metric or catalog has no such dimension. GetMetric lists those of a metric; the hint names the nearest one.',
  ),
  UNKNOWN_MEASURE: invalid(
    'Unknown measure',
    'The metric has no value of this name. GetMetric lists them; the hint names the nearest one.',
  ),
  UNSUPPORTED_FILTER: invalid(
    'Filter not supported',
    'The metric or component does not support the filter: a free-form component, a related filter on a metric without a related layer, or a value filter on a category.',
  ),
  INVALID_PERIOD: invalid(
    'Invalid period',
    'A day of a period does not exist, or the period ends before it starts.',
  ),
  INVALID_BOUNDING_BOX: invalid(
    'Invalid bounding box',
    'A degree is out of range or minLat is greater than maxLat. minLng greater than maxLng is allowed: such a box crosses the antimeridian.',
  ),
  INVALID_POLYGON: invalid(
    'Invalid polygon',
    'A polygon is one ring of 4 to 500 points in degrees, of which the last repeats the first. Its edges do not cross or touch each other, and it does not go around a pole. The message names the point.',
  ),
  INVALID_CIRCLE: invalid(
    'Invalid circle',
    'A circle has a centre in degrees and a radius in metres, greater than 0 and up to half the circumference of the earth: 20,015,115. The centre of `near` is checked in the same way.',
  ),
  UNAVAILABLE_OPTION: invalid(
    'Option not available for the dataset',
    'The option is not available for this dataset (`available: false`). Leave it out. For `circle` and `near`, the owner of the data may have to publish the dataset again.',
  ),
  INVALID_OPTION: invalid(
    'Invalid option',
    'The value of an option is not supported, or contradicts another option.',
  ),
  INVALID_SEARCH_TERM: invalid(
    'Invalid search term',
    'The search term is not well-formed text. Send Unicode text, or leave it out.',
  ),
  INVALID_AS_OF: invalid(
    'Invalid asOf',
    'asOf is neither a calendar date YYYY-MM-DD nor the name of a version.',
  ),
  INVALID_PAGE_TOKEN: invalid(
    'Invalid page token',
    'The page token was not made by this service or belongs to another request. Only the page size may change between pages: repeat the first request to start again.',
  ),
  TOKEN_MISSING: unauthenticated(
    'No token',
    'The request has no token. Send the header `Authorization: Bearer <token>`.',
  ),
  TOKEN_INVALID: unauthenticated(
    'Token not accepted',
    'The token is unknown or revoked. Ask the data owner for a new one; `locmetrics token create` creates tokens.',
  ),
  TOKEN_EXPIRED: unauthenticated(
    'Token expired',
    'The token has expired; the detail says when. Ask the data owner for a new one; `locmetrics token create` and `locmetrics token rotate` create tokens.',
  ),
  ORGANISATION_SUSPENDED: denied(
    'Organisation suspended',
    'The token is valid, but the data owner has suspended its organisation; all its tokens are refused. Ask the data owner to resume it; `locmetrics org resume` does, and the same tokens work again.',
  ),
  BILLING_CONTEXT_DENIED: denied(
    'Billing context not allowed',
    'The billing context is not the organisation of the token. Send the id of your own organisation.',
  ),
  FILTER_NOT_ALLOWED: denied(
    'Filter outside the rights',
    'The grant of the organisation lists the allowed values of a filter, or ids of features, and the request names another one, whether it exists or not. GetMetric shows the list as your_lens. With bestEffortQueryWhenNotAllowed, the response contains the allowed part.',
  ),
  SIGN_IN_CODE_INVALID: unauthenticated(
    'Sign-in code not accepted',
    'The code of a sign-in link was used, has expired, or never existed. Make a new link with `locmetrics explore`, or sign in with a token.',
  ),
  SIGN_IN_NOT_LOCAL: denied(
    'Sign-in from another machine',
    'A sign-in link works only in a browser on the machine of the service, without a proxy in between. Its code was not used. Sign in with a token instead.',
  ),
  SCOPE_MISSING: denied(
    'Scope missing',
    'The token is valid, but lacks the scope that the detail names. Ask the data owner for a token with this scope; `locmetrics token create --scope` sets the scopes.',
  ),
  DATA_REFERENCE_NOT_FOUND: notFound(
    'No such data reference',
    'No dataset of this name is visible to the caller. listDataReferences lists those that are.',
  ),
  CATALOG_NOT_FOUND: notFound(
    'No such catalog',
    'No catalog of this id is visible to the caller. `GET /v1/catalogs` lists those that are; over gRPC, use ListCatalogs.',
  ),
  METRIC_NOT_FOUND: notFound(
    'No such metric',
    'The catalog has no metric of this id that is visible to the caller. `GET /v1/catalogs/{catalogId}/metrics` lists those that are; over gRPC, use ListMetrics.',
  ),
  EXPORT_NOT_FOUND: notFound(
    'No such export',
    'The token has created no export of this id, or it has expired; or the link to a file of it is not valid any more. listRecordsExports lists the exports of the token.',
  ),
  LAYER_NOT_FOUND: notFound(
    'No such layer',
    'No metric of the catalog that is visible to the caller has a layer of this id. The description of a metric names its layer: `GET /v1/catalogs/{catalogId}/metrics/{metricId}`, over gRPC GetMetric.',
  ),
  OUTLINES_NOT_FOUND: notFound(
    'No outlines',
    'The features of the layer have no outlines, so there are no tiles of it. Outlines are published with the dataset of the layer: see `outline` in the manifest.',
  ),
  VERSION_NOT_FOUND: notFound(
    'No such version',
    'The version, or the one that was current on the date, does not exist or is no longer kept.',
  ),
  ORGANISATION_NOT_FOUND: notFound(
    'No such organisation',
    'A request to the admin interface names an organisation that does not exist. The hint names the nearest id.',
  ),
  TOKEN_NOT_FOUND: notFound(
    'No such token',
    'A request to the admin interface names a token that does not exist. The hint names the nearest id.',
  ),
  GRANT_NOT_FOUND: notFound(
    'No such grant',
    'A request to the admin interface names a grant that does not exist. The hint names the nearest id.',
  ),
  INVALID_GRANT: invalid(
    'Invalid grant',
    'The pattern of a grant is not valid, or the grant narrows something that its pattern does not match. `errors` lists the problems.',
  ),
  INVALID_LIMIT: invalid(
    'Invalid limit',
    'A limit of an organisation is negative, too large or not a whole number, or requires another limit.',
  ),
  ORGANISATION_EXISTS: rowOf('ALREADY_EXISTS', 409)(
    'The organisation already exists',
    'An organisation with this id already exists. Choose another id, or leave it out.',
  ),
  GRANT_EXISTS: rowOf('ALREADY_EXISTS', 409)(
    'The grant already exists',
    'The organisation already has a grant with the same pattern for overlapping days. Remove it first, or choose other days.',
  ),
  OWN_ORGANISATION: conflict(
    'An organisation cannot suspend itself',
    'A request to the admin interface would suspend the organisation of its own token, and no token could resume it. On the machine of the service, `locmetrics org suspend` can.',
  ),
  SWITCH_REFUSED: conflict(
    'The switch of versions is refused',
    'A request to the admin interface would switch to a version that is damaged, does not match the other datasets, or takes away something that grants name; or there is no version to switch to. Nothing was switched; the detail says why.',
  ),
  TOKEN_ENDED: conflict(
    'The token has ended',
    'A token that is revoked, expired or already replaced cannot be rotated. The hint says what to do instead.',
  ),
  CONTROL_STORE_LOCKED: unavailable(
    'The control store is locked',
    'Another process locked the control store for longer than the lock timeout. Nothing was changed; try again.',
  ),
  CONTROL_STORE_UNUSABLE: unavailable(
    'The control store cannot be used',
    'The file of tokens and grants is missing, damaged or being replaced; the detail says which. No token can be checked until it is back. Try again after a second.',
  ),
  RIGHTS_DAMAGED: unavailable(
    'The stored rights are damaged',
    'The stored rights of the token or of its organisation are damaged, so its requests are refused. Other organisations are not affected. The operator of the service finds the row in the log, or with `locmetrics verify`, and restores it from a backup.',
  ),
  CONTROL_STORE_AWAY: unavailable(
    'The shared control store cannot be reached',
    'The service is one of several nodes and cannot reach the database that they share. Nothing was changed, unless the detail says otherwise. For a while, a node answers requests without this database; then it refuses them. Try again later.',
  ),
  DISK_FULL: unavailable(
    'The disk is full',
    'The disk of the data directory is full, so the admin interface could not make a change, or a file could not be written. Nothing was changed. Free some space; tokens can still be revoked, grants removed and organisations suspended.',
  ),
  ROUTE_NOT_FOUND: notFound(
    'No such path',
    'The service has no resource at this path. /openapi.json lists all paths.',
  ),
  METHOD_NOT_ALLOWED: rowOf('UNIMPLEMENTED', 405)(
    'Method not allowed',
    'The path exists, but not with this method; gRPC has only POST. The header `Allow` lists the methods.',
  ),
  HOST_NOT_ALLOWED: rowOf('INVALID_ARGUMENT', 421)(
    'Host not allowed',
    'The header `Host` has a name that the service does not accept. IP addresses and `localhost` are always accepted. A name must be listed in `--hosts` if the request comes over loopback, or if `--hosts` is set; otherwise a web page whose name points to this machine could read responses.',
  ),
  METHOD_UNKNOWN: rowOf('UNIMPLEMENTED', 501)(
    'Method not known',
    'The service does not know the method of the request. Methods are in upper case. /openapi.json lists those of each path.',
  ),
  EXPECTATION_FAILED: rowOf('INVALID_ARGUMENT', 417)(
    'Expectation not supported',
    'The header `Expect` has a value other than `100-continue`. Leave it out.',
  ),
  UNSUPPORTED_TRANSFER_CODING: rowOf('UNIMPLEMENTED', 501)(
    'Transfer coding not supported',
    'The header `Transfer-Encoding` has a value other than `chunked`. Send the body uncompressed.',
  ),
  ORIGIN_NOT_ALLOWED: denied(
    'Origin not allowed',
    'A browser asked (in a preflight) whether a page of another origin may read responses, and the service does not allow that origin. The operator allows origins with `--cors-origins`.',
  ),
  MALFORMED_HTTP: invalid(
    'Not an HTTP request',
    'The bytes are not an HTTP/1.1 request; perhaps TLS or HTTP/2 was sent to the plaintext port. Or the header `Host` is missing or invalid, or `Host` or `Authorization` appears twice, or a trusted proxy sent an `X-Forwarded-Prefix` that is not a path. Send HTTP/1.1, with each of them once.',
  ),
  REQUEST_TIMEOUT: rowOf('DEADLINE_EXCEEDED', 408)(
    'The request did not arrive in time',
    'The request did not arrive in time. Its head must arrive within 10 seconds, and the whole request within 30. Send it faster, or in smaller parts.',
  ),
  HEADERS_TOO_LARGE: rowOf('INVALID_ARGUMENT', 431)(
    'The headers are too large',
    'The URL and the headers, or the metadata of a gRPC call, are larger than 16 KiB together. Send fewer of them.',
  ),
  BODY_TOO_LARGE: rowOf('INVALID_ARGUMENT', 413)(
    'The body is too large',
    'The body, or the message of a gRPC call, is larger than 1 MiB. Split the values of a long filter over several requests.',
  ),
  UNSUPPORTED_MEDIA_TYPE: rowOf('INVALID_ARGUMENT', 415)(
    'Media type not supported',
    'The body is not declared as JSON, or a gRPC call not as gRPC. Send the header `Content-Type: application/json`, or `application/grpc` with gRPC.',
  ),
  NOT_ACCEPTABLE: rowOf('INVALID_ARGUMENT', 406)(
    'No acceptable answer',
    'The header `Accept` excludes every media type of the response: JSON for most calls. Or `Accept-Encoding` excludes every supported encoding, and the uncompressed response too. Leave the header out; the hint says what it must include.',
  ),
  PAGE_TOKEN_EXPIRED: rowOf('FAILED_PRECONDITION', 400)(
    'The page token has expired',
    'The data version of the first page is no longer kept, or the rights of the caller changed. Repeat the first request to start again.',
  ),
  LIMIT_EXCEEDED: rowOf('RESOURCE_EXHAUSTED', 429)(
    'A limit of the organisation is reached',
    'The organisation of the token has reached a limit: requests per second, concurrent requests, or rows per day or month (UTC). The detail names the limit, and `Retry-After` the seconds to wait. If a response would have more rows than are left, ask for a smaller page.',
  ),
  CANCELLED: rowOf('CANCELLED', 499)(
    'Cancelled by the caller',
    'The caller cancelled the request or disconnected before the response was ready, and the query was stopped; or the caller did not read the response in time.',
  ),
  DEADLINE_EXCEEDED: rowOf('DEADLINE_EXCEEDED', 504)(
    'The request took too long',
    'The query was stopped at its deadline. Narrow the filters or ask for fewer fields.',
  ),
  OVERLOADED: unavailable(
    'The service is overloaded',
    'Too many requests are queued. Try again after a second.',
  ),
  USAGE_NOT_RECORDED: unavailable(
    'Usage cannot be recorded',
    'The usage of the request could not be recorded. The service answers a request only if it can record the usage. Try again after a second; the operator finds the cause in the log of the service.',
  ),
  NOT_READY: unavailable(
    'Not ready',
    'The service is starting or shutting down, or a part of it does not respond: the detail says which. Try again after a second.',
  ),
  INTERNAL: rowOf('INTERNAL', 500)(
    'Internal error',
    'The service failed. Report the requestId to the operator of the service.',
  ),
} satisfies Record<string, ErrorRow>;

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

  /** A full queue refuses a request. */
  static overloaded(message: string): ServiceError {
    return new ServiceError('OVERLOADED', message, { hint: 'Try again after a second.' });
  }

  /** The outlines of a layer are in no row file that can be used. */
  static outlinesNotPrepared(): ServiceError {
    return new ServiceError('NOT_READY', 'The outlines of the layer are not prepared here yet.', {
      hint: 'Try again in a minute. The row file of the version is being written, or it is damaged: the log of the service says which.',
    });
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
