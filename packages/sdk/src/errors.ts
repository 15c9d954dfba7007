import type { Reason } from './generated/reasons.ts';
import type { Problem, ProblemPlace, RecordsExport } from './generated/schemas.ts';

/** The parts of a problem that its error contains. Over gRPC, there is no HTTP status. */
export type ServiceProblem = Omit<Problem, 'type' | 'title' | 'instance' | 'status'> & {
  readonly status: number | undefined;
};

/** The base of all errors of the client. A cancelled request throws the reason of its signal instead. */
export class LocmetricsError extends Error {
  override name = 'LocmetricsError';
}

/** The service refused the request, or failed. */
export class ServiceError extends LocmetricsError {
  override name = 'ServiceError';
  /** The HTTP status. Undefined over gRPC. */
  readonly status: number | undefined;
  /** The name of the gRPC code, such as `INVALID_ARGUMENT`. */
  readonly code: string;
  /** The stable reason, such as `UNKNOWN_FIELD`: branch on it. */
  readonly reason: Reason | (string & {});
  /** A sentence about the cause. */
  readonly detail: string;
  /** The action to take; empty if the service has no hint. */
  readonly hint: string;
  /** The places in the request that are wrong, as JSON pointers. */
  readonly errors: readonly ProblemPlace[];
  /** With the reason `LIMIT_EXCEEDED`: the limit of the organisation that is reached. */
  readonly limit: string | undefined;
  /** The id of the request in the service log. Quote it when you report a problem. */
  readonly requestId: string;
  /** How long the service asks to wait before a retry. Undefined if it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: ServiceProblem, retryAfterMs?: number) {
    const { detail, hint = '' } = problem;
    super(hint === '' ? detail : `${detail} ${hint}`);
    this.status = problem.status;
    this.code = problem.code;
    this.reason = problem.reason;
    this.detail = detail;
    this.hint = hint;
    this.errors = problem.errors ?? [];
    this.limit = problem.limit;
    this.requestId = problem.requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The data version of the first page is no longer kept, or the rights of the caller changed. Start again at the first
 * page.
 */
export class PageTokenExpiredError extends ServiceError {
  override name = 'PageTokenExpiredError';
}

/** No answer arrived, or only a part of it. `cause` is the error of `fetch`. */
export class ConnectionError extends LocmetricsError {
  override name = 'ConnectionError';
}

/** The answer is not from Locmetrics: perhaps another server or a proxy answered. */
export class UnexpectedAnswerError extends LocmetricsError {
  override name = 'UnexpectedAnswerError';
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}

/** An export has failed: it has no files. */
export class ExportFailedError extends LocmetricsError {
  override name = 'ExportFailedError';
  /** The stable reason, such as `VERSION_NOT_FOUND`: branch on it. */
  readonly reason: Reason | (string & {});
  readonly exportId: string;

  constructor({ id, errorReason = 'INTERNAL', errorMessage = '' }: RecordsExport) {
    super(`The export ${id} has failed: ${errorMessage}`);
    this.exportId = id;
    this.reason = errorReason;
  }
}

/** The whole answer has more rows than allowed. */
export class TooManyRowsError extends LocmetricsError {
  override name = 'TooManyRowsError';
  readonly maxRows: number;
  /** The number of rows of the whole answer. Undefined if the service does not count them. */
  readonly totalSize: number | undefined;

  constructor(maxRows: number, totalSize: number | undefined) {
    const rows = totalSize === undefined ? `more than ${maxRows}` : String(totalSize);
    super(
      `The whole answer has ${rows} rows, and maxRows is ${maxRows}. Narrow the request, raise maxRows, or iterate over the rows.`,
    );
    this.maxRows = maxRows;
    this.totalSize = totalSize;
  }
}
