import { checkBillingContext } from '../auth/billing-context.ts';
import type { RowSelection } from '../domain/catalog-request.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import { canonicalOperator } from '../domain/filter.ts';
import { encodePageToken, type PageToken, type PositionValue } from '../domain/page-token.ts';
import { ServiceError } from '../domain/service-error.ts';
import {
  type PageBinding,
  pageTokenExpired,
  readPageToken,
  requestFingerprint,
} from '../plan/plan-page.ts';
import { findPageVersion } from './find-version.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** A page that is being read: where it begins, and how to say where it ended. */
export type PageStart = {
  /** The version of all pages. */
  readonly version: DatasetVersion;
  /** Absent on the first page. */
  readonly token: PageToken | undefined;
  /** The token of the page after this one; empty, and so the end, when there is no position. */
  readonly nextPageToken: (
    totalSize: number,
    position: readonly PositionValue[] | undefined,
  ) => string;
};

/**
 * What every request for a page has in common: it is authorised, its page token is checked, it is
 * pinned to a version, and it ends at the deadline or when the caller goes away. `operationParts`
 * says what the request asks for besides its selection, for the page token to be bound to.
 */
export async function readPage<Result>(
  context: ServiceContext,
  call: Call,
  request: RowSelection,
  operationParts: readonly unknown[],
  read: (page: PageStart, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  checkBillingContext(call.caller, request.billingContext);
  const { pageTokenKey, queryTimeoutMs: timeoutMs } = context;
  const binding: PageBinding = {
    request: requestFingerprint([...operationParts, ...selectionParts(request)]),
    rights: call.caller.rightsFingerprint,
  };
  const token = readPageToken(request.pageToken, binding, pageTokenKey);
  const version = findPageVersion(context, request, token);
  const nextPageToken: PageStart['nextPageToken'] = (totalSize, position) =>
    position === undefined
      ? ''
      : encodePageToken(
          { ...binding, version: version.version, totalSize, position },
          pageTokenKey,
        );
  try {
    return await runUntilDeadline({ callerSignal: call.signal, timeoutMs }, (signal) =>
      read({ version, token, nextPageToken }, signal),
    );
  } catch (error) {
    throw token === undefined ? error : expiredIfLost(error);
  }
}

/** All that decides which rows a request means; the page size and the page token are not in it. */
function selectionParts(selection: RowSelection): readonly unknown[] {
  const { dataReferenceName, filters, options, asOf, countOnly } = selection;
  const { boundingBox: box, orderBy, trimToPeriodOfExistence } = options;
  return [
    dataReferenceName,
    filters.map(({ fieldName, operator, value, values }) => [
      fieldName,
      canonicalOperator(operator),
      String(value),
      values.map(String),
    ]),
    box === undefined ? [] : [box.minLng, box.minLat, box.maxLng, box.maxLat],
    orderBy === undefined ? [] : [orderBy.fieldName, orderBy.descending],
    trimToPeriodOfExistence,
    asOf,
    countOnly,
  ];
}

/** A version that vanished while its pages were read is told as an expired page token. */
function expiredIfLost(error: unknown): unknown {
  return error instanceof ServiceError && error.reason === 'VERSION_NOT_FOUND'
    ? pageTokenExpired('the data version on which its pages began is gone')
    : error;
}
