import { checkBillingContext } from '../auth/billing-context.ts';
import { encodePageToken, type PageToken, type PositionValue } from '../domain/page-token.ts';
import { ServiceError } from '../domain/service-error.ts';
import {
  type PageBinding,
  pageTokenExpired,
  readPageToken,
  requestFingerprint,
} from '../plan/plan-page.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** A request for a page. */
export type PageRequest<Pinned> = {
  readonly billingContext: string;
  readonly pageSize: number;
  readonly pageToken: string;
  /**
   * Everything that decides the content of the pages. The page token is bound to it. The page size and the
   * page token are not part of it.
   */
  readonly parts: readonly unknown[];
  /** Finds the source of the page: the one of the page token, or the current one on a first page. */
  readonly pin: (token: PageToken | undefined) => Pinned;
};

/** The start of a page: its source and position, and a function that makes the token of the next page. */
export type PageStart<Pinned> = {
  readonly pinned: Pinned;
  /** Absent on the first page. */
  readonly token: PageToken | undefined;
  /** Returns the function that makes the token of the next page. */
  readonly nextPageToken: (page: {
    readonly totalSize: number;
    readonly rowCount: number;
    readonly hasMore: boolean;
    readonly positionAt: (index: number) => readonly PositionValue[];
  }) => NextPageToken;
};

/**
 * The token of the page after the first `sentRows` rows of this one; empty at the end. An edge that cannot
 * send all rows at once passes the number of rows that it sends.
 */
export type NextPageToken = (sentRows: number) => string;

export const NO_NEXT_PAGE: NextPageToken = () => '';

/** A page that is ready: its request is authorised, its page token checked, its version pinned. */
export type PinnedPage<Pinned> = Pick<PageStart<Pinned>, 'pinned' | 'token'> & {
  readonly binding: PageBinding;
  /** Runs the queries of the page, until the deadline or until the caller cancels. */
  readonly read: <Result>(
    read: (page: PageStart<Pinned>, signal: AbortSignal) => Promise<Result>,
  ) => Promise<Result>;
};

/** Answers a request for a page: pins its version, then runs its queries. */
export async function readPage<Pinned extends { readonly version: string }, Result>(
  context: ServiceContext,
  call: Call,
  request: PageRequest<Pinned>,
  read: (page: PageStart<Pinned>, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return pinPage(context, call, request).read(read);
}

/** The part of `readPage` before its queries, for callers that check something in between. */
export function pinPage<Pinned extends { readonly version: string }>(
  context: ServiceContext,
  call: Call,
  request: PageRequest<Pinned>,
): PinnedPage<Pinned> {
  checkBillingContext(call.caller, request.billingContext);
  const { queryTimeoutMs: timeoutMs } = context;
  const binding: PageBinding = {
    request: requestFingerprint(request.parts),
    rights: call.caller.rights.fingerprint,
  };
  const token = readPageToken(request.pageToken, binding, context.pageTokenKey);
  const pinned = request.pin(token);
  const nextPageToken: PageStart<Pinned>['nextPageToken'] =
    ({ totalSize, rowCount, hasMore, positionAt }) =>
    (sentRows) => {
      if (sentRows === 0 || (sentRows === rowCount && !hasMore)) return '';
      const position = positionAt(sentRows - 1);
      const { version } = pinned;
      const tokenOf = { ...binding, version, totalSize, position };
      return encodePageToken(tokenOf, context.pageTokenKey());
    };
  return {
    pinned,
    token,
    binding,
    read: async (read) => {
      try {
        return await runUntilDeadline({ callerSignal: call.signal, timeoutMs }, (signal) =>
          context.answers.use({ signal, pageSize: request.pageSize }, () =>
            read({ pinned, token, nextPageToken }, signal),
          ),
        );
      } catch (error) {
        throw token === undefined ? error : expiredIfLost(error);
      }
    },
  };
}

/** If a version was removed between two pages, the page token is reported as expired. */
function expiredIfLost(error: unknown): unknown {
  return error instanceof ServiceError && error.reason === 'VERSION_NOT_FOUND'
    ? pageTokenExpired(VERSION_GONE)
    : error;
}

export const VERSION_GONE = 'the data version on which its pages began is gone';
