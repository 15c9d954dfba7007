import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { QueueLength } from '@locmetrics/core/runtime/engine-load';
import { openQueue } from '@locmetrics/core/runtime/queue';
import type { StopSignal } from '@locmetrics/core/runtime/stop';

/**
 * The queue of requests for pages. A page starts when two conditions hold: fewer than `answersMax` pages
 * are in progress, because each may hold 10,000 rows from its first query until it is written; and the
 * answers that callers have not read yet do not exceed `unsentMaxBytes`. A page that aggregates records also waits while
 * its organisation has `aggregationsMax` of them in progress: each reads many records. Under overload this queue
 * refuses requests, so that a page that has started finds the queue of the database short.
 *
 * 60 pages of 10,000 rows at once took 1.4 GB instead of 0.5 and were no faster.
 */
export type AnswerLimit = {
  /**
   * Returns the function that releases the place of a page, as a promise if the page has to wait for it. A request that
   * finds the queue full is refused with `OVERLOADED`.
   */
  readonly takePlace: (page: PageToMake) => (() => void) | Promise<() => void>;
  /** Counts the bytes of an answer as unsent until the returned function is called. */
  readonly holdUnsent: (bytes: number) => () => void;
  /** Counts a large page as in progress until the returned function is called. */
  readonly holdRows: (rows: number) => () => void;
  /** How many pages are in progress, and how many requests are queued. */
  readonly length: () => QueueLength;
};

export type PageToMake = {
  readonly signal: StopSignal;
  /** As requested; 0 means the default size. */
  readonly pageSize: number;
  /** The organisation for which records are aggregated; absent for a page of the records themselves. */
  readonly aggregatesFor?: string | undefined;
};

export type AnswerLimits = {
  /**
   * Pages in progress at once. It equals the number of concurrent queries: further pages would only hold
   * rows in memory while they wait for the database.
   */
  readonly answersMax: number;
  /** Pages of one organisation in progress at once that aggregate records, so that it leaves time to the others. */
  readonly aggregationsMax: number;
  /** The length of the queue; further requests are refused. */
  readonly waitingMax: number;
  /** No page starts while the process holds this many bytes of finished answers. */
  readonly unsentMaxBytes: number;
};

export const ANSWER_LIMITS: AnswerLimits = {
  answersMax: 4,
  aggregationsMax: 2,
  waitingMax: 1000,
  unsentMaxBytes: 64 * 2 ** 20,
};

/**
 * Large pages, and callers that do not read them, must not block pages of the default size or smaller.
 * One slot is reserved for small pages, and they may start until twice as many bytes are unsent.
 */
const SMALL_PAGE_SIZE_MAX = 100;
const SMALL_PLACES = 1;
const SMALL_UNSENT_FACTOR = 2;

export function openAnswerLimit(limits: AnswerLimits = ANSWER_LIMITS): AnswerLimit {
  const { answersMax, aggregationsMax, waitingMax, unsentMaxBytes } = limits;
  const queue = openQueue<PageToMake, void>({
    waitingMax,
    full: () => ServiceError.overloaded('Too many requests are waiting for their answers.'),
  });
  const largeMax = Math.max(1, answersMax - SMALL_PLACES);
  let making = 0;
  let makingLarge = 0;
  let unsentBytes = 0;
  const aggregating = new Map<string, number>();

  const mayStart = (page: Sized): boolean => {
    if (making >= answersMax) return false;
    if (aggregationsOf(page) >= aggregationsMax) return false;
    return isSmall(page)
      ? unsentBytes < unsentMaxBytes * SMALL_UNSENT_FACTOR
      : unsentBytes < unsentMaxBytes && makingLarge < largeMax;
  };
  const aggregationsOf = ({ aggregatesFor }: Sized): number =>
    aggregatesFor === undefined ? 0 : (aggregating.get(aggregatesFor) ?? 0);
  const count = (page: Sized, by: 1 | -1): void => {
    making += by;
    countAggregation(page, by);
    if (!isSmall(page)) makingLarge += by;
  };
  const countAggregation = (page: Sized, by: 1 | -1): void => {
    const { aggregatesFor } = page;
    if (aggregatesFor === undefined) return;
    const running = aggregationsOf(page) + by;
    if (running === 0) aggregating.delete(aggregatesFor);
    else aggregating.set(aggregatesFor, running);
  };
  const startNext = (): void => {
    const next = queue.give(undefined, mayStart);
    if (next === undefined) return;
    count(next, 1);
    startNext();
  };
  const release = (page: Sized): void => {
    count(page, -1);
    startNext();
  };

  const holdUnsent = (bytes: number): (() => void) => {
    let isHeld = true;
    unsentBytes += bytes;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      unsentBytes -= bytes;
      startNext();
    };
  };

  return {
    takePlace: (page) => {
      page.signal.throwIfAborted();
      const leave = (): void => release(page);
      if (!mayStart(page)) return queue.wait(page).then(() => leave);
      count(page, 1);
      return leave;
    },
    holdUnsent,
    holdRows: (rows) => {
      const page = { pageSize: rows };
      if (isSmall(page)) return NOTHING_HELD;
      count(page, 1);
      // By then the bytes of the answer count as unsent.
      return () => setImmediate(release, page);
    },
    length: () => ({ running: making, waiting: queue.length() }),
  };
}

const NOTHING_HELD = (): void => {};

type Sized = Pick<PageToMake, 'pageSize' | 'aggregatesFor'>;

const isSmall = ({ pageSize }: Sized): boolean => pageSize <= SMALL_PAGE_SIZE_MAX;
