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

/** What is asked for when a page is. */
export type PageRequest<Pinned> = {
  readonly billingContext: string;
  readonly pageSize: number;
  readonly pageToken: string;
  /**
   * All that decides what the pages hold, for the page token to be bound to; the page size and the
   * page token are not in it.
   */
  readonly parts: readonly unknown[];
  /** What the page is read from: that of the page token, or what is current on a first page. */
  readonly pin: (token: PageToken | undefined) => Pinned;
};

/** A page that is being read: where it begins, and how to say where it ended. */
export type PageStart<Pinned> = {
  readonly pinned: Pinned;
  /** Absent on the first page. */
  readonly token: PageToken | undefined;
  /** Makes the tokens of the page that follows one of so many rows. */
  readonly nextPageToken: (page: {
    readonly totalSize: number;
    readonly rowCount: number;
    readonly hasMore: boolean;
    readonly positionAt: (index: number) => readonly PositionValue[];
  }) => NextPageToken;
};

/**
 * The token of the page that follows the first so many rows of this one; empty at the end. An edge
 * that cannot send all rows at once gives those that it sends.
 */
export type NextPageToken = (sentRows: number) => string;

export const NO_NEXT_PAGE: NextPageToken = () => '';

/** A page that may be read: its request is authorised, its page token checked, its version pinned. */
export type PinnedPage<Pinned> = Pick<PageStart<Pinned>, 'pinned' | 'token'> & {
  readonly binding: PageBinding;
  /** Reads it, until the deadline or until the caller goes away. */
  readonly read: <Result>(
    read: (page: PageStart<Pinned>, signal: AbortSignal) => Promise<Result>,
  ) => Promise<Result>;
};

/** What every request for a page has in common. */
export async function readPage<Pinned extends { readonly version: string }, Result>(
  context: ServiceContext,
  call: Call,
  request: PageRequest<Pinned>,
  read: (page: PageStart<Pinned>, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return pinPage(context, call, request).read(read);
}

/** The same up to the reading, for who has something to ask before. */
export function pinPage<Pinned extends { readonly version: string }>(
  context: ServiceContext,
  call: Call,
  request: PageRequest<Pinned>,
): PinnedPage<Pinned> {
  checkBillingContext(call.caller, request.billingContext);
  const { queryTimeoutMs: timeoutMs } = context;
  const pageTokenKey = context.pageTokenKey();
  const binding: PageBinding = {
    request: requestFingerprint(request.parts),
    rights: call.caller.rights.fingerprint,
  };
  const token = readPageToken(request.pageToken, binding, pageTokenKey);
  const pinned = request.pin(token);
  const nextPageToken: PageStart<Pinned>['nextPageToken'] =
    ({ totalSize, rowCount, hasMore, positionAt }) =>
    (sentRows) => {
      if (sentRows === 0 || (sentRows === rowCount && !hasMore)) return '';
      const position = positionAt(sentRows - 1);
      const { version } = pinned;
      return encodePageToken({ ...binding, version, totalSize, position }, pageTokenKey);
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

/** A version that vanished while its pages were read is told as an expired page token. */
function expiredIfLost(error: unknown): unknown {
  return error instanceof ServiceError && error.reason === 'VERSION_NOT_FOUND'
    ? pageTokenExpired(VERSION_GONE)
    : error;
}

export const VERSION_GONE = 'the data version on which its pages began is gone';
