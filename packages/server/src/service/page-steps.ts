import { checkBillingContext } from '../auth/billing-context.ts';
import { encodePageToken, type PageToken, type PositionValue } from '../domain/page-token.ts';
import { ServiceError } from '../domain/service-error.ts';
import {
  type PageBinding,
  pageTokenExpired,
  readPageToken,
  requestFingerprint,
} from '../plan/plan-page.ts';
import type { StopSignal } from '../runtime/stop.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/* The steps of each operation that returns pages: start, run, finish. */

/** A page whose request is authorised and whose page token is checked. */
export type PageStart = {
  /** Most requests have and get no page token, so it is made only for one. */
  readonly bindingOf: () => PageBinding;
  /** Absent on the first page. */
  readonly token: PageToken | undefined;
  /** As requested; 0 means the default size. */
  readonly pageSize: number;
  readonly pageTokenKey: () => Uint8Array;
};

/**
 * Starts a page. Refused here: a foreign billing context, and a page token that is forged, expired, or of
 * another request.
 *
 * `parts` are everything that decides the content of the pages, without the page size and the page token.
 * The page token is bound to them.
 */
export function startPage(
  { pageTokenKey, wasPageTokenKeyReplaced }: ServiceContext,
  { caller }: Call,
  request: {
    readonly billingContext: string;
    readonly pageSize: number;
    readonly pageToken: string;
    readonly parts: () => readonly unknown[];
  },
): PageStart {
  const { billingContext, pageSize, pageToken, parts } = request;
  checkBillingContext(caller, billingContext);
  const bindingOf = () => ({
    request: requestFingerprint(parts()),
    rights: caller.rights.fingerprint,
  });
  const token = readPageToken(pageToken, bindingOf, pageTokenKey, wasPageTokenKeyReplaced);
  return { bindingOf, token, pageSize, pageTokenKey };
}

/**
 * Runs the queries of a page when its turn comes. Refused here: more requests than the queue holds, a page
 * that takes too long or whose caller cancels, and one whose version was removed since the page before.
 */
export async function runPage<Result>(
  { queryTimeoutMs: timeoutMs, answers }: ServiceContext,
  { signal: callerSignal }: Call,
  { token, pageSize }: PageStart,
  run: (signal: StopSignal) => Promise<Result>,
): Promise<Result> {
  try {
    return await runUntilDeadline({ callerSignal, timeoutMs }, (signal) =>
      answers.use({ signal, pageSize }, () => run(signal)),
    );
  } catch (error) {
    throw token === undefined ? error : expiredIfLost(error);
  }
}

/** If a version was removed between two pages, the page token is reported as expired. */
function expiredIfLost(error: unknown): unknown {
  return error instanceof ServiceError && error.reason === 'VERSION_NOT_FOUND'
    ? pageTokenExpired(VERSION_GONE)
    : error;
}

export const VERSION_GONE = 'the data version on which its pages began is gone';

/** The common members of the results of all operations that return pages. */
export type PageEnd = {
  /** The number of rows of all pages; 0 if they are not counted. */
  readonly totalSize: number;
  /** How many rows all pages together cost; only for a request that wants no rows. */
  readonly costRows?: number;
  readonly nextPageToken: NextPageToken;
};

/**
 * The token of the page after the first `sentRows` rows of this one; empty at the end. An edge that cannot
 * send all rows at once passes the number of rows that it sends.
 *
 * A gRPC message, for example, ends before 3.5 MiB.
 */
export type NextPageToken = (sentRows: number) => string;

type FoundRows<Position> = {
  /** Whether more rows follow. */
  readonly hasMore: boolean;
  /** The end position of a page whose last row has this index. */
  readonly positionAt: (index: number) => Position;
  /** The number of the rows of all pages, if the engine knows it. */
  readonly total?: number;
};

/** Counts the rows of all pages, tells their cost, and prepares the token of the next page. */
export async function finishPage<Position>(
  { bindingOf, token, pageTokenKey }: PageStart,
  page: {
    /** The version of which all pages are. */
    readonly version: string;
    /** Undefined for a request that only counts. */
    readonly found: FoundRows<Position> | undefined;
    readonly rowCount: number;
    readonly writePosition: (position: Position) => readonly PositionValue[];
    /** Undefined if the rows are not counted. */
    readonly count: (() => Promise<number> | number) | undefined;
  },
): Promise<PageEnd> {
  const { version, found, rowCount, writePosition, count } = page;
  if (found === undefined) {
    const totalSize = (await count?.()) ?? 0;
    return { totalSize, costRows: totalSize, nextPageToken: () => '' };
  }
  const { hasMore, positionAt } = found;
  // The total is counted with the first page. A first page that is also the last has every row.
  const counted = token?.totalSize ?? (hasMore ? (found.total ?? (await count?.())) : rowCount);
  const totalSize = count === undefined ? 0 : (counted ?? 0);
  return {
    totalSize,
    nextPageToken: (sentRows) => {
      if (sentRows === 0 || (sentRows === rowCount && !hasMore)) return '';
      const position = writePosition(positionAt(sentRows - 1));
      return encodePageToken({ ...bindingOf(), version, totalSize, position }, pageTokenKey());
    },
  };
}
