import type { SearchRule } from '@locmetrics/core/domain/search-text';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import {
  type PageBinding,
  pageTokenExpired,
  readPageToken,
  requestFingerprint,
} from '@locmetrics/core/plan/plan-page';
import {
  encodePageToken,
  type PageToken,
  type PositionValue,
} from '@locmetrics/core/requests/page-token';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { checkBillingContext } from '../auth/billing-context.ts';
import { openDeadline } from './queries/run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/* The steps of each operation that returns pages: start, take a slot, finish. */

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

/** The slot of a page: one of the few that run at once, until it ends. */
export type PageSlot = {
  /** Aborts at the deadline, or when the caller cancels. */
  readonly signal: StopSignal;
  /** Stops the other queries of a page that has failed. Returns the error of its request. */
  readonly fail: (error: unknown) => unknown;
  readonly end: () => void;
};

/**
 * Waits in the queue for a slot. Refused here: more requests than the queue holds. Refused until the slot ends: a page
 * that takes too long or whose caller cancels, and one whose version was removed since the page before.
 */
export function takeSlot(
  { queryTimeoutMs: timeoutMs, answers }: Pick<ServiceContext, 'queryTimeoutMs' | 'answers'>,
  { signal: callerSignal, caller }: Call,
  { token, pageSize, isAggregation = false }: PageOfSlot,
): PageSlot | Promise<PageSlot> {
  const deadline = openDeadline({ callerSignal, timeoutMs });
  const { signal } = deadline;
  const slotOf = (release: () => void): PageSlot => ({
    signal,
    fail: (error) => {
      deadline.stop();
      return token === undefined ? error : expiredIfLost(error);
    },
    end: () => {
      deadline.end();
      release();
    },
  });
  const refuse = (error: unknown): never => {
    deadline.end();
    throw error;
  };
  try {
    const place = answers.takePlace({
      signal,
      pageSize,
      aggregatesFor: isAggregation ? caller.organisationId : undefined,
    });
    // Mostly there is one, and a promise would cost each request more than the place.
    return place instanceof Promise ? place.then(slotOf, refuse) : slotOf(place);
  } catch (error) {
    return refuse(error);
  }
}

export type PageOfSlot = Pick<PageStart, 'token' | 'pageSize'> & {
  /** Whether it aggregates records. Default: no. */
  readonly isAggregation?: boolean;
};

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
  readonly total?: number | undefined;
};

/**
 * The number of the rows of all pages, if no query must count them: it is counted with the first page, and travels in
 * the page token. A first page that is also the last has every row.
 */
export function knownTotal(
  { token }: PageStart,
  found: Pick<FoundRows<unknown>, 'hasMore' | 'total'> | undefined,
  rowCount: number,
): number | undefined {
  if (found === undefined) return undefined;
  return token?.totalSize ?? (found.hasMore ? found.total : rowCount);
}

/** The members of a page that are not its rows, with the token of the next page. */
export function finishPage<Position>(
  { bindingOf, pageTokenKey }: PageStart,
  page: {
    /** The version of which all pages are. */
    readonly version: string;
    /** Undefined for a request that only counts. */
    readonly found: FoundRows<Position> | undefined;
    readonly rowCount: number;
    /** 0 if they are not counted. */
    readonly totalSize: number;
    readonly writePosition: (position: Position) => readonly PositionValue[];
    /** The rule that ranked the rows; absent: nothing was searched. */
    readonly searchRule?: SearchRule | undefined;
  },
): PageEnd {
  const { version, found, rowCount, totalSize, writePosition, searchRule } = page;
  if (found === undefined) return { totalSize, costRows: totalSize, nextPageToken: () => '' };
  const { hasMore, positionAt } = found;
  return {
    totalSize,
    nextPageToken: (sentRows) => {
      if (sentRows === 0 || (sentRows === rowCount && !hasMore)) return '';
      const position = writePosition(positionAt(sentRows - 1));
      const token = { ...bindingOf(), version, totalSize, position, searchRule };
      return encodePageToken(token, pageTokenKey());
    },
  };
}
