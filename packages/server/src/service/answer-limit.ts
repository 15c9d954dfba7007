import { ServiceError } from '../domain/service-error.ts';
import type { QueueLength } from '../runtime/load.ts';
import type { StopSignal } from '../runtime/stop.ts';

/**
 * The queue of requests for pages. A page starts when two conditions hold: fewer than `answersMax` pages
 * are in progress, because each may hold 10,000 rows from its first query until it is written; and the
 * answers that callers have not read yet do not exceed `unsentMaxBytes`. Under overload this queue
 * refuses requests, so that a page that has started finds the queue of the database short.
 */
export type AnswerLimit = {
  /** Makes a page when its turn comes. A request that finds the queue full is refused with `OVERLOADED`. */
  readonly use: <Result>(page: PageToMake, make: () => Promise<Result>) => Promise<Result>;
  /** Counts the bytes of an answer as unsent until the returned function is called. */
  readonly holdUnsent: (bytes: number) => () => void;
  /** A large page keeps a place while its rows are encoded, because that takes turns. */
  readonly holdRows: <Result>(rows: number, encode: () => Promise<Result>) => Promise<Result>;
  /** How many pages are in progress, and how many requests are queued. */
  readonly length: () => QueueLength;
};

export type PageToMake = {
  readonly signal: StopSignal;
  /** As requested; 0 means the default size. */
  readonly pageSize: number;
};

export type AnswerLimits = {
  /**
   * Pages in progress at once. It equals the number of concurrent queries: further pages would only hold
   * rows in memory while they wait for the database.
   */
  readonly answersMax: number;
  /** The length of the queue; further requests are refused. */
  readonly waitingMax: number;
  /** No page starts while the process holds this many bytes of finished answers. */
  readonly unsentMaxBytes: number;
};

export const ANSWER_LIMITS: AnswerLimits = {
  answersMax: 4,
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
  const { answersMax, waitingMax, unsentMaxBytes } = limits;
  const waiting: Waiting[] = [];
  const largeMax = Math.max(1, answersMax - SMALL_PLACES);
  let making = 0;
  let makingLarge = 0;
  let unsentBytes = 0;

  const mayBegin = (page: Sized): boolean => {
    if (making >= answersMax) return false;
    return isSmall(page)
      ? unsentBytes < unsentMaxBytes * SMALL_UNSENT_FACTOR
      : unsentBytes < unsentMaxBytes && makingLarge < largeMax;
  };
  const count = (page: Sized, by: 1 | -1): void => {
    making += by;
    if (!isSmall(page)) makingLarge += by;
  };
  const beginNext = (): void => {
    const index = waiting.findIndex(mayBegin);
    const [next] = index === -1 ? [] : waiting.splice(index, 1);
    if (next === undefined) return;
    count(next, 1);
    next.begin();
    beginNext();
  };
  const takePlace = async (page: PageToMake): Promise<void> => {
    page.signal.throwIfAborted();
    if (mayBegin(page)) {
      count(page, 1);
      return;
    }
    if (waiting.length >= waitingMax) {
      throw new ServiceError('OVERLOADED', 'Too many requests are waiting for their answers.', {
        hint: 'Try again after a second.',
      });
    }
    await waitInLine(waiting, page);
  };

  const holdUnsent = (bytes: number): (() => void) => {
    let isHeld = true;
    unsentBytes += bytes;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      unsentBytes -= bytes;
      beginNext();
    };
  };

  return {
    use: async (page, make) => {
      await takePlace(page);
      try {
        return await make();
      } finally {
        count(page, -1);
        beginNext();
      }
    },
    holdUnsent,
    holdRows: async (rows, encode) => {
      const page = { pageSize: rows };
      if (isSmall(page)) return encode();
      count(page, 1);
      try {
        return await encode();
      } finally {
        // By then the bytes of the answer count as unsent.
        setImmediate(() => {
          count(page, -1);
          beginNext();
        });
      }
    },
    length: () => ({ running: making, waiting: waiting.length }),
  };
}

type Sized = Pick<PageToMake, 'pageSize'>;
type Waiting = Sized & { readonly begin: () => void };

const isSmall = ({ pageSize }: Sized): boolean => pageSize <= SMALL_PAGE_SIZE_MAX;

/** A request whose signal aborts leaves the queue with the reason of the signal. */
function waitInLine(waiting: Waiting[], { signal, pageSize }: PageToMake): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.splice(waiting.indexOf(entry), 1);
      reject(signal.reason);
    };
    const begin = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const entry = { pageSize, begin };
    waiting.push(entry);
    signal.addEventListener('abort', leave, { once: true });
  });
}
