import type { QueueLength } from '../domain/load.ts';
import { ServiceError } from '../domain/service-error.ts';

/**
 * The one line in which requests for pages wait. A page begins when fewer than `answersMax` are being
 * made, each of which may hold 10,000 rows from its first query until it is written, and while the
 * answers that their callers have not taken yet are not too many bytes. It is this line that refuses
 * requests when there is too much to do: what has begun finds the line of the database short.
 */
export type AnswerLimit = {
  /** Makes a page when its turn has come. Who comes to a full line is refused with `OVERLOADED`. */
  readonly use: <Result>(page: PageToMake, make: () => Promise<Result>) => Promise<Result>;
  /** Counts the bytes of an answer until the function that it gives is called. */
  readonly holdUnsent: (bytes: number) => () => void;
  /** How many are made now, and how many wait. */
  readonly length: () => QueueLength;
};

export type PageToMake = {
  readonly signal: AbortSignal;
  /** As it was asked for; 0 is the usual size. */
  readonly pageSize: number;
};

export type AnswerLimits = {
  /**
   * Pages that are made at once. As many as there are queries at once: more would only wait for the
   * database with rows in hand.
   */
  readonly answersMax: number;
  /** Requests that wait at most; another one is refused. */
  readonly waitingMax: number;
  /** While the process holds this many bytes of finished answers no further page begins. */
  readonly unsentMaxBytes: number;
};

export const ANSWER_LIMITS: AnswerLimits = {
  answersMax: 4,
  waitingMax: 1000,
  unsentMaxBytes: 64 * 2 ** 20,
};

/**
 * A page of the usual size, or a smaller one, is not stopped by large ones, nor by callers who do not
 * take those: one place is for small pages alone, and they may begin until twice as much is unsent.
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
    holdUnsent: (bytes) => {
      let isHeld = true;
      unsentBytes += bytes;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        unsentBytes -= bytes;
        beginNext();
      };
    },
    length: () => ({ running: making, waiting: waiting.length }),
  };
}

type Sized = Pick<PageToMake, 'pageSize'>;
type Waiting = Sized & { readonly begin: () => void };

const isSmall = ({ pageSize }: Sized): boolean => pageSize <= SMALL_PAGE_SIZE_MAX;

/** Who goes away leaves the line, with the reason of the signal. */
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
