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

/** The usual size, where none is asked for. */
const SMALL_PAGE_SIZE_MAX = 100;
/** Small pages may begin until there is this much more, so that who takes nothing does not stop them. */
const SMALL_RESERVE = 1.25;

export function openAnswerLimit(limits: AnswerLimits = ANSWER_LIMITS): AnswerLimit {
  const { answersMax, waitingMax, unsentMaxBytes } = limits;
  const waiting: Waiting[] = [];
  let making = 0;
  let unsentBytes = 0;

  const mayBegin = ({ pageSize }: Pick<PageToMake, 'pageSize'>): boolean => {
    const isSmall = pageSize <= SMALL_PAGE_SIZE_MAX;
    return making < answersMax && unsentBytes < unsentMaxBytes * (isSmall ? SMALL_RESERVE : 1);
  };
  const beginNext = (): void => {
    const index = waiting.findIndex(mayBegin);
    const [next] = index === -1 ? [] : waiting.splice(index, 1);
    if (next === undefined) return;
    making += 1;
    next.begin();
    beginNext();
  };
  const takePlace = async (page: PageToMake): Promise<void> => {
    page.signal.throwIfAborted();
    if (mayBegin(page)) {
      making += 1;
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
        making -= 1;
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

type Waiting = Pick<PageToMake, 'pageSize'> & { readonly begin: () => void };

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
